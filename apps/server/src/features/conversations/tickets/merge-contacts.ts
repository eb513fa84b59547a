import type { Prepared, Tx } from '../../../db/database.ts'
import type { ContactMergePart, MergeWay } from '../../contacts/contacts/merge-part.ts'

/** Tickets with their messages; a ticket is never torn apart. The caller holds them. */
export const ticketsOfMerge: ContactMergePart = {
  tables: ['tickets', 'messages'],
  merge: async (tx, way) => ({ ticketIds: await move(tx, way, null) }),
  undo: async (tx, way, { ticketIds }) => {
    await move(tx, way, ticketIds)
  },
}

const move = async (tx: Tx, { from, to }: MergeWay, ids: string[] | null) =>
  (await tx.rows<{ id: string }>(moveAll, [tx.tenantId, from, to, ids])).map(({ id }) => id)

const moveAll: Prepared = {
  name: 'merge_tickets',
  text: `with moved as (
      update tickets set contact_id = $3, version = version + 1
      where tenant_id = $1 and contact_id = $2 and ($4::uuid[] is null or id = any($4)) returning id
    ), said as (
      update messages set contact_id = $3 where tenant_id = $1 and contact_id = $2 and ticket_id in (select id from moved)
    )
    select id from moved`,
}

/** Votes of a member of groups: one a poll; the day they are two again nobody knows any more whose each was. */
export const votesOfMerge: ContactMergePart = {
  tables: ['poll_votes'],
  merge: async (tx, { from, to }) => {
    await tx.rows(moveVotes, [tx.tenantId, from, to])
    return {}
  },
  undo: async () => {},
}
const moveVotes: Prepared = {
  name: 'merge_votes',
  text: `with twice as (
      delete from poll_votes v where v.tenant_id = $1 and v.contact_id = $2
        and exists (select from poll_votes k where k.tenant_id = $1 and k.message_id = v.message_id and k.contact_id = $3)
      returning v.message_id
    )
    update poll_votes v set contact_id = $3 where v.tenant_id = $1 and v.contact_id = $2 and v.message_id not in (select message_id from twice)`,
}
