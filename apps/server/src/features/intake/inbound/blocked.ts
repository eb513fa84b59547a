import { behaviourOf } from '@balcao/contract/channels/options.ts'
import type { InboundEvent, Sender } from '../../../channels/adapter.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import type { Directory } from '../../core/directory/directory.ts'

/**
 * Not attended, and why: groups and stories, where the connection leaves them out, comments where nobody asked for them, and
 * numbers of the company's list. What the company
 * itself writes to such a number is kept.
 */
export const blockedBecause = (
  event: InboundEvent,
  { options, abilities }: Pick<OpenConnection, 'abilities' | 'options'>,
  { blockedNumbers, settings }: Pick<Directory, 'blockedNumbers' | 'settings'>,
): string | null => {
  const { ignoreGroups, ignoreStories } = behaviourOf(options, settings)
  if (ignoreGroups && groupOf(event)) return 'Este canal ignora grupos.'
  if (event.kind === 'message') {
    if (ignoreStories && event.content.story) return 'Este canal ignora stories.'
    if (event.content.comment && !abilities.supports.includes('comments')) return 'Este canal não atende comentários.'
  }
  return event.kind === 'message' && !event.fromMe && isListed(event.from, blockedNumbers)
    ? 'O número está na lista de bloqueados.'
    : null
}

const groupOf = (event: InboundEvent): boolean => {
  if (event.kind === 'group') return true
  const from = event.kind === 'message' || event.kind === 'reaction' || event.kind === 'vote' ? event.from : undefined
  return from?.isGroup === true
}

const isListed = (from: Sender, blockedNumbers: ReadonlySet<string>) =>
  blockedNumbers.size > 0 &&
  normalizeIdentities(from.identities).some(({ kind, value }) => kind === 'phone' && blockedNumbers.has(value))
