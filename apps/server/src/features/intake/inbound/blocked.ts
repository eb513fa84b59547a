import type { InboundMessage } from '../../../channels/adapter.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import type { Directory } from '../../core/directory/directory.ts'

/**
 * Not attended: groups, where the connection leaves them out, and numbers of the company's list. What the company itself
 * writes to such a number is kept.
 */
export const isBlocked = (
  { from, fromMe }: InboundMessage,
  { options }: Pick<OpenConnection, 'options'>,
  { blockedNumbers }: Directory,
): boolean => (from.isGroup === true && options.ignoreGroups === true) || (!fromMe && isListed(from, blockedNumbers))

const isListed = (from: InboundMessage['from'], blockedNumbers: ReadonlySet<string>) =>
  blockedNumbers.size > 0 &&
  normalizeIdentities(from.identities).some(({ kind, value }) => kind === 'phone' && blockedNumbers.has(value))
