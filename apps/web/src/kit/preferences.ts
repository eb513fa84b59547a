import type { UserConfigs } from '@balcao/contract/users.ts'
import { notify } from '../ui/notify.ts'
import { api } from './api.ts'
import { messageOf } from './api-error.ts'
import { session } from './session.ts'

/** Changes what the person keeps across devices: here at once, on the server after; undone when that fails. */
export const savePreferences = async (patch: Partial<UserConfigs>) => {
  const current = session.get()
  if (!current) return
  const before = current.user.configs
  session.update({ user: { configs: { ...before, ...patch } } })
  try {
    await api.put(`/users/${current.userId}/configs`, patch)
  } catch (error) {
    session.update({ user: { configs: before } })
    notify.error(messageOf(error))
  }
}
