import type { Live } from '../../../kit/live.ts'
import { renewHead } from '../../../kit/renew-head.ts'
import { dropContact, duplicatesKey } from './api.ts'

export const duplicatesLive: Live = {
  'duplicates.changed': (cache) => renewHead(cache, duplicatesKey),
  'contact.merged': (cache, { id }) => void dropContact(cache, id),
  'contact.deleted': (cache, { id }) => void dropContact(cache, id),
}
