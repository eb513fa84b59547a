import {
  type Connection,
  connection,
  connectionCreate,
  connectionTest,
  connectionUpdate,
} from '@balcao/contract/channels/connections.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  testConnection,
  updateConnection,
} from './connections.service.ts'

const params = z.object({ id })

export const connectionRoutes: Routes = (app) => {
  app.get(
    '/whatsapp',
    {
      config: { can: 'connections.read', summary: 'Listar os canais' },
      schema: { response: { 200: pageOf(connection) } },
    },
    async ({ actor }) => ({
      items: (await listConnections(actor.tenantId)).map((one) =>
        withoutConfig(one, actor.permissions.has('connections.write')),
      ),
      hasMore: false,
      nextCursor: null,
    }),
  )
  app.get(
    '/whatsapp/:id',
    {
      config: { can: 'connections.write', summary: 'Ler um canal', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { params, response: { 200: connection } },
    },
    async ({ actor, params }) => getConnection(actor.tenantId, params.id),
  )
  app.post(
    '/whatsapp',
    {
      config: {
        can: 'connections.write',
        summary: 'Criar um canal',
        errors: ['ERR_CONNECTION_LIMIT'],
      },
      schema: { body: connectionCreate, response: { 201: connection } },
    },
    async ({ actor, body }, reply) => reply.status(201).send(await createConnection(actor, body)),
  )
  app.put(
    '/whatsapp/:id',
    {
      config: {
        can: 'connections.write',
        summary: 'Atualizar um canal',
        errors: ['ERR_CONFLICT', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { params, body: connectionUpdate, response: { 200: connection } },
    },
    async ({ actor, params, body }) => updateConnection(actor, params.id, body),
  )
  app.delete(
    '/whatsapp/:id',
    {
      config: { can: 'connections.write', summary: 'Excluir um canal', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { params, response: { 204: z.void() } },
    },
    async ({ actor, params }, reply) => {
      await deleteConnection(actor, params.id)
      return reply.status(204).send()
    },
  )
  app.post(
    '/whatsapp/:id/test',
    {
      config: { can: 'connections.write', summary: 'Testar a conexão de um canal', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { params, response: { 200: connectionTest } },
    },
    async ({ actor, params }) => testConnection(actor.tenantId, params.id),
  )
}

/** Agents see that a connection exists and whether it works; how it is set up is the administrator's. */
const withoutConfig = <T extends Pick<Connection, 'config' | 'webhookUrl' | 'qrcode' | 'pairingCode'>>(
  one: T,
  isAdmin: boolean,
): T => (isAdmin ? one : { ...one, config: {}, webhookUrl: '', qrcode: null, pairingCode: null })
