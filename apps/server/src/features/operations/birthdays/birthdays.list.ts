import type { Page } from '@balcao/contract/common.ts'
import {
  type Birthday,
  type BirthdayContact,
  type BirthdaySummary,
  type birthdaysQuery,
  daysAhead,
  type GreetingState,
  type UpcomingQuery,
} from '@balcao/contract/operations/birthdays.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { type Day, daysFrom } from './calendar.ts'
import { optedOut } from './people.ts'

export type Asking = Pick<Actor, 'tenantId' | 'userId'>
/** Those this person finds, with the rights they have now. */
const visibleTo = async ({ tenantId, userId }: Asking) => {
  const permissions = (await getDirectory(tenantId)).people.get(userId)?.permissions ?? new Set<Permission>()
  return visibleContacts({ tenantId, userId, permissions })
}

/** Whose day it is today and in the next 30 days, day by day and by name. */
export const listUpcoming = async (actor: Asking, query: UpcomingQuery): Promise<Page<Birthday>> => {
  const { timezone, people } = await getDirectory(actor.tenantId)
  const visible = await visibleTo(actor)
  const days = daysFrom(timezone, query.onlyToday ? 1 : daysAhead)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, cursorKey)
  const rows = await withTenant(actor.tenantId, (tx) =>
    readUpcoming(tx, { days, visible, query, after, limit: query.limit + 1 }),
  )
  const page = toPage(rows, query.limit, (row) => [row.n, row.search, row.id])
  const nameOf = (id: string) => people.get(id)?.name ?? 'Usuário removido'
  return {
    ...page,
    items: page.items.map(({ n, search: _, ownerIds, ...row }) => ({
      ...row,
      isToday: n === 0,
      owners: ownerIds.map((id) => ({ id, name: nameOf(id) })),
    })),
  }
}

/** GET /contactsBirthday: today's, as callers of the API know them. */
export const listBirthdays = async (
  actor: Actor,
  { cursor, limit }: z.output<typeof birthdaysQuery>,
): Promise<Page<BirthdayContact>> => {
  const page = await listUpcoming(actor, { cursor, limit, onlyToday: true, userIds: [], tagIds: [] })
  return {
    ...page,
    items: page.items.map(({ id, name, number, birthdayDate, state, problem }) => ({
      ...{ id, name, number, birthdayDate, problem },
      isGreeted: state !== null && state !== 'refused',
      isWaiting: state === 'waiting',
    })),
  }
}

/** How many there are today, and what became of this month's greetings. */
export const summariseBirthdays = async (actor: Asking): Promise<BirthdaySummary> => {
  const { timezone } = await getDirectory(actor.tenantId)
  const visible = await visibleTo(actor)
  const [today] = daysFrom(timezone, 1)
  if (!today) throw new Error('There is always a today')
  return withTenant(actor.tenantId, async (tx) => {
    const { rows } = await tx.db.execute<{ today: number; left: number }>(sql`
      select count(*)::int as today, count(*) filter (where s.state is null or s.state = 'refused')::int as left
      from contacts c left join lateral (${sql.raw(greetingOf)} ${today.year}) s on true
      where ${celebrated} and ${birthdayOf} = any(${sql.param(today.birthdays)}::int[]) and ${visible ?? sql`true`}`)
    const month = await tx.rows<{ state: GreetingState; count: number }>(ofMonth, [actor.tenantId, today.date])
    const countOf = (state: GreetingState) => month.find((one) => one.state === state)?.count ?? 0
    return {
      today: rows[0]?.today ?? 0,
      left: rows[0]?.left ?? 0,
      month: {
        sent: countOf('sent'),
        waiting: countOf('waiting'),
        failed: countOf('failed'),
        refused: countOf('refused'),
      },
    }
  })
}

export const countUpcoming = async (actor: Asking, query: UpcomingQuery): Promise<number> => {
  const { timezone } = await getDirectory(actor.tenantId)
  const visible = await visibleTo(actor)
  const birthdays = daysFrom(timezone, query.onlyToday ? 1 : daysAhead).flatMap((day) => day.birthdays)
  const { rows } = await withTenant(actor.tenantId, (tx) =>
    tx.db.execute<{ count: number }>(sql`select count(*)::int as count from contacts c
      where ${celebrated} and ${birthdayOf} = any(${sql.param(birthdays)}::int[]) and ${narrowedBy(query, visible)}`),
  )
  return rows[0]?.count ?? 0
}

