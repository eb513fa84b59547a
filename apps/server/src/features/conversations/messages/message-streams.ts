import { streamsOf } from '@balcao/contract/channels/define.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { emit } from '../../../kit/outbox.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { Person } from '../../core/directory/directory.ts'
import { refreshLastMessages } from '../tickets/last-message.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { type TicketState, ticketAudience, ticketStateColumns } from '../timeline/ticket-state.ts'
import { messageById } from './messages.queries.ts'
import { type Outgoing, writeOutgoing } from './write-outgoing.ts'

type People = ReadonlyMap<string, Pick<Person, 'name'>>
/** A message that is shown while more of it is written. */
export type MessageStream = { id: string; seq: number; kind: ChannelKind }
const readsRows = (kind: ChannelKind) => streamsOf(channels[kind])?.readsRows === true

/** The one of a conversation that is still being written, unless something else of ours has been said after it. */
export const findMessageStream = async (tx: Tx, ticketId: string): Promise<MessageStream | undefined> =>
  (await tx.rows<MessageStream>(...messageStreamAsk(tx.tenantId, ticketId)))[0]
/** As a part of a trip: answers at most one `MessageStream`. */
export const messageStreamAsk = (tenantId: number, ticketId: string) => [openOf, [tenantId, ticketId]] satisfies Ask

/** Its first words, through the door; throws what the door throws. */
export const beginMessageStream = async (tx: Tx, { id, body, ...outgoing }: Begun): Promise<void> => {
  const { ticket } = outgoing
  const { messages } = await writeOutgoing(tx, { ...outgoing, drafts: [{ id, type: 'text', body }] })
  if (messages.length) tx.late(insert, [tx.tenantId, id, ticket.id, body])
}
type Begun = Omit<Outgoing, 'drafts'> & { id: string; body: string }

/** What it says by now. One that has not left yet leaves so; else its provider is told soon. */
export const growMessageStream = async (tx: Tx, people: People, { id, kind }: MessageStream, body: string) => {
  await tx.rows(grow, [tx.tenantId, id, body, true, readsRows(kind)])
  await tellChanged(tx, people, id)
}

/** All has been written: what it says from now on; null: what it says already. */
export const endMessageStream = async (tx: Tx, people: People, { id, kind }: MessageStream, body: string | null) => {
  await tx.rows(grow, [tx.tenantId, id, body, false, readsRows(kind)])
  if (readsRows(kind)) await tx.rows(remove, [tx.tenantId, id])
  await refreshLastMessages(tx, [(await tellChanged(tx, people, id)).ticketId])
}

/** What the customer has of it is all it says. */
export const cutMessageStream = async (tx: Tx, people: People, id: string, told: string) => {
  await tx.rows(restore, [tx.tenantId, id, told])
  await tx.rows(remove, [tx.tenantId, id])
  await refreshLastMessages(tx, [(await tellChanged(tx, people, id)).ticketId])
}

const tellChanged = async (tx: Tx, people: People, id: string): Promise<Message> => {
  const [row] = await tx.rows<MessageRow>(messageById, [tx.tenantId, id])
  const [ticket] = row ? await tx.rows<TicketState>(ticketById, [tx.tenantId, row.ticketId]) : []
  if (!row || !ticket) throw new Error('The message that is written is gone')
  const message = presentMessage(row, tx.tenantId, people)
  await emit(tx, 'message.updated', message, ticketAudience(ticket, true))
  tx.afterCommit(() => announce('streams.grown'))
  return message
}

const openOf: Prepared = {
  name: 'message_stream_open',
  text: `select m.id, m.seq::float8 as seq, n.kind from message_streams s
      join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id
      join connections n on n.tenant_id = m.tenant_id and n.id = m.connection_id
    where s.tenant_id = $1 and s.ticket_id = $2 and s.is_open and not m.is_deleted
      and not exists (select from messages l where l.tenant_id = m.tenant_id and l.ticket_id = m.ticket_id and l.seq > m.seq
        and l.from_me and l.type not in ('note', 'system'))
    order by m.seq desc limit 1`,
}
const insert: Prepared = {
  name: 'message_stream_insert',
  text: 'insert into message_streams (tenant_id, message_id, ticket_id, told) values ($1, $2, $3, $4)',
}
const grow: Prepared = {
  name: 'message_stream_grow',
  text: `with m as (
      update messages set body = coalesce($3::text, body), version = version + 1 where tenant_id = $1 and id = $2 and not is_deleted
      returning body, status)
    update message_streams s set is_open = $4::boolean,
      told = case when $5::boolean or m.status = 'queued' then m.body else s.told end,
      due_at = case when $5 or $4 and m.status = 'queued' then s.due_at else coalesce(s.due_at, now()) end
    from m where s.tenant_id = $1 and s.message_id = $2`,
}
const restore: Prepared = {
  name: 'message_stream_restore',
  text: 'update messages set body = $3, version = version + 1 where tenant_id = $1 and id = $2',
}
const remove: Prepared = {
  name: 'message_stream_remove',
  text: 'delete from message_streams where tenant_id = $1 and message_id = $2',
}
const ticketById: Prepared = {
  name: 'message_stream_ticket',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = $2`,
}
