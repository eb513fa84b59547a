import type { UserConfigs } from '@balcao/contract/people/users.ts'
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
  saving += 1
  try {
    await api.put(`/users/${current.userId}/configs`, patch)
  } catch (error) {
    session.update({ user: { configs: before } })
    notify.error(messageOf(error))
  } finally {
    saving -= 1
  }
}

let saving = 0
/** Changed in another window. What is being saved here is newer; and each window keeps the filter of its own list. */
export const receivePreferences = (configs: UserConfigs) => {
  const now = session.get()?.user.configs
  if (!now || saving > 0) return
  session.update({ user: { configs: { ...configs, filtrosAtendimento: now.filtrosAtendimento } } })
}
