import type { Page } from '@balcao/contract/common.ts'
import type { CampaignRecipient, RecipientsQuery } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { recipientStates } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withSearch, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { isIndexed, likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { boundSql } from '../../../kit/sql.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { visibleOpportunities } from '../../sales/funnel/opportunities.policy.ts'
import { findCampaign } from './campaigns.present.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'permissions'>
type Asked = RecipientsQuery & { campaignId: string }
const pageSize = 20

/** Whom a campaign writes to, state by state, as far as this person finds the contacts in lists; who ordered, the newest first. */
export const listRecipients = async (actor: Asking, asked: Asked): Promise<Page<CampaignRecipient>> => {
  const { campaignId, cursor, limit = pageSize, pageNumber } = asked
  const { from, matching } = await matchingOf(actor, asked)
  const { columns, by, again, beyond, keyOf } = asked.orders ? byOrder : byState
  return searching(actor, asked, async (tx) => {
    await findCampaign(tx, campaignId)
    const rest = cursor ? beyond(cursor) : sql`true`
    const { rows } = await tx.db.execute<Row>(sql`
      select p.*, c.name as contact_name, c.number, c.is_group, n.name as connection_name, m.ticket_id
      from (select ${columns} from ${from} where ${matching} and ${rest} order by ${by}
          limit ${limit + 1} offset ${cursor ? 0 : (pageNumber - 1) * limit}) p
        join contacts c on c.tenant_id = p.tenant_id and c.id = p.contact_id
        left join connections n on n.tenant_id = p.tenant_id and n.id = p.connection_id
        left join messages m on m.tenant_id = p.tenant_id and m.id = p.message_id
      order by ${again}`)
    const { items, ...more } = toPage(rows, limit, keyOf)
    const count = asked.count ? await countIn(tx, { from, matching }) : undefined
    return { ...more, items: items.map(present), ...(count === undefined ? {} : { count }) }
  })
}

/** How the list is walked. */
type Walk = {
  columns: SQL
  by: SQL
  /** The same of the page. */
  again: SQL
  beyond: (cursor: string) => SQL
  keyOf: (row: Row) => [string, string]
}
const byState: Walk = {
  columns: sql`r.*`,
  by: sql`r.state, r.id`,
  again: sql`p.state, p.id`,
  beyond: (cursor) => {
    const [state, id] = readCursor(cursor, z.tuple([z.enum(recipientStates), z.uuid()]))
    return sql`(r.state, r.id) > (${state}, ${id}::uuid)`
  },
  keyOf: ({ state, id }) => [state, id],
}
/** A page of those who ordered looks at as many orders as it has lines, not at all of them. */
const byOrder: Walk = {
  columns: sql`r.*, o.created_at as ordered_at, o.id as order_id`,
  by: sql`o.created_at desc, o.id desc`,
  again: sql`p.ordered_at desc, p.order_id desc`,
  beyond: (cursor) => {
    const [at, id] = readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()]))
    return sql`(o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)`
  },
  keyOf: ({ ordered_at, order_id }) => [moment(ordered_at ?? null) ?? '', order_id ?? ''],
}

