import type { Prepared } from '../../../db/database.ts'
import type { ContactMergePart } from '../../contacts/contacts/merge-part.ts'

/**
 * The kept contact is asked for one grade at a time on a connection: where both are, the other's question ends, and is
 * open again after an undo. Grades go with their tickets.
 */
export const ratingsOfMerge: ContactMergePart = {
  tables: ['ratings'],
  merge: async (tx, { from, to }) => {
    const expired = await tx.rows<{ id: string }>(expire, [tx.tenantId, from, to])
    await tx.rows(follow, [tx.tenantId, from, to])
    return { expiredRatingIds: expired.map(({ id }) => id) }
  },
  undo: async (tx, { from, to }, { expiredRatingIds }) => {
    await tx.rows(followBack, [tx.tenantId, from, to])
    await tx.rows(reopen, [tx.tenantId, expiredRatingIds])
  },
}

const expire: Prepared = {
  name: 'merge_ratings_expire',
  text: `update ratings r set status = 'expired' where r.tenant_id = $1 and r.contact_id = $2 and r.status = 'pending'
    and exists (select from ratings k where k.tenant_id = $1 and k.contact_id = $3 and k.connection_id = r.connection_id and k.status = 'pending')
    returning r.id`,
}
const follow: Prepared = {
  name: 'merge_ratings',
  text: 'update ratings set contact_id = $3 where tenant_id = $1 and contact_id = $2',
}
/** Of the tickets that have gone back. */
const followBack: Prepared = {
  name: 'unmerge_ratings',
  text: `update ratings r set contact_id = $3 from tickets t
    where r.tenant_id = $1 and r.contact_id = $2 and t.tenant_id = $1 and t.id = r.ticket_id and t.contact_id = $3`,
}
const reopen: Prepared = {
  name: 'unmerge_ratings_reopen',
  text: `update ratings r set status = 'pending' where r.tenant_id = $1 and r.id = any($2::uuid[]) and r.status = 'expired' and r.answered_at is null
    and not exists (select from ratings k where k.tenant_id = $1 and k.contact_id = r.contact_id and k.connection_id = r.connection_id and k.status = 'pending')`,
}
