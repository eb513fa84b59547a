import { useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Outlet } from 'react-router'
import { keepPushes } from '../../features/operations/notifications/device.ts'
import { AwayBanner } from '../../features/people/presence/away-banner.tsx'
import { MenuTree } from '../../features/people/users/menu-tree.ts'
import { PaneBoundary } from '../../kit/pane-boundary.tsx'
import { watchUser } from '../../kit/polling.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { connectSocket } from '../../kit/socket.ts'
import { OfflineBanner } from '../../ui/offline-banner.tsx'
import { menuTree } from '../menu-tree.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ImpersonationBanner } from './impersonation-banner.tsx'
import { Menu } from './menu.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import classes from './shell.module.css'
import { SuspendedBanner } from './suspended-banner.tsx'
import { useTitleCounter } from './use-title-counter.ts'

const loadCommandBar = async () => ({ default: (await import('./command-bar.tsx')).CommandBar })
const CommandBar = lazy(loadCommandBar)

/** The frame around every screen: menu, banners, command bar; and what runs as long as somebody is logged in. */
export const Shell = ({ children }: { children?: ReactNode }) => {
  const [isSearching, setSearching] = useState(false)
  useWhileLoggedIn()
  useTitleCounter()
  useEffect(() => {
    const timer = setTimeout(() => void loadCommandBar().catch(() => undefined), 3_000) // at hand before the first key is pressed
    return () => clearTimeout(timer)
  }, [])
  const [typed, setTyped] = useState('')
  const search = (isOn: boolean) => {
    setTyped('')
    setSearching(isOn)
  }
  useHotkeys([['mod+K', () => search(!isSearching)]], [])

  return (
    <div className={classes.shell}>
      <a href="#conteudo" className={classes.skip}>
        Ir para o conteúdo
      </a>
      <PaneBoundary fallback={null}>
        <Menu onSearch={() => search(true)} />
      </PaneBoundary>
      <div className={classes.column}>
        <NavigationProgress />
        <OfflineBanner />
        <ImpersonationBanner />
        <SuspendedBanner />
        <AwayBanner />
        <main id="conteudo" className={classes.main} tabIndex={-1}>
          <MenuTree value={menuTree}>{children ?? <Outlet />}</MenuTree>
        </main>
      </div>
      <PaneBoundary fallback={null}>
        <BottomBar onSearch={() => search(true)} />
      </PaneBoundary>
      {isSearching && (
        <PaneBoundary fallback={null}>
          <Suspense fallback={<EarlyKeys onType={setTyped} onClose={() => search(false)} />}>
            <CommandBar typed={typed} onClose={() => search(false)} />
          </Suspense>
        </PaneBoundary>
      )}
    </div>
  )
}

type EarlyKeysProps = { onType: (change: (typed: string) => string) => void; onClose: () => void }
/** While the command bar is loading: what is typed is kept for it, and Esc closes. */
const EarlyKeys = ({ onType, onClose }: EarlyKeysProps) => {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    if (key === 'Escape') onClose()
    else if (key === 'Backspace') onType((typed) => typed.slice(0, -1))
    else if (key.length === 1) onType((typed) => typed + key)
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event)
    addEventListener('keydown', listener, { capture: true })
    return () => removeEventListener('keydown', listener, { capture: true })
  }, [])
  return null
}

const loadTables = async () => (await import('../live.ts')).liveTables

/** The socket and the polls live as long as this session does. */
const useWhileLoggedIn = () => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person means another connection
  useEffect(() => {
    const disconnect = connectSocket(cache, loadTables)
    const stop = watchUser()
    keepPushes()
    return () => {
      stop()
      disconnect()
      cache.clear() // what one person read is not the next one's
    }
  }, [cache, userId])
}
