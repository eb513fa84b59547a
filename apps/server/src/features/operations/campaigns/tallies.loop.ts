import { and, eq, inArray } from 'drizzle-orm'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import type { Round } from '../../../kit/workers.ts'
import { emitCampaigns } from './campaigns.present.ts'

export const areTalliesFresh = 'select from campaign_tallies where writer <> 0'
const atOnce = 20

/** Folds what sessions have counted together, and tells of the new numbers: of each campaign once a round. */
export const foldTallies = async (): Promise<Round> => {
  const fresh = await platformRows<{ tenantId: number; id: string }>(freshOnes, [atOnce])
  for (const [tenantId, some] of Map.groupBy(fresh, (one) => one.tenantId)) {
    const ids = some.map(({ id }) => id)
    await withTenant(tenantId, async (tx) => {
      await tx.rows(fold, [tenantId, ids])
      const rows = await tx.db
        .select()
        .from(campaigns)
        .where(and(eq(campaigns.tenantId, tenantId), inArray(campaigns.id, ids)))
      await emitCampaigns(tx, rows)
    })
  }
  return { did: fresh.length, isMore: fresh.length === atOnce }
}
const freshOnes: Prepared = {
  name: 'campaign_tallies_fresh',
  text: `select distinct tenant_id as "tenantId", campaign_id as id from campaign_tallies where writer <> 0 limit $1`,
}
const fold: Prepared = {
  name: 'campaign_tallies_fold',
  text: `with free as (
      select tenant_id, campaign_id, writer, step, variant, connection_id, mark, at from campaign_tallies
      where tenant_id = $1 and campaign_id = any($2::uuid[]) and writer <> 0 for update skip locked
    ), gone as (
      delete from campaign_tallies t using free f where t.tenant_id = f.tenant_id and t.campaign_id = f.campaign_id and t.writer = f.writer
        and t.step = f.step and t.variant = f.variant and t.connection_id = f.connection_id and t.mark = f.mark and t.at = f.at
      returning t.*
    )
    insert into campaign_tallies as t (tenant_id, campaign_id, step, variant, connection_id, mark, at, writer, count)
    select tenant_id, campaign_id, step, variant, connection_id, mark, at, 0, sum(count) from gone
    group by tenant_id, campaign_id, step, variant, connection_id, mark, at order by 1, 2, 3, 4, 5, 6, 7
    on conflict on constraint campaign_tallies_pk do update set count = t.count + excluded.count`,
}
