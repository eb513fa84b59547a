import type { SessionAnswer } from '@balcao/contract/people/auth.ts'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../kit/api.ts'
import { messageOf } from '../../kit/api-error.ts'
import { encryptPassword } from '../../kit/crypto.ts'
import { session, useCurrentSession } from '../../kit/session.ts'
import { notify } from '../../ui/notify.ts'

const PlatformDialog = lazy(async () => ({ default: (await import('./platform-dialog.tsx')).PlatformDialog }))

/** For who has two profiles: from the company to the platform with the password, and back without. */
export const useSwitchProfile = () => {
  const other = useCurrentSession().user.otherProfile
  const [isAsking, setAsking] = useState(false)
  if (!other) return { label: null, start: () => undefined, dialog: null }
  const isUp = other.tenantId === 0
  return {
    label: isUp ? 'Mudar para a plataforma' : `Voltar para ${other.name}`,
    start: () => (isUp ? setAsking(true) : void switchProfile().catch((error) => notify.error(messageOf(error)))),
    dialog: isAsking && (
      <Suspense fallback={null}>
        <PlatformDialog onClose={() => setAsking(false)} onConfirm={switchProfile} />
      </Suspense>
    ),
  }
}

/** Begins anew as the other one: nothing that was read as the first stays in the page. */
const switchProfile = async (password?: string) => {
  const body = password === undefined ? {} : { password: await encryptPassword(password) }
  session.open(await api.post<SessionAnswer>('/auth/switch', body, { quiet: true }))
  window.location.assign('/entrada')
}
