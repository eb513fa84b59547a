import { configOn, isGateway } from '@balcao/contract/channels/hosts.ts'
import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import { secretsOf } from '@balcao/contract/core/providers/fields.ts'
import type { Prepared } from '../../../db/database.ts'
import { platformTenant, registerGatewayUsers } from '../../core/integrations/gateways.ts'
import { forgetConnections } from './context.ts'

/** Connections that stand on a company's server or, asked by the platform, on the installation's. */
const onIt = `deleted_at is null
  and case when $1 = ${platformTenant} then host = 'installation' else host = 'company' and tenant_id = $1 end`

const count: Prepared = {
  name: 'gateway_users_count',
  text: `select kind, count(*)::int as many from connections where ${onIt} group by kind`,
}
/** Asked again soon, once every process has forgotten the old data; what was refused before too. */
const renew: Prepared = {
  name: 'gateway_users_renew',
  text: `update connections set config = config - $3::text[], check_due_at = now() + interval '6 seconds',
      trouble_since = case when status = 'ERROR' then coalesce(trouble_since, now()) else trouble_since end
    where kind = $2 and ${onIt}`,
}

/** What is set at a server reaches those who stand on it; what they keep secret goes to no other server. */
export const followGateways = () =>
  registerGatewayUsers({
    count: async (tx) => {
      const rows = await tx.rows<{ kind: string; many: number }>(count, [tx.tenantId])
      return new Map(rows.map(({ kind, many }) => [kind, many]))
    },
    renew: async (tx, kind, isElsewhere) => {
      await tx.rows(renew, [tx.tenantId, kind, isElsewhere ? ownSecrets(kind) : []])
      tx.afterCommit(forgetConnections)
    },
  })
const ownSecrets = (kind: IntegrationKind) => (isGateway(kind) ? secretsOf(configOn(kind, 'company')) : [])
