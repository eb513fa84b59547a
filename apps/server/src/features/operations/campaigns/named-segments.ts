import type { Prepared, Tx } from '../../../db/database.ts'

/** Campaigns that are not started yet and name a segment; the others keep its rules. */
export const findCampaignsNaming = (tx: Tx, segmentId: string): Promise<{ id: string; name: string }[]> =>
  tx.rows(naming, [tx.tenantId, segmentId])
const naming: Prepared = {
  name: 'campaigns_naming_segment',
  text: `select id, name from campaigns where tenant_id = $1 and state in ('draft', 'approval')
      and jsonb_path_exists(plan -> 'audience', '$.*[*].segmentId ? (@ == $id)', jsonb_build_object('id', $2::text))
    order by name, id limit 50`,
}
