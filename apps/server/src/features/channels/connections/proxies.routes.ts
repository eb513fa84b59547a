import { proxyUse } from '@balcao/contract/channels/connections.ts'
import { id } from '@balcao/contract/common.ts'
import { integrationTest } from '@balcao/contract/core/integrations/index.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { requireIntegration, testIntegration } from '../../core/integrations/integrations.service.ts'
import { proxiesExport } from './connections.export.ts'
import { listProxyUses } from './proxies.ts'

/** Proxies are kept as integrations; this is what goes through each. */
export const proxyRoutes: Routes = (app) => {
  const lists = { '/proxy': 'Listar os proxies', '/proxy-stats': 'Ver os canais de cada proxy' }
  for (const [path, summary] of Object.entries(lists))
    app.get(
      path,
      {
        config: { can: 'connections.write', summary },
        schema: { response: { 200: z.array(proxyUse) } },
      },
      ({ actor }) => listProxyUses(actor.tenantId),
    )
  app.post(
    '/proxy-stats/export',
    {
      config: { can: 'integrations.write', summary: 'Pedir a exportação do uso dos proxies' },
      schema: { body: z.object({}), response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await proxiesExport.enqueue(actor, body)),
  )
  app.post(
    '/proxy-test',
    {
      config: { can: 'integrations.write', summary: 'Testar um proxy', errors: ['ERR_NOT_FOUND'] },
      schema: { body: z.object({ id }), response: { 200: integrationTest } },
    },
    async ({ actor, body }) => {
      if ((await requireIntegration(actor.tenantId, body.id)).family !== 'proxy') throw new AppError('ERR_NOT_FOUND')
      return testIntegration(actor.tenantId, body.id)
    },
  )
}
