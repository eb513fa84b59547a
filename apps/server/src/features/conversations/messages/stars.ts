import { id as idSchema, moment } from '@balcao/contract/common.ts'
import type { Starred, starredQuery } from '@balcao/contract/conversations/message-calls.ts'
import { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'
import { type FoundRow, foundColumns, foundJoins, presentFound } from './search-messages.ts'
import { requireMessage } from './visible.ts'

/** Keeps a message at hand, or no longer. A star is of one person alone. */
export const starMessage = async (actor: Actor, messageId: string, isStarred: boolean): Promise<void> => {
  const directory = await getDirectory(actor.tenantId)
  await withTenant(actor.tenantId, async (tx) => {
    await requireMessage(tx, actor, directory, messageId)
    await tx.rows(isStarred ? addStar : removeStar, [tx.tenantId, actor.userId, messageId])
  })
}

/** One's own stars, newest first, of conversations one still may see. */
export const listStarred = async (actor: Actor, query: z.output<typeof starredQuery>) => {
  const directory = await getDirectory(actor.tenantId)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, cursorKey)
  const { values, bind } = binding()
  const [tenant, user] = [bind(actor.tenantId), bind(actor.userId)]
  const narrowed = [visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)]
  if (query.ticketId) narrowed.push(`m.ticket_id = ${bind(query.ticketId)}`)
  if (after) narrowed.push(`(s.created_at, s.message_id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`)
  const text = `select ${foundColumns}, s.created_at as "starredAt" from message_stars s
    join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id ${foundJoins}
    where s.tenant_id = ${tenant} and s.user_id = ${user} and not m.is_deleted and ${narrowed.join(' and ')}
    order by s.created_at desc, s.message_id desc limit ${bind(query.limit + 1)}`
  const rows = await withTenant(actor.tenantId, (tx) =>
    tx.rows<FoundRow & { starredAt: Date }>({ name: '', text }, values),
  )
  const page = toPage(rows, query.limit, (row) => [row.starredAt.toISOString(), row.id])
  const items = page.items.map(
    ({ starredAt, ...row }): Starred => ({ ...presentFound(row, directory), starredAt: starredAt.toISOString() }),
  )
  return { ...page, items }
}

const cursorKey = z.tuple([moment, idSchema])
const addStar: Prepared = {
  name: 'star_add',
  text: 'insert into message_stars (tenant_id, user_id, message_id) values ($1, $2, $3) on conflict do nothing',
}
const removeStar: Prepared = {
  name: 'star_remove',
  text: 'delete from message_stars where tenant_id = $1 and user_id = $2 and message_id = $3',
}
