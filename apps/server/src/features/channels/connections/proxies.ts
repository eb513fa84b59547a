import type { proxyUse } from '@balcao/contract/channels/connections.ts'
import type { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'

/** The company's proxies, and what goes through each. */
export const listProxyUses = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.rows<z.output<typeof proxyUse>>(uses, [tenantId]))

const uses: Prepared = {
  name: 'proxy_uses',
  text: `select x.id, x.name, x.state, x.state_text as "stateText",
      coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'status', c.status, 'sentToday',
        case when p.sent_on = (now() at time zone t.timezone)::date then p.sent_today else 0 end) order by c.name)
        filter (where c.id is not null), '[]') as connections
    from integrations x join tenants t on t.id = x.tenant_id
      left join connections c on c.tenant_id = x.tenant_id and c.proxy_id = x.id and c.deleted_at is null
      left join connection_pace p on p.tenant_id = c.tenant_id and p.connection_id = c.id
    where x.tenant_id = $1 and x.family = 'proxy' group by x.id, x.name, x.state, x.state_text order by x.name, x.id`,
}
