import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { MessageType } from '@balcao/contract/conversations/messages.ts'
import type { NotSent } from '@balcao/contract/conversations/tickets.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, bySystem } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { previewOf } from '../timeline/preview.ts'
import { commitTicketChanges } from './commit-ticket-changes.ts'
import type { TicketColumns } from './ticket-columns.ts'
import { findTickets } from './ticket-rows.ts'

/** A message that failed or may not have arrived, which nobody has given up, over `messages m`. */
export const isStuck = `m.status in ('failed', 'uncertain') and not m.is_deleted`

type LastMessage = {
  id: string
  type: MessageType | null
  body: string | null
  mediaName: string | null
  author: Author | null
  fromMe: boolean | null
  isDeleted: boolean | null
  lastMessage: string
  lastMessageType: string
  authorId: string | null
  lastAuthorId: string | null
  lastMessageAt: Date | null
  notSent: NotSent | null
  notSentMessage: string | null
  stuck: { status: NotSent; type: MessageType; body: string; mediaName: string | null } | null
  lastInboundAt: Date | null
  isRight: boolean
  toldAt: Date | null
  heardAt: Date | null
}

/**
 * What the list shows of these conversations, made anew from their messages: the last words, when, what was not sent, and when the customer
 * last wrote on the connection the conversation is on now (the 24 h window is that connection's). The caller holds the
 * locks. Answers what is to be stored with those that are wrong.
 */
export const lastMessagesOf = async (tx: Tx, ticketIds: string[]): Promise<Map<string, TicketColumns>> => {
  const found = await tx.rows<LastMessage>(readLastMessages, [tx.tenantId, ticketIds])
  const wrong = found.flatMap((row): [string, TicketColumns][] => {
    const type = row.isDeleted ? 'text' : (row.type ?? 'text')
    const body = row.isDeleted ? deletedText : (row.body ?? '')
    const preview = row.type ? previewOf({ type, body, mediaName: row.mediaName, author: row.author }) : ''
    const notSentMessage = row.stuck && previewOf(row.stuck)
    // No message of theirs is stored here: then what is known is all there is.
    const heard = row.heardAt ?? row.lastInboundAt
    const isSame =
      preview === row.lastMessage &&
      type === row.lastMessageType &&
      row.authorId === row.lastAuthorId &&
      same(row.toldAt, row.lastMessageAt) &&
      (row.stuck?.status ?? null) === row.notSent &&
      notSentMessage === row.notSentMessage &&
      same(heard, row.lastInboundAt)
    if (isSame) return []
    return [
      [
        row.id,
        {
          lastMessage: preview,
          lastMessageType: type,
          lastAuthorId: row.authorId,
          lastMessageAt: row.toldAt,
          notSent: row.stuck?.status ?? null,
          notSentMessage,
          notSentMessageType: row.stuck?.type ?? null,
          lastInboundAt: heard,
          answered: row.fromMe ?? true,
        },
      ],
    ]
  })
  return new Map(wrong)
}
/** Corrects it where it is wrong, told to whoever sees them: somebody changed or took back words that a list may show. */
export const refreshLastMessages = async (tx: Tx, ticketIds: string[]): Promise<number> => {
  if (!ticketIds.length) return 0
  // Read after the lock is ours, so that the messages are as fresh as the row.
  const shown = await tx.rows<{ id: string }>(lockTickets, [tx.tenantId, ticketIds])
  const wrong = await lastMessagesOf(
    tx,
    shown.map(({ id }) => id),
  )
  const before = wrong.size ? await findTickets(tx, [...wrong.keys()]) : []
  await commitTicketChanges(
    tx,
    before.map((ticket) => ({ before: ticket, set: wrong.get(ticket.id) })),
    bySystem,
  )
  return wrong.size
}
const deletedText = 'Mensagem apagada'
const same = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime()

const readLastMessages: Prepared = {
  name: 'ticket_last_message_read',
  text: `select t.id, t.last_message as "lastMessage", t.last_message_type as "lastMessageType",
      t.last_message_at as "lastMessageAt", t.last_inbound_at as "lastInboundAt",
      t.last_author_id as "lastAuthorId", t.not_sent as "notSent", t.not_sent_message as "notSentMessage",
      -- 'failed' comes before 'uncertain'.
      (select jsonb_build_object('status', m.status, 'type', m.type, 'body', m.body, 'mediaName', n.name)
        from messages m left join files n on n.tenant_id = $1 and n.id = m.media_id
        where m.tenant_id = $1 and m.ticket_id = t.id and ${isStuck} order by m.status, m.seq desc limit 1) as stuck, m.user_id as "authorId", m.type, m.body, m.from_me as "fromMe",
      m.is_deleted as "isDeleted", m.author, m.created_at as "toldAt", f.name as "mediaName",
      (select least(h.timestamp, h.created_at) from messages h where h.tenant_id = $1 and h.ticket_id = t.id and not h.from_me
        and h.connection_id = t.connection_id order by h.seq desc limit 1) as "heardAt"
    from tickets t
    left join lateral (select m.* from messages m where m.tenant_id = $1 and m.ticket_id = t.id and m.type not in ('note', 'system')
      order by m.seq desc limit 1) m on true
    left join files f on f.tenant_id = $1 and f.id = m.media_id
    where t.tenant_id = $1 and t.id = any($2::uuid[])`,
}
const lockTickets: Prepared = {
  name: 'ticket_last_message_lock',
  text: 'select id from tickets where tenant_id = $1 and id = any($2::uuid[]) and not is_hidden order by id for no key update',
}
const batch = 200

/** PUT /ticketsLastMessageAt: corrects what the lists show of every conversation, in steps nobody waits behind. */
export const refreshAllLastMessages = async (actor: Actor) => {
  const total = { checked: 0, corrected: 0 }
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (after) {
    const from: string = after
    const step = await withTenant(actor.tenantId, async (tx) => {
      const next = await tx.rows<{ id: string }>(nextTickets, [tx.tenantId, from, batch])
      const ids = next.map(({ id }) => id)
      return { ids, corrected: await refreshLastMessages(tx, ids) }
    })
    total.checked += step.ids.length
    total.corrected += step.corrected
    after = step.ids.length === batch ? step.ids.at(-1) : undefined
  }
  await withTenant(actor.tenantId, (tx) =>
    writeAudit(tx, actor, {
      action: 'tickets.refreshed',
      entity: 'tenant',
      entityId: String(actor.tenantId),
      after: total,
    }),
  )
  return total
}
const nextTickets: Prepared = {
  name: 'ticket_last_message_next',
  text: `select id from tickets where tenant_id = $1 and id > $2 and not is_hidden order by id limit $3`,
}
