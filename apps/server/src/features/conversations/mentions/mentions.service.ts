import type { Page } from '@balcao/contract/common.ts'
import type { Mention, MentionCandidate, mentionsQuery, mentionsRead } from '@balcao/contract/conversations/mentions.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { emit } from '../../../kit/outbox.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { viewerOf, viewersOf, visibleTickets } from '../tickets/tickets.policy.ts'
import { getVisibleTicket } from '../tickets/tickets.service.ts'
import { factsOf } from '../timeline/ticket-facts.ts'

const pageSize = 40

/** Whom a note of this ticket may call: who sees it first, then who would have to be let in before. */
export const listCandidates = async (actor: Actor, ticketId: string): Promise<MentionCandidate[]> => {
  const directory = await getDirectory(actor.tenantId)
  const ticket = await withTenant(actor.tenantId, (tx) => getVisibleTicket(tx, actor, ticketId))
  const viewers = new Set(viewersOf(directory, factsOf(ticket)))
  const active = [...directory.people.values()].filter((person) => !person.isBlocked)
  const people = active
    .filter((person) => person.id !== actor.userId)
    .map(({ id, name }) => ({ id, kind: 'user' as const, name, canSee: viewers.has(id), people: 1 }))
  const queues = [...directory.queues.values()].map(({ id, name }) => {
    const seeing = active.filter((person) => person.queueIds.includes(id) && viewers.has(person.id)).length
    return { id, kind: 'queue' as const, name, canSee: seeing > 0, people: seeing }
  })
  return [...people, ...queues].toSorted(
    (a, b) => Number(b.canSee) - Number(a.canSee) || a.name.localeCompare(b.name, 'pt-BR'),
  )
}

/** The notes that call me, newest first, in the tickets I may still see. */
export const listMentions = async (actor: Actor, query: z.output<typeof mentionsQuery>): Promise<Page<Mention>> => {
  const limit = query.limit ?? pageSize
  const { values, bind } = binding()
  const from = await mine(actor, bind)
  const after = query.cursor ? readCursor(query.cursor, cursorKey) : undefined
  const page = after
    ? `and (n.created_at, n.message_id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
    : ''
  const text = `select n.message_id as "messageId", n.ticket_id as "ticketId", c.name as "contactName", m.user_id as "userId",
      u.name as "userName", m.body, n.read_at as "readAt", n.created_at as "createdAt" ${from}
      ${query.unread ? 'and n.read_at is null' : ''} ${page}
    order by n.created_at desc, n.message_id desc limit ${bind(limit + 1)}`
  const rows = await withTenant(actor.tenantId, (tx) => tx.rows<Row>({ name: '', text }, values))
  const { items, hasMore, nextCursor } = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.messageId])
  return { items: items.map(present), hasMore, nextCursor }
}

/** How many of them I have not read, and in which conversations. */
export const countMentions = async (actor: Actor) => {
  const { values, bind } = binding()
  const text = `select count(*) as unread, coalesce((array_agg(distinct n.ticket_id))[1:200], '{}') as "ticketIds"
    ${await mine(actor, bind)} and n.read_at is null`
  const [row] = await withTenant(actor.tenantId, (tx) =>
    tx.rows<{ unread: number; ticketIds: string[] }>({ name: '', text }, values),
  )
  return row ?? { unread: 0, ticketIds: [] }
}

/** I have read them; my other windows hear of it. */
export const readMentions = (actor: Actor, { ticketId, messageIds }: z.output<typeof mentionsRead>): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    if (ticketId) await getVisibleTicket(tx, actor, ticketId)
    const { values, bind } = binding()
    const which = ticketId ? `ticket_id = ${bind(ticketId)}` : `message_id = any(${bind(messageIds ?? [])}::uuid[])`
    const text = `update mentions set read_at = now()
      where tenant_id = ${bind(tx.tenantId)} and user_id = ${bind(actor.userId)} and ${which} and read_at is null
      returning ticket_id as "ticketId"`
    const rows = await tx.rows<{ ticketId: string }>({ name: '', text }, values)
    if (!rows.length) return
    const ticketIds = [...new Set(rows.map((row) => row.ticketId))]
    await emit(tx, 'mention.read', { ticketIds }, { kind: 'user', userId: actor.userId })
  })

/** My mentions in tickets I may see; a note that was taken back calls nobody. */
const mine = async (actor: Actor, bind: (value: unknown) => string) => {
  const directory = await getDirectory(actor.tenantId)
  return `from mentions n
    join messages m on m.tenant_id = n.tenant_id and m.id = n.message_id and not m.is_deleted
    join tickets t on t.tenant_id = n.tenant_id and t.id = n.ticket_id
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where n.tenant_id = ${bind(actor.tenantId)} and n.user_id = ${bind(actor.userId)}
      and ${visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)}`
}

type Row = Omit<Mention, 'user' | 'readAt' | 'createdAt'> & {
  userId: string | null
  userName: string | null
  readAt: Date | null
  createdAt: Date
}
const present = ({ userId, userName, readAt, createdAt, ...row }: Row): Mention => ({
  ...row,
  user: userId === null ? null : { id: userId, name: userName ?? '' },
  readAt: readAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})

const cursorKey = z.tuple([z.iso.datetime(), z.uuid()])
