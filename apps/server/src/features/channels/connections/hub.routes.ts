import { connection } from '@balcao/contract/channels/connections.ts'
import { hubChannels, hubConnect } from '@balcao/contract/channels/hub.ts'
import type { Routes } from '../../../kit/http.ts'
import { connectHub, listHub } from './hub.service.ts'

/** NotificaMe's hub: what stands behind the company's token. */
export const hubRoutes: Routes = (app) => {
  app.get(
    '/hub-channel',
    {
      config: {
        can: 'connections.write',
        summary: 'Listar os canais da conta do hub',
        errors: ['ERR_CHANNEL_REFUSED'],
      },
      schema: { response: { 200: hubChannels } },
    },
    ({ actor }) => listHub(actor.tenantId),
  )
  app.post(
    '/hub-channel',
    {
      config: {
        can: 'connections.write',
        summary: 'Conectar um canal da conta do hub',
        errors: ['ERR_CHANNEL_REFUSED', 'ERR_CONNECTION_LIMIT', 'ERR_NOT_FOUND'],
      },
      schema: { body: hubConnect, response: { 201: connection } },
    },
    async ({ actor, body }, reply) => reply.status(201).send(await connectHub(actor, body.ref)),
  )
}
