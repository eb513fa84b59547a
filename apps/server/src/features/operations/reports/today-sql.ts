/**
 * Conversations of the day that runs, as the measures `tickets` and `closed` count them. What a ticket tells of itself is
 * read there, so that a screen told of a change finds it; facts come a moment later, and tell what it no longer does: that
 * it was opened again, and closed before that or before it became part of another. `$1` is the company, `since` a moment.
 */
export const openedSince = (since: string) => `(
  select t.queue_id, t.created_at as at from tickets t
    where t.tenant_id = $1 and t.created_at >= ${since} and ${counts}
  union all select e.queue_id, e.opened_at from ticket_episodes e
    where e.tenant_id = $1 and e.opened_at >= ${since} and not e.is_merged and (e.ordinal > 1 or ${isOfMerged}))`
export const closedSince = (since: string) => `(
  select t.queue_id, t.user_id, t.closed_at as at from tickets t
    where t.tenant_id = $1 and t.closed_at is not null and t.closed_at >= ${since} and ${counts}
  union all select e.queue_id, e.user_id, e.closed_at from ticket_episodes e
    where e.tenant_id = $1 and e.closed_at >= ${since} and not e.is_merged and (${isOfMerged} or exists (select from ticket_episodes l
      where l.tenant_id = e.tenant_id and l.ticket_id = e.ticket_id and l.ordinal > e.ordinal)))`
/** It was closed before its ticket became part of another: the ticket no longer tells. */
const isOfMerged = `exists (select from tickets t
  where t.tenant_id = e.tenant_id and t.id = e.ticket_id and t.merged_into_id is not null)`
const counts = 'not t.is_hidden and not t.is_group and t.merged_into_id is null'
