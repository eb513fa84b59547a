import type { messagesQuery } from '@balcao/contract/conversations/messages.ts'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { messagesAfter, messagesBefore } from './messages.queries.ts'
import { requireMessage, requireVisible } from './visible.ts'

/** A page of a conversation, oldest first. Reading marks nothing. */
export const listMessages = async (
  actor: Actor,
  ticketId: string,
  { before, after, around, pageNumber, limit }: z.output<typeof messagesQuery>,
) => {
  const directory = await getDirectory(actor.tenantId)
  const { rows, ...page } = await withTenant(actor.tenantId, async (tx) => {
    await requireVisible(tx, actor, directory, ticketId)
    if (around !== undefined) return readAround(tx, ticketId, around, limit)
    if (after !== undefined) return readAfter(tx, ticketId, after, limit)
    return readBefore(tx, ticketId, before ?? null, limit, (pageNumber - 1) * limit)
  })
  return { items: rows.map((row) => presentMessage(row, actor.tenantId, directory.people)), ...page }
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

const cursorOf = (isMore: boolean, edge: MessageRow | undefined) => (isMore && edge ? String(edge.seq) : null)

/** What follows a place of a conversation, oldest first, for whoever has already looked whether it may be seen. */
export const readStretch = (tx: Tx, ticketId: string, after: number, limit: number): Promise<MessageRow[]> =>
  tx.rows<MessageRow>(messagesAfter, [tx.tenantId, ticketId, after, limit])

const readBefore = async (tx: Tx, ticketId: string, before: number | null, limit: number, skip = 0) => {
  const found = await tx.rows<MessageRow>(messagesBefore, [tx.tenantId, ticketId, before, limit + 1, skip])
  const hasMore = found.length > limit
  const rows = found.slice(0, limit).reverse()
  return { rows, hasMore, nextCursor: cursorOf(hasMore, rows[0]) }
}

const readAfter = async (tx: Tx, ticketId: string, after: number, limit: number) => {
  const found = await tx.rows<MessageRow>(messagesAfter, [tx.tenantId, ticketId, after, limit + 1])
  const hasMore = found.length > limit
  const rows = found.slice(0, limit)
  return { rows, hasMore, nextCursor: cursorOf(hasMore, rows.at(-1)) }
}

/** Half a page above the message, itself first of the half below. */
const readAround = async (tx: Tx, ticketId: string, around: string | number, limit: number) => {
  const seq = typeof around === 'number' ? around : await seqOf(tx, ticketId, around)
  const half = Math.ceil(limit / 2)
  const above = await readBefore(tx, ticketId, seq, half)
  const below = await readAfter(tx, ticketId, seq - 1, half)
  return { ...above, rows: [...above.rows, ...below.rows], hasNewer: below.hasMore }
}

const seqOf = async (tx: Tx, ticketId: string, messageId: string): Promise<number> => {
  const [row] = await tx.rows<{ seq: number }>(seqInTicket, [tx.tenantId, ticketId, messageId])
  if (!row) throw new AppError('ERR_FETCH_WAPP_MSG')
  return row.seq
}
const seqInTicket: Prepared = {
  name: 'message_seq',
  text: 'select seq from messages where tenant_id = $1 and ticket_id = $2 and id = $3',
}
