import type { Prepared, Tx } from '../../../db/database.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { type Episode, episodesOf, measured, type Said, type TicketPast } from './episodes.ts'

/** Reads the facts of these tickets from what they follow from, and stores what is another. */
export const keepEpisodes = async (tx: Tx, ticketIds: string[]): Promise<void> => {
  const rows = await readEpisodes(tx, ticketIds)
  const ids = rows.map(({ id }) => id)
  await tx.rows(forget, [tx.tenantId, ticketIds, ids])
  if (rows.length) await tx.rows(store, [tx.tenantId, JSON.stringify(rows)])
}

/** The facts of these tickets as they follow from their history, whatever is stored of them. */
export const readEpisodes = async (tx: Tx, ticketIds: string[]) => {
  const directory = await getDirectory(tx.tenantId)
  const tickets = await tx.rows<TicketPast>(pasts, [tx.tenantId, ticketIds])
  const episodes = tickets.flatMap(episodesOf)
  const said = await readSaid(tx, episodes)
  return episodes.map((episode) => measured(episode, said.get(episode.id), calendarOf(directory, episode)))
}

/** What was said in each: of those that have closed, and of those that were answered. */
const readSaid = async (tx: Tx, episodes: Episode[]): Promise<ReadonlyMap<string, Said>> => {
  const heard = episodes.filter(({ closedAt, firstAnsweredAt }) => closedAt !== null || firstAnsweredAt !== null)
  if (!heard.length) return new Map()
  const endOf = new Map(episodes.map(({ id, closedAt }) => [id, closedAt]))
  const asked = heard.map(({ id, ticketId, ordinal, openedAt, reopenedFrom, closedAt }) => ({
    id,
    ticketId,
    from: ordinal === 1 ? null : new Date(Math.max(openedAt - openingMs, endOf.get(reopenedFrom ?? '') ?? 0)),
    to: closedAt === null ? null : new Date(closedAt),
  }))
  const rows = await tx.rows<Said & { id: string }>(counts, [tx.tenantId, JSON.stringify(asked)])
  return new Map(rows.map((row) => [row.id, row]))
}
/** The message that opens a ticket again is as old as the way through the transaction that does so. */
const openingMs = 2_000

const ms = (moment: string) => `(extract(epoch from ${moment}) * 1000)::float8`

const pasts: Prepared = {
  name: 'episodes_pasts',
  text: `select t.id, t.status, t.contact_id as "contactId", t.connection_id as "connectionId", n.kind as channel, t.queue_id as "queueId",
      t.user_id as "userId", t.reason_id as "reasonId", t.priority, t.value, ${ms('t.created_at')} as "createdAt", ${ms('t.closed_at')} as "closedAt",
      ${ms('t.first_answered_at')} as "firstAnsweredAt", ${ms('t.sla_first_due_at')} as "firstAnswerDueAt",
      ${ms('t.sla_resolve_due_at')} as "resolutionDueAt",
      array(select g.tag_id from ticket_tags g where g.tenant_id = $1 and g.ticket_id = t.id order by g.tag_id) as "tagIds",
      coalesce((select json_agg(json_build_object('id', l.id, 'type', l.type, 'at', ${ms('l.created_at')}, 'userId', l.user_id, 'author', l.author,
          'from', l."from", 'to', l."to") order by l.created_at, l.id) from ticket_logs l where l.tenant_id = $1 and l.ticket_id = t.id), '[]') as logs,
      coalesce((select json_agg(json_build_object('from', ${ms('p.started_at')}, 'to', ${ms('p.ended_at')}))
        from ticket_pauses p where p.tenant_id = $1 and p.ticket_id = t.id), '[]') as pauses,
      coalesce((select json_agg(json_build_object('closedAt', ${ms('c.closed_at')}, 'reopenedAt', ${ms('c.reopened_at')},
          'firstAnswerDueAt', ${ms('c.first_answer_due_at')}, 'resolutionDueAt', ${ms('c.resolution_due_at')}, 'value', c.value,
          'priority', c.priority, 'tagIds', c.tag_ids) order by c.reopened_at)
        from ticket_closings c where c.tenant_id = $1 and c.ticket_id = t.id), '[]') as closings
    from tickets t join connections n on n.tenant_id = t.tenant_id and n.id = t.connection_id
    where t.tenant_id = $1 and t.id = any($2::uuid[]) and not t.is_hidden and not t.is_group`,
}

/** By a person: what the company says by itself is no answer. */
const byPerson = `m.from_me and ((m.user_id is not null and m.send_type = 'chat') or m.author ->> 'kind' = 'user')`

