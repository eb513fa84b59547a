import { pageOf } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  tenantConnection,
  tenantConnectionsFilter,
  tenantConnectionsQuery,
} from '@balcao/contract/platform/connections.ts'
import type { Routes } from '../../../kit/http.ts'
import { tenantConnectionsExport } from './tenant-connections.export.ts'
import { listTenantConnections } from './tenant-connections.queries.ts'

/** Every company's connections: where a provider fails, it is seen here first. */
export const tenantConnectionRoutes: Routes = (app) => {
  app.get(
    '/tenantConnections',
    {
      config: { can: 'tenants.read', summary: 'Listar os canais de todas as empresas' },
      schema: { querystring: tenantConnectionsQuery, response: { 200: pageOf(tenantConnection) } },
    },
    ({ query }) => listTenantConnections(query),
  )
  app.post(
    '/tenantConnections/export',
    {
      config: { can: 'tenants.read', summary: 'Pedir a exportação dos canais de todas as empresas' },
      schema: { body: tenantConnectionsFilter, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await tenantConnectionsExport.enqueue(actor, body)),
  )
}
