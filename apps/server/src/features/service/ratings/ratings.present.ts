import type { Rating } from '@balcao/contract/service/ratings.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit, type TicketFacts } from '../../../kit/outbox.ts'
import { canSee, viewerOf } from '../../conversations/tickets/tickets.policy.ts'
import type { Directory } from '../../core/directory/directory.ts'

export type RatingRow = Omit<Rating, 'contact' | 'user' | 'queue' | 'answeredAt' | 'createdAt'> & {
  contactId: string
  contactName: string
  userId: string | null
  userName: string | null
  queueId: string | null
  queueName: string | null
  answeredAt: Date | null
  createdAt: Date
}

/** A question whose time is over is told as such before the clean-up comes round. */
export const ratingStatus = `case when r.status = 'pending' and r.expires_at <= now() then 'expired' else r.status end`

/** Over `ratings r`, its ticket `t` and contact `c`, and `users u`, `queues q`. */
export const ratingColumns = `r.id, r.ticket_id as "ticketId", t.protocol, c.id as "contactId", c.name as "contactName",
  u.id as "userId", u.name as "userName", q.id as "queueId", q.name as "queueName", ${ratingStatus} as status,
  r.grade, r.comment, r.attempts, r.answered_at as "answeredAt", r.created_at as "createdAt"`
export const ratingFrom = `from ratings r join tickets t on t.tenant_id = r.tenant_id and t.id = r.ticket_id
  join contacts c on c.tenant_id = r.tenant_id and c.id = r.contact_id
  left join users u on u.tenant_id = r.tenant_id and u.id = r.user_id
  left join queues q on q.tenant_id = r.tenant_id and q.id = r.queue_id`

export const presentRating = (row: RatingRow): Rating => ({
  id: row.id,
  ticketId: row.ticketId,
  protocol: row.protocol,
  contact: { id: row.contactId, name: row.contactName },
  user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
  queue: row.queueId === null ? null : { id: row.queueId, name: row.queueName ?? '' },
  status: row.status,
  grade: row.grade,
  comment: row.comment,
  attempts: row.attempts,
  answeredAt: row.answeredAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

export const findRating = async (tx: Tx, id: string): Promise<Rating | undefined> => {
  const [row] = await tx.rows<RatingRow>(byId, [tx.tenantId, id])
  return row && presentRating(row)
}

/** Tells of a rating to those who may read it: they read ratings, and see its ticket. */
export const tellRating = async (tx: Tx, directory: Directory, id: string, facts: TicketFacts) => {
  const told = await findRating(tx, id)
  if (!told) return
  const userIds = [...directory.people.values()]
    .filter((person) => person.permissions.has('ratings.read') && canSee(viewerOf(directory, person.id), facts))
    .map((person) => person.id)
  await emit(tx, 'rating.updated', told, { kind: 'users', userIds })
}

const byId: Prepared = {
  name: 'rating_by_id',
  text: `select ${ratingColumns} ${ratingFrom} where r.tenant_id = $1 and r.id = $2`,
}
