import { z } from 'zod'
import { id, moment, namedRef, pageQuery, queryFlag } from '../common.ts'

/** A colleague or a queue that a note may call; who does not see the ticket is shown, and refused. */
export const mentionCandidate = z.object({
  id,
  kind: z.enum(['user', 'queue']),
  name: z.string(),
  canSee: z.boolean(),
  /** Of a queue: how many of its people see the ticket. */
  people: z.int(),
})
export type MentionCandidate = z.output<typeof mentionCandidate>

/** A note that calls me. */
export const mention = z.object({
  messageId: id,
  ticketId: id,
  contactName: z.string(),
  user: namedRef.nullable(),
  body: z.string(),
  readAt: moment.nullable(),
  createdAt: moment,
})
export type Mention = z.output<typeof mention>

export const mentionsQuery = pageQuery.pick({ cursor: true, limit: true }).extend({ unread: queryFlag.default(false) })
/** What waits for me: how many notes, in which conversations (the newest 200). */
export const mentionCount = z.object({ unread: z.int(), ticketIds: z.array(id) })
export const mentionsRead = z
  .strictObject({ ticketId: id.optional(), messageIds: z.array(id).min(1).max(200).optional() })
  .refine((input) => (input.ticketId === undefined) !== (input.messageIds === undefined), {
    path: ['ticketId'],
    error: 'Informe o atendimento ou as mensagens.',
  })
  .meta({ examples: [{ ticketId: '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b' }] })

/** Where a text calls somebody. */
export type MentionPlace<Named> = { start: number; end: number; of: Named[] }

/**
 * The places of a note that call somebody by `@Name`, the longest name first; two of the same name are both called.
 * What stands in the text is what counts: a name that was taken out calls nobody.
 */
export const mentionsIn = <Named extends { name: string }>(
  text: string,
  named: readonly Named[],
): MentionPlace<Named>[] => {
  const byName = new Map<string, Named[]>()
  for (const one of named) {
    const key = one.name.toLowerCase()
    byName.set(key, [...(byName.get(key) ?? []), one])
  }
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length)
  const [longest] = names
  if (longest === undefined) return []
  const reach = longest.length + 2 // with the sign that follows it
  const places: MentionPlace<Named>[] = []
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_.])@/gu)) {
    const rest = text.slice(index + 1, index + 1 + reach).toLowerCase()
    const name = names.find((one) => rest.startsWith(one) && !/^[\p{L}\p{N}_]/u.test(rest.slice(one.length)))
    if (name) places.push({ start: index, end: index + 1 + name.length, of: byName.get(name) ?? [] })
  }
  return places
}
