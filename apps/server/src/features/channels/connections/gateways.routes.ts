import { gateway, gatewayKinds } from '@balcao/contract/channels/hosts.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { gatewaysOf, platformTenant } from '../../core/integrations/gateways.ts'

/** Where a new connection may stand without bringing a server of its own. */
export const gatewayRoutes: Routes = (app) => {
  app.get(
    '/gateways',
    {
      config: { can: 'connections.write', summary: 'Listar os servidores de WhatsApp da empresa e da instalação' },
      schema: { response: { 200: z.array(gateway) } },
    },
    async ({ actor }) => {
      const [own, everybodys] = await Promise.all([gatewaysOf(actor.tenantId), gatewaysOf(platformTenant)])
      return gatewayKinds.map((kind) => {
        const company = own.find((one) => one.kind === kind)
        return {
          kind,
          company: company ? { id: company.id, state: company.state } : null,
          installation: everybodys.some((one) => one.kind === kind),
        }
      })
    },
  )
}
