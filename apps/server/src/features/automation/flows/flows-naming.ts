import type { Prepared, Tx } from '../../../db/database.ts'

/** Flows that name a row, by their draft or by what runs. A company has few flows. */
export const findFlowsNaming = (tx: Tx, id: string) =>
  tx.rows<{ id: string; name: string }>(naming, [tx.tenantId, `%${id}%`])

const naming: Prepared = {
  name: 'flows_naming_row',
  text: `select f.id, f.name from chat_flows f
    where f.tenant_id = $1 and (f.settings::text like $2
      or exists (select from chat_flow_nodes n where n.tenant_id = f.tenant_id and n.flow_id = f.id and n.node::text like $2)
      or exists (select from chat_flow_versions v where v.tenant_id = f.tenant_id and v.id = f.published_id
        and (v.nodes::text like $2 or v.settings::text like $2)))
    order by lower(f.name), f.id`,
}
