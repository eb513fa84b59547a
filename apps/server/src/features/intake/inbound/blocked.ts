import type { InboundMessage } from '../../../channels/adapter.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** Written by a number of the company's list: not attended. What the company itself writes there is kept. */
export const isBlocked = ({ from, fromMe }: InboundMessage, { blockedNumbers }: Directory): boolean =>
  !fromMe &&
  blockedNumbers.size > 0 &&
  normalizeIdentities(from.identities).some(({ kind, value }) => kind === 'phone' && blockedNumbers.has(value))