export const countRecipients = async (actor: Asking, asked: Asked): Promise<number> => {
  const wanted = await matchingOf(actor, asked)
  return searching(actor, asked, (tx) => countIn(tx, wanted))
}
const countIn = async (tx: Tx, { from, matching }: Matching): Promise<number> => {
  const { rows } = await tx.db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${from} where ${matching}`,
  )
  return rows[0]?.count ?? 0
}

/** Words are looked for in the share of searches, which stop nobody's messages. */
const searching = <T>(actor: Asking, { searchParam }: Asked, work: (tx: Tx) => Promise<T>): Promise<T> =>
  searchParam ? withSearch(actor, work) : withTenant(actor.tenantId, work)

/** People of a name are found first, and then their rows; whoever has more of one writes more of it. */
const mostFound = 5_000
/** `from`: the recipients as `r`; their contacts as `c` only where something is asked of those. */
type Matching = { from: SQL; matching: SQL }
const matchingOf = async (actor: Asking, asked: Asked): Promise<Matching> => {
  const { campaignId, state, reason, answered, optedOut, complained, orders, connectionId, error, step, variant } =
    asked
  const visible = await visibleContacts(actor)
  const wanted = asked.searchParam.trim()
  const found = isIndexed(wanted)
    ? sql`r.contact_id = any(array(select f.id from find_contacts(${wanted}, ${likePattern(wanted)}, ${mostFound}) f))`
    : sql`c.search like norm(${likePattern(wanted)})`
  const ordered = orders && (await whoOrdered(actor, campaignId, orders))
  const conditions = [
    sql`r.tenant_id = ${actor.tenantId} and r.campaign_id = ${campaignId}::uuid`,
    ...(state.length ? [sql`r.state = any(${sql.param(state)}::text[])`] : []),
    ...(reason.length ? [sql`r.reason = any(${sql.param(reason)}::text[])`] : []),
    ...(answered === undefined ? [] : [sql`r.answered_at is ${answered === 'yes' ? sql`not null` : sql`null`}`]),
    ...(optedOut ? [sql`r.opted_out_at is not null`] : []),
    ...(complained ? [sql`r.complained_at is not null`] : []),
    ...(connectionId ? [sql`r.connection_id = ${connectionId}::uuid`] : []),
    // As many letters as are counted apart.
    ...(error ? [sql`r.state = 'failed' and left(r.error, 300) = ${error}`] : []),
    ...(step === undefined ? [] : [sql`r.step = ${step}`]),
    ...(variant === undefined ? [] : [sql`r.variant = ${variant}`]),
    ...(wanted ? [found] : []),
    ...(visible ? [visible] : []),
    ...(ordered ? [ordered.isNewest] : []),
  ]
  const contact = wanted || visible ? sql`join contacts c on c.tenant_id = r.tenant_id and c.id = r.contact_id` : sql``
  return {
    from: sql`${ordered?.from ?? sql`campaign_recipients r`} ${contact}`,
    matching: sql.join(conditions, sql` and `),
  }
}

/** From the few opportunities that this person sees to the last send before each; a recipient counts once, with the newest. */
const whoOrdered = async (actor: Asking, campaignId: string, orders: 'created' | 'won') => {
  if (!actor.permissions.has('funnel.read')) throw new AppError('ERR_NO_PERMISSION')
  const directory = await getDirectory(actor.tenantId)
  const { tenantId } = actor
  // Read once: joined, it would keep the opportunities from being walked in their order.
  const campaign = (what: SQL) =>
    sql`(select ${what} from campaigns k where k.tenant_id = ${tenantId} and k.id = ${campaignId}::uuid)`
  const days = sql`make_interval(days => ${campaign(sql`(k.plan #>> '{answer,days}')::int`)})`
  const steps = sql`array(select generate_series(0, ${campaign(sql`jsonb_array_length(k.plan -> 'steps')`)} - 1))`
  const opportunities = sql`(select o.* from opportunities o where o.tenant_id = ${tenantId}
      and o.created_at >= ${campaign(sql`k.started_at`)} ${orders === 'won' ? sql`and o.status = 'win'` : sql``}
      and ${boundSql((bind) => visibleOpportunities(actor, directory, bind))})`
  const sends = (alias: string) => {
    const column = (name: string) => sql.raw(`${alias}.${name}`)
    return sql`${column('tenant_id')} = ${tenantId} and ${column('campaign_id')} = ${campaignId}::uuid
      and ${column('step')} = any(${steps}) and ${column('contact_id')} = o.contact_id`
  }
  return {
    from: sql`${opportunities} o cross join lateral (select * from campaign_recipients s where ${sends('s')}
      and s.sent_at <= o.created_at and s.sent_at > o.created_at - ${days} order by s.sent_at desc limit 1) r`,
    isNewest: sql`not exists (select from ${opportunities} n where n.contact_id = o.contact_id
      and (n.created_at, n.id) > (o.created_at, o.id) and r.sent_at > n.created_at - ${days}
      and not exists (select from campaign_recipients t where ${sends('t')} and t.sent_at > r.sent_at and t.sent_at <= n.created_at))`,
  }
}

type Row = {
  id: string
  contact_id: string
  contact_name: string
  number: string | null
  is_group: boolean
  connection_id: string | null
  connection_name: string | null
  step: number
  variant: number | null
  state: CampaignRecipient['state']
  reason: CampaignRecipient['reason']
  error: string | null
  message_id: string | null
  ticket_id: string | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  answered_at: string | null
  opted_out_at: string | null
  /** Of the order it is listed for. */
  ordered_at?: string
  order_id?: string
}
const moment = (at: string | null) => (at === null ? null : new Date(at).toISOString())
const present = (row: Row): CampaignRecipient => ({
  id: row.id,
  contact: { id: row.contact_id, name: row.contact_name, number: row.number, isGroup: row.is_group },
  connection:
    row.connection_id === null ? null : { id: row.connection_id, name: row.connection_name ?? 'Canal excluído' },
  ...{ step: row.step, variant: row.variant, state: row.state, reason: row.reason, error: row.error },
  ...{ messageId: row.message_id, ticketId: row.ticket_id },
  sentAt: moment(row.sent_at),
  deliveredAt: moment(row.delivered_at),
  readAt: moment(row.read_at),
  answeredAt: moment(row.answered_at),
  optedOutAt: moment(row.opted_out_at),
})
