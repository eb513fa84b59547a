import {
  type Connection,
  connection,
  connectionCreate,
  connectionLimits,
  connectionLink,
  connectionsFilter,
  connectionTest,
  connectionUpdate,
  connectionWork,
} from '@balcao/contract/channels/connections.ts'
import { id, pageOf } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { connectionsExport } from './connections.export.ts'
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  readLimits,
  testConnection,
  updateConnection,
} from './connections.service.ts'
import { cancelImport } from './import.ts'
import { linkConnection, startConnection, stopConnection, unlinkConnection } from './running.ts'
import { listWork } from './work.ts'

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
    '/whatsapp/work',
    {
      config: { can: 'connections.write', summary: 'Ver o movimento de cada canal' },
      schema: { response: { 200: z.array(connectionWork) } },
    },
    async ({ actor }) => listWork(actor.tenantId),
  )
  app.get(
    '/whatsapp/limits',
    {
      config: { can: 'connections.write', summary: 'Ver quantos canais a empresa tem e pode ter' },
      schema: { response: { 200: connectionLimits } },
    },
    async ({ actor }) => readLimits(actor.tenantId),
  )
  app.post(
    '/whatsapp/export',
    {
      config: { can: 'connections.write', summary: 'Pedir a exportação dos canais' },
      schema: { body: connectionsFilter, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await connectionsExport.enqueue(actor, body)),
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

  const turning = (summary: string) => ({
    config: {
      can: 'connections.write' as const,
      summary,
      errors: ['ERR_NO_WAPP_FOUND' as const, 'ERR_CHANNEL_REFUSED' as const],
    },
    schema: { params, response: { 200: connection } },
  })
  app.post('/whatsappsession/:id', turning('Iniciar ou reiniciar um canal'), async ({ actor, params }) =>
    startConnection(actor, params.id),
  )
  app.post('/whatsappsession/:id/stop', turning('Parar um canal'), async ({ actor, params }) =>
    stopConnection(actor, params.id),
  )
  const linking = turning('Gerar um novo código de conexão de um canal')
  app.put(
    '/whatsappsession/:id',
    { ...linking, schema: { ...linking.schema, body: connectionLink } },
    async ({ actor, params, body }) => linkConnection(actor, params.id, body),
  )
  app.post('/whatsapp/:id/import/cancel', turning('Cancelar a importação de conversas'), async ({ actor, params }) =>
    cancelImport(actor, params.id),
  )
  app.delete('/whatsappsession/:id', turning('Desconectar o telefone de um canal'), async ({ actor, params }) =>
    unlinkConnection(actor, params.id),
  )
}

/** Agents see that a connection exists and whether it works; how it is set up is the administrator's. */
const withoutConfig = <
  T extends Pick<Connection, 'config' | 'webhookUrl' | 'alerts' | 'qrcode' | 'pairingCode' | 'loginUntil'>,
>(
  one: T,
  isAdmin: boolean,
): T =>
  isAdmin ? one : { ...one, config: {}, webhookUrl: '', alerts: [], qrcode: null, pairingCode: null, loginUntil: null }
