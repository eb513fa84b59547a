import type { messagesQuery } from '@balcao/contract/conversations/messages.ts'
import type { z } from 'zod'
import { type Prepared, readerOf, readTenant, type Tx, withTenant } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import type { Actor } from '../../../kit/actor.ts'
import { beyondAll } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import type { TicketFacts } from '../../../kit/outbox.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { canSee, viewerOf } from '../tickets/tickets.policy.ts'
import type { MessageRow } from '../timeline/messages.present.ts'
import { type MessageState, messageTexts, statesAfter, statesBefore } from './message-texts.ts'
import { messagesAfter } from './messages.queries.ts'
import { requireMessage } from './visible.ts'

type PageQuery = z.output<typeof messagesQuery>

/** A page of a conversation as it leaves, oldest first. Reading marks nothing. */
export const listMessages = async (actor: Actor, ticketId: string, query: PageQuery): Promise<string> => {
  const { tenantId } = actor
  const directory = await getDirectory(tenantId)
  const around = typeof query.around === 'string' ? await seqOf(actor, directory, ticketId, query.around) : query.around
  const [facts = [], ...stretches] = await readTenant(
    tenantId,
    [factsOf, [tenantId, ticketId]],
    ...asksOf(tenantId, ticketId, query, around),
  )
  requireSeen(actor, directory, facts[0] as TicketFacts | undefined)
  const { states, ...page } = pageOf(stretches as MessageState[][], query, around)
  const items = await messageTexts(readerOf(tenantId), states, directory)
  return `{"items":[${items.join()}],${JSON.stringify(page).slice(1)}`
}

const factsOf: Prepared = {
  name: 'ticket_facts',
  text: `select t.id, t.status, t.user_id as "userId", t.queue_id as "queueId", t.chat_flow_id as "chatFlowId",
      t.is_group as "isGroup", t.shared_with as "sharedWith",
      array(select w.user_id from contact_wallets w where w.tenant_id = t.tenant_id and w.contact_id = t.contact_id) as wallets
    from tickets t where t.tenant_id = $1 and t.id = $2`,
}

/** One stretch; around a message two: half a page above it, itself first of the half below. One more tells of more. */
const asksOf = (tenantId: number, ticketId: string, query: PageQuery, around: number | undefined): Ask[] => {
  const { before, after, pageNumber, limit } = query
  const below = (seq: number, count: number): Ask => [statesAfter, [tenantId, ticketId, seq, count + 1]]
  const above = (seq: number | string, count: number, skip = 0): Ask => [
    statesBefore,
    [tenantId, ticketId, seq, count + 1, skip],
  ]
  if (around !== undefined) return [above(around, halfOf(limit)), below(around - 1, halfOf(limit))]
  if (after !== undefined) return [below(after, limit)]
  return [above(before ?? beyondAll.seq, limit, (pageNumber - 1) * limit)]
}

const halfOf = (limit: number) => Math.ceil(limit / 2)

const pageOf = ([first = [], second]: MessageState[][], query: PageQuery, around: number | undefined) => {
  const limit = around === undefined ? query.limit : halfOf(query.limit)
  const hasMore = first.length > limit
  const shown = first.slice(0, limit)
  if (around === undefined && query.after !== undefined)
    return { states: shown, hasMore, nextCursor: cursorOf(hasMore, shown.at(-1)) }
  const page = { states: shown.reverse(), hasMore, nextCursor: cursorOf(hasMore, shown[0]) }
  if (!second) return page
  return { ...page, states: [...page.states, ...second.slice(0, limit)], hasNewer: second.length > limit }
}
const cursorOf = (isMore: boolean, edge: MessageState | undefined) => (isMore && edge ? String(edge.seq) : null)

const requireSeen = (actor: Actor, directory: Directory, ticket: TicketFacts | undefined) => {
  if (!ticket || !canSee(viewerOf(directory, actor.userId), ticket)) throw new AppError('ERR_NO_TICKET_FOUND')
}

const seqOf = async (actor: Actor, directory: Directory, ticketId: string, messageId: string): Promise<number> => {
  const { tenantId } = actor
  const [facts = [], found = []] = await readTenant(
    tenantId,
    [factsOf, [tenantId, ticketId]],
    [seqInTicket, [tenantId, ticketId, messageId]],
  )
  requireSeen(actor, directory, facts[0] as TicketFacts | undefined)
  const [row] = found as { seq: number }[]
  if (!row) throw new AppError('ERR_FETCH_WAPP_MSG')
  return row.seq
}
const seqInTicket: Prepared = {
  name: 'message_seq',
  text: 'select seq from messages where tenant_id = $1 and ticket_id = $2 and id = $3',
}

/** What a message said before each edit, oldest first. A deleted one has lost its words. */
export const listEdits = async (actor: Actor, messageId: string): Promise<{ body: string; at: string }[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const { message } = await requireMessage(tx, actor, directory, messageId)
    if (message.isDeleted) return []
    const [row] = await tx.rows<{ edits: { body: string; at: string }[] | null }>(editsOf, [tx.tenantId, messageId])
    return (row?.edits ?? []).map(({ body, at }) => ({ body, at: new Date(at).toISOString() }))
  })
}
const editsOf: Prepared = {
  name: 'message_edits',
  text: 'select edits from messages where tenant_id = $1 and id = $2',
}

/** What follows a place of a conversation, oldest first, for whoever has already looked whether it may be seen. */
export const readStretch = (tx: Tx, ticketId: string, after: number, limit: number): Promise<MessageRow[]> =>
  tx.rows<MessageRow>(messagesAfter, [tx.tenantId, ticketId, after, limit])
