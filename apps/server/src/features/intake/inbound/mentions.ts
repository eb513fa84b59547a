import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { Mention } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import { cleanText } from '../../../kit/text.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { findMeant, keysOf } from '../../contacts/groups/members.ts'
import { memberName } from '../../contacts/groups/names.ts'
import { findOurselves } from '../../conversations/groups/ourselves.ts'
import type { Received } from './arrivals.ts'

type Called = NonNullable<MessagePayload['called']>

/**
 * The messages of groups with whom they call by name, instead of by what their provider writes, and whether they are
 * meant for us. Only where somebody is called, or the connection waits until it is itself, anything is asked.
 */
export const readMentions = async (
  tx: Tx,
  { id, options }: Pick<OpenConnection, 'id' | 'options'>,
  received: Received[],
): Promise<Received[]> => {
  const inGroups = received.filter(({ arrival: { event } }) => event.from.isGroup)
  const asked = inGroups.flatMap((one) =>
    (one.arrival.event.content.mentions ?? []).slice(0, mostCalled).map((mention) => ({ one, mention })),
  )
  if (!asked.length && !(options.onlyMentioned && inGroups.length)) return received

  const ours = await findOurselves(tx, id)
  const found = await findMeant(
    tx,
    asked.map(({ one, mention }) => ({ groupId: one.known.contactId, keys: keysOf(mention.identities) })),
  )
  const calls = Map.groupBy(
    asked.map(({ one, mention }, n) => {
      const keys = found[n]?.keys ?? []
      const isUs = keys.some((key) => ours.keys.includes(key)) || mention.text.toLowerCase() === `@${ours.handle}`
      const name = cutText(cleanText((isUs && ours.name) || nameOf(mention, found[n])), 120)
      return { one, mention, called: { id: cutText(wordsOf(mention), 120), name, ...(isUs && { isUs }) } }
    }),
    ({ one }) => one,
  )
  return received.map((one) => {
    const { event } = one.arrival
    if (!event.from.isGroup) return one
    const called = (calls.get(one) ?? []).map((call) => call.called)
    const isForUs = event.fromMe || called.some(({ isUs }) => isUs) || one.known.quoted?.fromMe === true
    const content = { ...event.content, body: withNames(event.content.body, called) }
    return { ...one, arrival: { ...one.arrival, event: { ...event, content } }, called, isForUs }
  })
}
const mostCalled = 100

const wordsOf = ({ text }: Mention) => text.replace(/^@/, '')
/** A text that names somebody already stays as it is; digits become a name where one is known. */
const nameOf = (mention: Mention, found: Parameters<typeof memberName>[0] | undefined): string => {
  const written = wordsOf(mention)
  if (!/^\d+$/.test(written)) return written
  return found && (found.name || found.contactName || found.keys.length) ? memberName(found) : written
}

/** The same names in what the message became when it was edited. */
export const withNames = (body: string, called: Called | undefined) =>
  (called ?? []).reduce((text, { id, name }) => text.replaceAll(`@${id}`, `@${name}`), body)
