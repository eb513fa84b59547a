import { gatewayKinds } from '@balcao/contract/channels/hosts.ts'
import { integrationTest } from '@balcao/contract/core/integrations/index.ts'
import { tenantHost, tenantHostPath, tenantHostWrite } from '@balcao/contract/platform/hosts.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { listHosts, removeHost, saveHost, testHost } from './hosts.service.ts'

/** A company by its number; 0 is the installation, whose servers are everybody's. */
const params = z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647) })

/** Servers of WhatsApp gateways, as the platform's people set them up. */
export const hostRoutes: Routes = (app) => {
  app.get(
    '/tenantHosts/:id',
    {
      config: { can: 'tenants.read', summary: 'Listar os servidores de WhatsApp de uma empresa, ou (0) da instalação' },
      schema: { params, response: { 200: z.array(tenantHost) } },
    },
    ({ params }) => listHosts(params.id),
  )
  for (const kind of gatewayKinds) {
    const path = `${tenantHostPath(kind)}/:id` as const
    const config = (summary: string) => ({
      can: 'tenants.write' as const,
      summary: `${summary} (${kind})`,
      errors: ['ERR_IN_USE' as const],
    })
    app.put(
      path,
      {
        config: config('Informar o servidor de uma empresa, ou (0) da instalação'),
        schema: { params, body: tenantHostWrite, response: { 200: tenantHost } },
      },
      ({ actor, params, body }) => saveHost(actor, params.id, kind, body.config),
    )
    app.delete(
      path,
      {
        config: config('Tirar o servidor de uma empresa, ou (0) da instalação'),
        schema: { params, response: { 204: z.void() } },
      },
      async ({ actor, params }, reply) => {
        await removeHost(actor, params.id, kind)
        return reply.status(204).send()
      },
    )
    app.post(
      `${path}/test`,
      {
        config: config('Testar o servidor de uma empresa, ou (0) da instalação'),
        schema: { params, response: { 200: integrationTest } },
      },
      ({ params }) => testHost(params.id, kind),
    )
  }
}
