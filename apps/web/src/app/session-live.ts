import { endSession } from '../kit/api.ts'
import type { Live } from '../kit/live.ts'
import { isOwnEnd } from '../kit/own-end.ts'
import { hearOfOwnRights, refreshUser } from '../kit/polling.ts'
import { receivePreferences } from '../kit/preferences.ts'
import { session } from '../kit/session.ts'
import { notify } from '../ui/notify.ts'

/** What concerns the person herself: the end of her session, her rights, the company's settings. */
export const sessionLive: Live = {
  'session.revoked': (_cache, { message }) => {
    if (!session.get()) return // it has ended here already
    if (!isOwnEnd()) notify.error(message)
    endSession()
  },
  'preferences.updated': (_cache, configs) => receivePreferences(configs),
  'settings.updated': () => void refreshUser().catch(() => undefined), // the next reading will do
  'user.updated': (cache, { id }) => {
    void cache.invalidateQueries({ queryKey: ['users'] })
    if (id === session.get()?.userId) void hearOfOwnRights().catch(() => undefined) // as above
  },
  'user.deleted': (cache) => void cache.invalidateQueries({ queryKey: ['users'] }),
}
