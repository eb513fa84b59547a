import { useEffect, useRef } from 'react'
import { Navigate, useLocation, useMatches, useSearchParams } from 'react-router'
import { useSession } from '../kit/session.ts'
import { ForbiddenState } from '../ui/forbidden-state.tsx'
import { notify } from '../ui/notify.ts'
import { isAllowed, isHidden, rootOf } from './access.ts'
import { type Screen, screens } from './screens.ts'
import { Shell } from './shell/shell.tsx'
import { visitorOf } from './visitor.ts'

/** Nobody without a login, nothing behind a hidden menu. */
export const Guard = () => {
  const session = useSession()
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const matches = useMatches()
  const wasHere = useRef(false)
  useEffect(() => {
    if (session) wasHere.current = true
  }, [session])

  if (!session) {
    const setup = search.get('tokenSetup')
    if (setup) return <Navigate to={`/masterkey?tokenSetup=${encodeURIComponent(setup)}`} replace />
    // A session that ended is told by whoever ended it; a visitor without one is told here, except at the root.
    return <Redirect to="/login" text={wasHere.current || pathname === '/' ? null : 'Necessário realizar login'} />
  }

  const visitor = visitorOf(session)
  const screen = matches.map((match) => match.handle as Screen | undefined).find(Boolean) // only screen routes carry a handle
  if (visitor.permissions.includes('platform.read') && pathname === '/home')
    return <Redirect to="/tenants" text={null} />
  // A monitor for each: what goes on in a company, and how the installation is.
  if (visitor.permissions.includes('platform.read') && pathname === '/monitor')
    return <Redirect to="/monitor/instalacao" text={null} />
  if (isHidden(visitor, pathname, screen?.name)) {
    const shelter = isHidden(visitor, '/contatos') ? rootOf(visitor, screens) : '/contatos'
    return <Redirect to={shelter} text="Acesso negado" />
  }
  return (
    <Shell key={`${session.user.tenantId}:${session.userId}`}>
      {screen && !isAllowed(visitor, screen) ? <ForbiddenState /> : undefined}
    </Shell>
  )
}

const Redirect = ({ to, text }: { to: string; text: string | null }) => {
  useEffect(() => {
    if (text) notify.error(text)
  }, [text])
  return <Navigate to={to} replace />
}
