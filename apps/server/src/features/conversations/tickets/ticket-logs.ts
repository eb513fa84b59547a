import { id, type Page } from '@balcao/contract/common.ts'
import type { ticketLog } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { beyondAll, readCursor, toPage } from '../../../kit/cursor.ts'
import { getVisibleTicket } from './tickets.service.ts'

type Log = z.output<typeof ticketLog>
type Row = Omit<Log, 'createdAt'> & { createdAt: Date }

/** A ticket's life is short: most have all of it in one page. */
const limit = 200
const statement: Prepared = {
  name: 'ticket_logs',
  text: `select l.id, l.type, l.note, l.author, l."from", l."to", l.cause, l.created_at as "createdAt",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as user,
      case when q.id is not null then json_build_object('id', q.id, 'name', q.name) end as queue
    from ticket_logs l left join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
    left join queues q on q.tenant_id = l.tenant_id and q.id = l.queue_id
    where l.tenant_id = $1 and l.ticket_id = $2 and l.id < $3 and ($4::text is null or l.type = $4)
    order by l.id desc limit ${limit + 1}`,
}

/** The history of a ticket the actor may see, newest first; of one kind of entry, when it is named. */
export const readLogs = (
  actor: Actor,
  ticketId: string,
  { cursor, type }: { cursor?: string; type?: Log['type'] } = {},
): Promise<Page<Log>> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisibleTicket(tx, actor, ticketId)
    const [after = beyondAll.id] = cursor === undefined ? [] : readCursor(cursor, cursorKey)
    const rows = await tx.rows<Row>(statement, [tx.tenantId, ticketId, after, type ?? null])
    const page = toPage(rows, limit, (row) => [row.id])
    return { ...page, items: page.items.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) }
  })
const cursorKey = z.tuple([id])
