import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { id, idOf, moment, namedRef, pageOf, queryList, tenantId } from '../common.ts'
import { mostForwarded } from './forward-limit.ts'
import { foundMessage, location, message, messageEdit, messageSend, vcard } from './messages.ts'

/** GET /messagesContact/{contactId}: everything said with a contact that one may see, oldest first within a page. */
export const contactHistoryQuery = z.object({
  /** Older than this `seq`. */
  before: z.coerce.number().int().optional(),
  /** Over these connections alone. */
  whatsappIds: queryList(id),
  limit: z.coerce.number().int().min(1).max(100).default(40),
})
/** What a message of the history belongs to. */
export const historyTicket = z.object({ id, protocol: z.string(), createdAt: moment, closedAt: moment.nullable() })
export const contactHistory = pageOf(message.extend({ whatsappId: id })).extend({
  tickets: z.array(historyTicket),
  /** Over which one has talked with the contact at all, whatever is asked for. */
  connections: z.array(namedRef.extend({ channel: z.enum(channelKinds) })),
})

export const messageEdits = z.object({
  /** What was written before each edit, oldest first, and when. */
  edits: z.array(z.object({ body: z.string(), at: moment })),
})
export const editMessageBody = messageEdit.extend({ messageId: id })

export const starred = foundMessage.extend({ starredAt: moment })
export type Starred = z.output<typeof starred>
export const starredQuery = z.object({
  /** Only those of one conversation. */
  ticketId: id.optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(30),
})

const ids = (what: string) =>
  z.union([idOf.transform((one) => [one]), z.array(idOf)]).pipe(
    z
      .array(id)
      .min(1, `Escolha pelo menos ${what}.`)
      .max(mostForwarded, `Escolha no máximo ${mostForwarded}.`)
      .transform((all) => [...new Set(all)]),
  )
/**
 * POST /forward-messages. `requestId` is the client's: the same one twice forwards once; without it each call does.
 * Without `channelId` each contact is written to where it was last spoken with.
 */
export const forwardBody = z.strictObject({
  requestId: id.optional(),
  messages: ids('uma mensagem'),
  contact: ids('um contato'),
  channelId: id.nullable().default(null),
  /** Only say what would happen. */
  dryRun: z.boolean().default(false),
})
export type ForwardBody = z.output<typeof forwardBody>
/** POST /forward-other-channel-messages: the same with the channel named. */
export const forwardElsewhereBody = forwardBody.extend({ channelId: id })
export const forwardTarget = z.object({
  contact: namedRef,
  channel: namedRef.nullable(),
  /** Null when nothing goes there. */
  ticketId: id.nullable(),
  /** Messages that go, or went. */
  count: z.int(),
  /** What does not go, and why, in Portuguese; null: everything goes. */
  problem: z.string().nullable(),
})
export type ForwardTarget = z.output<typeof forwardTarget>
export const forwardResult = z.object({ targets: z.array(forwardTarget) })

/** Calls that only make sense in a group. `ticketId` names the group's conversation. */
export const groupCall = z.strictObject({ ticketId: id })
export const groupMention = groupCall.extend({ id, body: messageEdit.shape.body })
/** The participants by their phone or the id the channel gave them. */
export const mentionBody = groupMention.extend({ mentions: z.array(z.string().trim().min(1).max(120)).min(1).max(256) })
export const participant = z.object({ id: z.string(), name: z.string(), isAdmin: z.boolean() })
export const participantList = z.object({ participants: z.array(participant) })

export const vcardBody = z.strictObject({ id: id.optional(), contact: vcard })
export const locationBody = z.strictObject({ id: id.optional(), location })
/** POST /noRedis: a send with the conversation in the body. */
export const directSend = messageSend.safeExtend({ ticketId: id })

export const syncOldBody = z.strictObject({ ticketId: id })
export const syncOldByUserBody = z.strictObject({ contactId: id, whatsappId: id })
/** Of the whole company without `whatsappId`; `tenantId` can only be one's own. */
export const syncTimeBody = z.strictObject({ tenantId: tenantId.optional(), whatsappId: id.optional() })

/** GET /pending: messages that failed or may not have arrived, per connection. */
export const stuckMessages = z.object({
  items: z.array(z.object({ whatsappId: id, failed: z.int(), uncertain: z.int() })),
})
export const resolvePendingBody = z.strictObject({ whatsappId: id, action: z.enum(['retry', 'drop']) })
/** `left`: those that could not be touched, such as those of closed conversations; `hasMore`: call again. */
export const resolvePendingResult = z.object({ done: z.int(), left: z.int(), hasMore: z.boolean() })
