import type { Task, TaskComment, TaskPriority, TaskStatus, TasksQuery } from '@balcao/contract/operations/tasks.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { visibleTasks } from './tasks.policy.ts'

export type TaskRow = {
  id: string
  name: string
  description: string
  limitDate: Date | null
  ownerId: string
  ownerName: string
  userId: string
  userName: string
  priority: TaskPriority
  status: TaskStatus
  recurrence: number | null
  remindBefore: number | null
  ticketId: string | null
  protocol: string | null
  contactId: string | null
  contactName: string | null
  opportunityId: string | null
  opportunityName: string | null
  doneAt: Date | null
  commentCount: number
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = `k.id, k.name, k.description, k.limit_date as "limitDate", k.owner_id as "ownerId", o.name as "ownerName",
  k.user_id as "userId", u.name as "userName", k.priority, k.status, k.recurrence, k.remind_before as "remindBefore", k.ticket_id as "ticketId", t.protocol,
  k.contact_id as "contactId", c.name as "contactName", k.opportunity_id as "opportunityId", p.name as "opportunityName", k.done_at as "doneAt", k.version, k.created_at as "createdAt",
  k.updated_at as "updatedAt",
  (select count(*) from task_comments n where n.tenant_id = k.tenant_id and n.task_id = k.id) as "commentCount"`
const joins = `join users o on o.tenant_id = k.tenant_id and o.id = k.owner_id
  join users u on u.tenant_id = k.tenant_id and u.id = k.user_id
  left join tickets t on t.tenant_id = k.tenant_id and t.id = k.ticket_id
  left join contacts c on c.tenant_id = k.tenant_id and c.id = k.contact_id
  left join opportunities p on p.tenant_id = k.tenant_id and p.id = k.opportunity_id`

/** What a list may be ordered by; nothing sorts last. */
const sortKeys = {
  limitDate: { sql: `coalesce(k.limit_date, 'infinity'::timestamptz)`, type: 'timestamptz' },
  name: { sql: 'norm(k.name)', type: 'text' },
  updatedAt: { sql: 'k.updated_at', type: 'timestamptz' },
} as const

export type Cursor = { value: string; id: string }

/** One more than the page of the tasks this person sees, and their number when asked for. */
export const readTasks = async (
  tx: Tx,
  actor: Actor,
  query: TasksQuery & { limit: number },
  { timeZone, cursor }: { timeZone: string; cursor: Cursor | undefined },
) => {
  const { values, bind } = binding()
  const from = `from tasks k where ${conditionsOf(tx, actor, query, timeZone, bind).join(' and ')}`
  const count = query.count
    ? (await tx.rows<{ total: number }>({ name: '', text: `select count(*) as total ${from}` }, [...values]))[0]?.total
    : undefined
  const key = sortKeys[query.sort]
  const order = `${key.sql} ${query.direction}, k.id ${query.direction}`
  const beyond = query.direction === 'asc' ? '>' : '<'
  const page = cursor
    ? `and (${key.sql}, k.id) ${beyond} (${bind(cursor.value)}::${key.type}, ${bind(cursor.id)}::uuid)`
    : ''
  const skip = cursor ? 0 : (query.pageNumber - 1) * query.limit
  const text = `select ${columns}, (${key.sql})::text as "sortKey"
    from (select k.* ${from} ${page} order by ${order} limit ${bind(query.limit + 1)} offset ${bind(skip)}) k
    ${joins} order by ${order}`
  return { rows: await tx.rows<TaskRow & { sortKey: string }>({ name: '', text }, values), count }
}

const conditionsOf = (tx: Tx, actor: Actor, query: TasksQuery, timeZone: string, bind: Bind): string[] => {
  const all = [
    `k.tenant_id = ${bind(tx.tenantId)}`,
    visibleTasks(actor, bind),
    ...withinDays('k.limit_date', query, timeZone, bind),
  ]
  if (query.status.length) all.push(`k.status = any(${bind(query.status)}::text[])`)
  if (query.isLate) all.push(`k.status <> 'done' and k.limit_date <= now()`)
  if (query.ownerId.length) all.push(`k.owner_id = any(${bind(query.ownerId)}::uuid[])`)
  if (query.ticketId) all.push(`k.ticket_id = ${bind(query.ticketId)}`)
  if (query.opportunityId) all.push(`k.opportunity_id = ${bind(query.opportunityId)}`)
  if (query.contactId) all.push(`k.contact_id = ${bind(query.contactId)}`)
  const words = query.searchParam.replaceAll('\0', '').trim()
  if (words) {
    const pattern = bind(likePattern(words))
    all.push(`(norm(k.name) like norm(${pattern}) or norm(k.description) like norm(${pattern}))`)
  }
  return all
}

/** The task, for somebody who may see it; `lock` holds it until the transaction ends. */
export const findTask = async (tx: Tx, actor: Actor, id: string, lock = false): Promise<Task | undefined> => {
  const { values, bind } = binding()
  const text = `select ${columns} from tasks k ${joins}
    where k.tenant_id = ${bind(tx.tenantId)} and k.id = ${bind(id)} and ${visibleTasks(actor, bind)}
    ${lock ? 'for update of k' : ''}`
  const [row] = await tx.rows<TaskRow>({ name: '', text }, values)
  return row && presentTask(row)
}

/** The task as it is, whoever asks: what has just been written. */
export const getWrittenTask = async (tx: Tx, id: string): Promise<Task> => {
  const text = `select ${columns} from tasks k ${joins} where k.tenant_id = $1 and k.id = $2`
  const [row] = await tx.rows<TaskRow>({ name: 'task_by_id', text }, [tx.tenantId, id])
  if (!row) throw new Error('The task just written is not there')
  return presentTask(row)
}

export const presentTask = (row: TaskRow): Task => ({
  id: row.id,
  name: row.name,
  description: row.description,
  limitDate: row.limitDate?.toISOString() ?? null,
  ownerId: row.ownerId,
  owner: { id: row.ownerId, name: row.ownerName },
  user: { id: row.userId, name: row.userName },
  priority: row.priority,
  status: row.status,
  recurrence: row.recurrence,
  remindBefore: row.remindBefore,
  ticketId: row.ticketId,
  ticket: row.ticketId === null ? null : { id: row.ticketId, protocol: row.protocol ?? '' },
  contactId: row.contactId,
  contact: row.contactId === null ? null : { id: row.contactId, name: row.contactName ?? '' },
  opportunityId: row.opportunityId,
  opportunity: row.opportunityId === null ? null : { id: row.opportunityId, name: row.opportunityName ?? '' },
  doneAt: row.doneAt?.toISOString() ?? null,
  commentCount: row.commentCount,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/**
 * Writes down the next of a finished task that repeats, at the same time of the company's clock and in the future;
 * undefined when it is there already.
 */
export const insertNext = async (
  tx: Tx,
  { id, previousId, timeZone }: { id: string; previousId: string; timeZone: string },
): Promise<string | undefined> => {
  const [row] = await tx.rows<{ id: string }>(nextTask, [tx.tenantId, previousId, id, timeZone])
  return row?.id
}
const nextTask = {
  name: 'task_next',
  text: `insert into tasks (tenant_id, id, name, description, limit_date, owner_id, user_id, priority, recurrence, previous_id,
      ticket_id, contact_id, opportunity_id, remind_before, remind_at)
    select k.tenant_id, $3, k.name, k.description, k.next_limit, k.owner_id, k.user_id, k.priority, k.recurrence, k.id,
      k.ticket_id, k.contact_id, k.opportunity_id, k.remind_before, k.next_limit - make_interval(mins => k.remind_before)
    from (select *, ((k.limit_date at time zone $4) + make_interval(days => k.recurrence * greatest(1,
        floor(extract(epoch from (now() at time zone $4) - (k.limit_date at time zone $4)) / 86400 / k.recurrence)::int + 1)))
        at time zone $4 as next_limit
      from tasks k where k.tenant_id = $1 and k.id = $2 and k.recurrence is not null and k.limit_date is not null) k
    on conflict (tenant_id, previous_id) where previous_id is not null do nothing
    returning id`,
}

/** Oldest first. */
export const readComments = async (tx: Tx, taskId: string): Promise<TaskComment[]> => {
  const rows = await tx.rows<{ id: string; body: string; createdAt: Date; userId: string; userName: string }>(
    {
      name: 'task_comments',
      text: `select n.id, n.body, n.created_at as "createdAt", u.id as "userId", u.name as "userName" from task_comments n
        join users u on u.tenant_id = n.tenant_id and u.id = n.user_id
        where n.tenant_id = $1 and n.task_id = $2 order by n.id limit 500`,
    },
    [tx.tenantId, taskId],
  )
  return rows.map(({ userId, userName, createdAt, ...row }) => ({
    ...row,
    user: { id: userId, name: userName },
    createdAt: createdAt.toISOString(),
  }))
}
