import type { Page } from '@balcao/contract/common.ts'
import type { TicketNote, TicketNotesQuery } from '@balcao/contract/conversations/notes.ts'
import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import { withSearch } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { withinDays } from '../../../kit/period.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'

const pageSize = 40

/** Internal notes, newest first, of the tickets the policy shows. */
export const listNotes = async (actor: Actor, query: TicketNotesQuery): Promise<Page<TicketNote>> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const limit = query.limit ?? pageSize
  const conditions = [
    `m.tenant_id = ${bind(actor.tenantId)} and m.type = 'note' and not m.is_deleted`,
    visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind),
    ...withinDays('m.created_at', query, directory.timezone, bind),
  ]
  if (query.userId.length) conditions.push(`m.user_id = any(${bind(query.userId)}::uuid[])`)
  if (query.ticketId) conditions.push(`m.ticket_id = ${bind(query.ticketId)}`)
  const words = query.searchParam.replaceAll('\0', '').trim()
  if (words) {
    const pattern = bind(likePattern(words))
    conditions.push(`(norm(m.body) like norm(${pattern}) or c.search like norm(${pattern}))`)
  }
  const from = `from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id where ${conditions.join(' and ')}`

  return withSearch(actor, async (tx) => {
    const count = query.count
      ? (await tx.rows<{ total: number }>({ name: '', text: `select count(*) as total ${from}` }, [...values]))[0]
          ?.total
      : undefined
    const page = query.cursor ? `and m.seq < ${bind(readCursor(query.cursor, cursorKey)[0])}` : ''
    const skip = query.cursor ? 0 : (query.pageNumber - 1) * limit
    const text = `select m.id, m.seq, m.body, m.created_at as "createdAt", u.id as "userId", u.name as "userName",
        t.id as "ticketId", t.protocol, t.status, c.id as "contactId", c.name as "contactName"
      ${from} ${page} order by m.seq desc limit ${bind(limit + 1)} offset ${bind(skip)}`
    const rows = await tx.rows<NoteRow>({ name: '', text }, values)
    const { items, hasMore, nextCursor } = toPage(rows, limit, (row) => [row.seq])
    return { items: items.map(presentNote), hasMore, nextCursor, ...(count === undefined ? {} : { count }) }
  })
}

type NoteRow = {
  id: string
  seq: number
  body: string
  createdAt: Date
  userId: string | null
  userName: string | null
  ticketId: string
  protocol: string
  status: TicketStatus
  contactId: string
  contactName: string
}

const presentNote = (row: NoteRow): TicketNote => ({
  id: row.id,
  notes: row.body,
  user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
  ticket: { id: row.ticketId, protocol: row.protocol, status: row.status },
  contact: { id: row.contactId, name: row.contactName },
  createdAt: row.createdAt.toISOString(),
})

const cursorKey = z.tuple([z.int()])
