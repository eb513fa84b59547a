import type { Page } from '@balcao/contract/common.ts'
import { keptSkip, readSkip } from '@balcao/contract/operations/campaigns/audience.ts'
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
export const listRecipients = (actor: Asking, asked: Asked): Promise<Page<CampaignRecipient>> =>
  pageOfRecipients(actor, asked, asked.orders ? byOrder : byState)

/** The same page after page, each once: who moves from state to state meanwhile would be met twice, or never. */
export const readRecipients = (actor: Asking, asked: Asked): Promise<Page<CampaignRecipient>> =>
  pageOfRecipients(actor, asked, asked.orders ? byOrder : byPerson)

const pageOfRecipients = async (actor: Asking, asked: Asked, walk: Walk): Promise<Page<CampaignRecipient>> => {
  const { campaignId, cursor, limit = pageSize, pageNumber } = asked
  const { from, matching } = await matchingOf(actor, asked)
  const { columns, by, again, beyond, keyOf } = walk
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
  keyOf: (row: Row) => [string | number, string]
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
const byPerson: Walk = {
  columns: sql`r.*`,
  by: sql`r.step, r.contact_id`,
  again: sql`p.step, p.contact_id`,
  beyond: (cursor) => {
    const [step, contactId] = readCursor(cursor, z.tuple([z.int(), z.uuid()]))
    return sql`(r.step, r.contact_id) > (${step}::int, ${contactId}::uuid)`
  },
  keyOf: ({ step, contact_id }) => [step, contact_id],
}
/** A page of those who ordered looks at as many orders as it has lines, not at all of them. */
const byOrder: Walk = {
  columns: sql`r.*, l.created_at as ordered_at, l.opportunity_id as order_id`,
  by: sql`l.created_at desc, l.opportunity_id desc`,
  again: sql`p.ordered_at desc, p.order_id desc`,
  beyond: (cursor) => {
    const [at, id] = readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()]))
    return sql`(l.created_at, l.opportunity_id) < (${at}::timestamptz, ${id}::uuid)`
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
  const { campaignId, state, reason, missing, answered, optedOut, complained, orders, connectionId } = asked
  const { error, step, variant } = asked
  const visible = await visibleContacts(actor)
  const wanted = asked.searchParam.trim()
  const found = isIndexed(wanted)
    ? sql`r.contact_id = any(array(select f.id from find_contacts(${wanted}, ${likePattern(wanted)}, ${mostFound}) f))`
    : sql`c.search like norm(${likePattern(wanted)})`
  const ordered = orders && (await whoOrdered(actor, campaignId, orders))
  const conditions = [
    sql`r.tenant_id = ${actor.tenantId} and r.campaign_id = ${campaignId}::uuid`,
    ...(state.length ? [sql`r.state = any(${sql.param(state)}::text[])`] : []),
    ...(reason.length ? [sql`split_part(r.reason, ':', 1) = any(${sql.param(reason)}::text[])`] : []),
    ...(missing ? [sql`r.reason = ${keptSkip({ reason: 'missingVariable', missing })}`] : []),
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

/** By the orders that this person sees; a recipient counts once, with the newest. */
const whoOrdered = async (actor: Asking, campaignId: string, orders: 'created' | 'won') => {
  if (!actor.permissions.has('funnel.read')) throw new AppError('ERR_NO_PERMISSION')
  const directory = await getDirectory(actor.tenantId)
  const { tenantId } = actor
  const isAsked = (
    link: SQL,
  ) => sql`${link}.tenant_id = ${tenantId} ${orders === 'won' ? sql`and ${link}.status = 'win'` : sql``}
      and exists (select from opportunities o where o.tenant_id = ${tenantId} and o.id = ${link}.opportunity_id
        and ${boundSql((bind) => visibleOpportunities(actor, directory, bind))})`
  return {
    from: sql`campaign_orders l join campaign_recipients r on r.tenant_id = l.tenant_id and r.id = l.recipient_id`,
    isNewest: sql`l.campaign_id = ${campaignId}::uuid and ${isAsked(sql`l`)}
      and not exists (select from campaign_orders n where n.recipient_id = l.recipient_id and ${isAsked(sql`n`)}
        and (n.created_at, n.opportunity_id) > (l.created_at, l.opportunity_id))`,
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
  reason: string | null
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
  ...{ step: row.step, variant: row.variant, state: row.state, error: row.error },
  ...(row.reason === null ? { reason: null, missing: null } : readSkip(row.reason)),
  ...{ messageId: row.message_id, ticketId: row.ticket_id },
  sentAt: moment(row.sent_at),
  deliveredAt: moment(row.delivered_at),
  readAt: moment(row.read_at),
  answeredAt: moment(row.answered_at),
  optedOutAt: moment(row.opted_out_at),
})
