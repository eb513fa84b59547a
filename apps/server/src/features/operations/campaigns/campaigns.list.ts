import type { Page } from '@balcao/contract/common.ts'
import { readSkip } from '@balcao/contract/operations/campaigns/audience.ts'
import type { CampaignReport, CampaignRow, CampaignsQuery } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { asRow, findCampaign, numbersFrom, presentCampaigns, type Tally } from './campaigns.present.ts'

type Asking = Pick<Actor, 'tenantId'>
const pageSize = 20

/** Campaigns, the newest first; of some days, those that run in them. */
export const listCampaigns = async ({ tenantId }: Asking, query: CampaignsQuery): Promise<Page<CampaignRow>> => {
  const { limit = pageSize, cursor } = query
  const matching = await matchingOf(tenantId, query)
  return withTenant(tenantId, async (tx) => {
    const after = cursor ? readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()])) : undefined
    const seen = after && sql`(${campaigns.createdAt}, ${campaigns.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
    const rows = await tx.db
      .select()
      .from(campaigns)
      .where(and(matching, seen))
      .orderBy(desc(campaigns.createdAt), desc(campaigns.id))
      .limit(limit + 1)
      .offset(cursor ? 0 : (query.pageNumber - 1) * limit)
    const { items, ...more } = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.id])
    const count = query.count ? await tx.db.$count(campaigns, matching) : undefined
    return { ...more, items: (await presentCampaigns(tx, items)).map(asRow), ...(count === undefined ? {} : { count }) }
  })
}

export const countCampaigns = async ({ tenantId }: Asking, query: CampaignsQuery): Promise<number> => {
  const matching = await matchingOf(tenantId, query)
  return withTenant(tenantId, (tx) => tx.db.$count(campaigns, matching))
}

const matchingOf = async (tenantId: number, query: CampaignsQuery): Promise<SQL | undefined> => {
  const { timezone } = await getDirectory(tenantId)
  const { state, origin, connectionId, searchParam, dateFrom, dateTo } = query
  // Of a campaign of which nobody knows the end, the beginning counts.
  const begins = sql`coalesce(${campaigns.startedAt}, ${campaigns.startsAt})`
  const ends = sql`coalesce(${campaigns.finishedAt}, ${campaigns.endsAt},
    case when ${campaigns.state} in ('preparing', 'running', 'paused') then 'infinity'::timestamptz end, ${begins})`
  return and(
    eq(campaigns.tenantId, tenantId),
    state.length ? inArray(campaigns.state, state) : undefined,
    origin.length ? inArray(campaigns.origin, origin) : undefined,
    connectionId.length ? sql`${campaigns.connectionIds} && ${sql.param(connectionId)}::uuid[]` : undefined,
    searchParam ? sql`norm(${campaigns.name}) like norm(${likePattern(searchParam)})` : undefined,
    dateFrom ? sql`${ends} >= ${dateFrom}::date::timestamp at time zone ${timezone}` : undefined,
    dateTo ? sql`${begins} < (${dateTo}::date + 1)::timestamp at time zone ${timezone}` : undefined,
  )
}

type Counted = Tally & { step: number; variant: number; connectionId: string; at: Date }
/** What became of it: by step and variant, by connection, over time, and why it failed or left people out. */
export const reportCampaign = ({ tenantId }: Asking, id: string): Promise<CampaignReport> =>
  withTenant(tenantId, async (tx) => {
    const row = await findCampaign(tx, id)
    const tallies = await tx.rows<Counted>(counted, [tenantId, id])
    const used = [...new Set(tallies.map(({ connectionId }) => connectionId))]
    const names = await tx.db
      .select({ id: connections.id, name: connections.name })
      .from(connections)
      .where(and(eq(connections.tenantId, tenantId), inArray(connections.id, used)))
    const variants = Map.groupBy(
      tallies.filter(({ variant }) => variant >= 0),
      ({ step, variant }) => `${step}:${variant}`,
    )
    const course = Map.groupBy(
      tallies.filter(({ at }) => at.getTime() > 0),
      ({ at }) => at.getTime(),
    )
    const [orders = noOrders] = await tx.rows<CampaignReport['orders']>(attributed, [tenantId, id])
    const failures = sumBy(tallies, 'failed:')
    const skipped = sumBy(tallies, 'skipped:')
    return {
      numbers: numbersFrom(tallies),
      variants: [...variants]
        .map(([key, some]) => {
          const [step = 0, variant = 0] = key.split(':').map(Number)
          return { step, variant, isWinner: row.winners[step] === variant, numbers: numbersFrom(some) }
        })
        .toSorted((a, b) => a.step - b.step || a.variant - b.variant),
      course: [...course]
        .toSorted(([a], [b]) => a - b)
        .map(([at, some]) => {
          const { sent, delivered, read, answered, failed } = numbersFrom(some)
          return { at: new Date(at).toISOString(), sent, delivered, read, answered, failed }
        }),
      failures: failures.map(([error, count]) => ({ error, count })),
      skipped: skipped.map(([kept, count]) => ({ ...readSkip(kept), count })),
      connections: names
        .map((connection) => ({
          connection,
          numbers: numbersFrom(tallies.filter(({ connectionId }) => connectionId === connection.id)),
        }))
        .toSorted((a, b) => a.connection.name.localeCompare(b.connection.name, 'pt-BR')),
      orders,
    }
  })

const sumBy = (tallies: readonly Tally[], prefix: string): [string, number][] => {
  const sums = new Map<string, number>()
  for (const { mark, count } of tallies)
    if (mark.startsWith(prefix)) sums.set(mark.slice(prefix.length), (sums.get(mark.slice(prefix.length)) ?? 0) + count)
  return [...sums].filter(([, count]) => count > 0).toSorted((a, b) => b[1] - a[1])
}

const counted: Prepared = {
  name: 'campaign_counted',
  text: `select step, variant, connection_id as "connectionId", mark, at, sum(count)::float8 as count from campaign_tallies
    where tenant_id = $1 and campaign_id = $2 group by 1, 2, 3, 4, 5`,
}

const noOrders: CampaignReport['orders'] = { created: 0, won: 0, wonCents: 0 }
/** Each opportunity that began after a send, within the days in which an answer counts, is a row already. */
const attributed: Prepared = {
  name: 'campaign_orders',
  text: `select count(*)::int as created, count(*) filter (where status = 'win')::int as won,
      coalesce(sum(value) filter (where status = 'win'), 0)::float8 as "wonCents"
    from campaign_orders where tenant_id = $1 and campaign_id = $2`,
}