type Row = Omit<Birthday, 'isToday' | 'owners'> & { n: number; search: string; ownerIds: string[] }
type Reading = {
  days: readonly Day[]
  visible: SQL | undefined
  query: UpcomingQuery
  after: z.output<typeof cursorKey> | undefined
  limit: number
}
/** Each day is an index of its own: the page stops at the day that fills it, however many come after. */
const readUpcoming = async (tx: Tx, { days, visible, query, after, limit }: Reading): Promise<Row[]> => {
  const from = after ? days.slice(after[0]) : days
  const given = JSON.stringify(
    from.map(({ date, year, birthdays }, at) => ({ n: at + (after?.[0] ?? 0), date, year, birthdays })),
  )
  const further = after
    ? sql`(d.n > ${after[0]} or (c.search collate "C", c.id) > (${after[1]}, ${after[2]}::uuid))`
    : sql`true`
  const { rows } = await tx.db.execute<Row>(sql`
    select p.n, p.id, p.name, p.number, p.birthday_date::text as "birthdayDate", p.date as day, p.search,
      array(select w.user_id from contact_wallets w where w.tenant_id = p.tenant_id and w.contact_id = p.id) as "ownerIds",
      p.is_opted_out as "isOptedOut", p.state, p.problem, n.name as connection
    from (select q.*, s.*, exists (${optedOut()}) as is_opted_out from (
        select d.n, d.date, d.year, x.* from (select * from jsonb_to_recordset(${given}::jsonb)
          as r(n int, date text, year int, birthdays int[]) order by n) d
        cross join lateral (select c.* from contacts c where ${celebrated} and ${birthdayOf} = any(d.birthdays)
          and ${further} and ${narrowedBy(query, visible)} order by c.search collate "C", c.id limit ${limit}) x
        order by d.n, x.search collate "C", x.id limit ${limit}) q
      cross join lateral (select q.tenant_id, q.id, q.email) c
      left join lateral (${sql.raw(greetingOf)} q.year) s on true) p
    left join connections n on n.tenant_id = p.tenant_id and n.id = p.connection_id
    order by p.n, p.search collate "C", p.id`)
  return rows
}

const celebrated = sql`c.tenant_id = current_setting('app.tenant_id')::int and c.birthday_date is not null and c.merged_into_id is null
  and not c.is_group`
const birthdayOf = sql`(extract(month from c.birthday_date) * 100 + extract(day from c.birthday_date))`
const narrowedBy = ({ userIds, tagIds }: UpcomingQuery, visible: SQL | undefined): SQL => sql`${visible ?? sql`true`}
  and ${userIds.length ? sql`exists (select from contact_wallets w where w.tenant_id = c.tenant_id and w.contact_id = c.id and w.user_id = any(${sql.param(userIds)}::uuid[]))` : sql`true`}
  and ${tagIds.length ? sql`exists (select from contact_tags g where g.tenant_id = c.tenant_id and g.contact_id = c.id and g.tag_id = any(${sql.param(tagIds)}::uuid[]))` : sql`true`}`

/** How a greeting `g` fares: its row of the audience, then the message that came of it. */
const stateOf = `case when g.refusal is not null then 'refused' when a.state = 'failed' or m.status = 'failed' then 'failed'
  when a.state = 'waiting' then 'waiting' else 'sent' end`
const fate = `left join audience a on a.tenant_id = g.tenant_id and a.id = g.audience_id
  left join messages m on m.tenant_id = a.tenant_id and m.id = a.message_id`
/** Of a contact `c`, in the year that follows. */
const greetingOf = `select g.connection_id, ${stateOf} as state, coalesce(g.refusal, a.error, m.error) as problem
  from birthday_greetings g ${fate} where g.tenant_id = c.tenant_id and g.contact_id = c.id and g.year =`
const ofMonth: Prepared = {
  name: 'birthdays_of_month',
  text: `select ${stateOf} as state, count(*)::int as count from birthday_greetings g ${fate}
    where g.tenant_id = $1 and g.created_at >= date_trunc('month', $2::date::timestamp)
      at time zone (select timezone from tenants where id = $1) group by 1`,
}
const cursorKey = z.tuple([z.int().min(0).max(daysAhead), z.string(), z.uuid()])