const counts: Prepared = {
  name: 'episodes_counts',
  text: `select w.id, s.*
    from jsonb_to_recordset($2::jsonb) as w(id uuid, "ticketId" uuid, "from" timestamptz, "to" timestamptz)
    cross join lateral (
      select count(*) filter (where not m.from_me)::int as in, count(*) filter (where m.from_me)::int as out,
        ${ms(`min(m.created_at) filter (where ${byPerson})`)} as "answeredAt",
        (array_agg(m.user_id order by m.seq) filter (where ${byPerson}))[1] as "answeredBy"
      from messages m where m.tenant_id = $1 and m.ticket_id = w."ticketId" and m.seq >= 0 and m.type not in ('note', 'system')
        and (w."from" is null or m.created_at >= w."from") and (w."to" is null or m.created_at <= w."to")) s`,
}

const forget: Prepared = {
  name: 'episodes_forget',
  text: `delete from ticket_episodes where tenant_id = $1 and ticket_id = any($2::uuid[]) and id <> all($3::uuid[])`,
}

/** Columns by the names of `measured`; a fact that is the same is not written again. */
const columns: Record<keyof Awaited<ReturnType<typeof readEpisodes>>[number], [column: string, type: string]> = {
  id: ['id', 'uuid'],
  ticketId: ['ticket_id', 'uuid'],
  ordinal: ['ordinal', 'int'],
  reopenedFrom: ['reopened_from', 'uuid'],
  contactId: ['contact_id', 'uuid'],
  connectionId: ['connection_id', 'uuid'],
  channel: ['channel', 'text'],
  queueId: ['queue_id', 'uuid'],
  userId: ['user_id', 'uuid'],
  firstAnsweredBy: ['first_answered_by', 'uuid'],
  closedBy: ['closed_by', 'uuid'],
  tagIds: ['tag_ids', 'uuid[]'],
  reasonId: ['reason_id', 'uuid'],
  priority: ['priority', 'text'],
  value: ['value', 'bigint'],
  openedByKind: ['opened_by_kind', 'text'],
  closedByKind: ['closed_by_kind', 'text'],
  isMerged: ['is_merged', 'boolean'],
  openedAt: ['opened_at', 'timestamptz'],
  acceptedAt: ['accepted_at', 'timestamptz'],
  firstAnsweredAt: ['first_answered_at', 'timestamptz'],
  closedAt: ['closed_at', 'timestamptz'],
  waitS: ['wait_s', 'int'],
  waitBusinessS: ['wait_business_s', 'int'],
  firstAnswerS: ['first_answer_s', 'int'],
  firstAnswerBusinessS: ['first_answer_business_s', 'int'],
  handlingS: ['handling_s', 'int'],
  handlingBusinessS: ['handling_business_s', 'int'],
  pausedS: ['paused_s', 'int'],
  pausedBusinessS: ['paused_business_s', 'int'],
  resolutionS: ['resolution_s', 'int'],
  resolutionBusinessS: ['resolution_business_s', 'int'],
  transfers: ['transfers', 'int'],
  messagesIn: ['messages_in', 'int'],
  messagesOut: ['messages_out', 'int'],
  owners: ['owners', 'jsonb'],
  firstAnswerDueAt: ['first_answer_due_at', 'timestamptz'],
  resolutionDueAt: ['resolution_due_at', 'timestamptz'],
  isFirstAnswerMet: ['is_first_answer_met', 'boolean'],
  isResolutionMet: ['is_resolution_met', 'boolean'],
  grade: ['grade', 'int'],
}
const names = Object.values(columns).map(([column]) => column)
const store: Prepared = {
  name: 'episodes_store',
  text: `insert into ticket_episodes as e (tenant_id, ${names.join(', ')})
    select $1, ${Object.keys(columns)
      .map((key) => (key === 'tagIds' ? `array(select jsonb_array_elements_text(g."tagIds")::uuid)` : `g."${key}"`))
      .join(', ')}
    from jsonb_to_recordset($2::jsonb) as g(${Object.entries(columns)
      .map(([key, [, type]]) => `"${key}" ${key === 'tagIds' ? 'jsonb' : type}`)
      .join(', ')})
    on conflict (tenant_id, id) do update set (${names.join(', ')}) = (${names.map((name) => `excluded.${name}`).join(', ')})
    where (${names.map((name) => `e.${name}`).join(', ')}) is distinct from (${names.map((name) => `excluded.${name}`).join(', ')})`,
}
