import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import {
  bulkChosenBody,
  bulkCount,
  bulkCountQuery,
  bulkJob,
  changeContactsBody,
  closeAllBody,
  closeContactBody,
  markReadQuery,
  moveChannelBody,
  transferQueueBody,
} from '@balcao/contract/operations/bulk-jobs.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { getTarget } from '../../conversations/tickets/hand-over.ts'
import { countForJob, enqueueTicketJob, statusOf } from './bulk-jobs.service.ts'
import { enqueueContactsChange } from './contact-jobs.ts'

const force = { can: 'tickets.force' } as const
const answer = { 202: bulkJob }

/** Work over many conversations: each call answers the job that does it. */
export const bulkJobRoutes: Routes = (app) => {
  const closeAll = (path: string, status: TicketStatus, summary: string) =>
    app.post(
      path,
      {
        config: { ...force, summary, errors: ['ERR_NO_WAPP_FOUND'] },
        schema: { body: closeAllBody, response: answer },
      },
      async ({ actor, body }, reply) =>
        reply
          .status(202)
          .send(await enqueueTicketJob(actor, 'closeTickets', { selection: { ...body, status: [status] } })),
    )
  closeAll('/closeAllOpen', 'open', 'Encerrar todos os atendimentos abertos')
  closeAll('/closeAllPending', 'pending', 'Encerrar todos os atendimentos pendentes')
  app.post(
    '/closeAllContactTickets',
    {
      config: { ...force, summary: 'Encerrar os atendimentos de um contato', errors: ['ERR_NO_CONTACT_FOUND'] },
      schema: { body: closeContactBody, response: answer },
    },
    async ({ actor, body }, reply) =>
      reply
        .status(202)
        .send(await enqueueTicketJob(actor, 'closeTickets', { selection: { ...body, status: statusOf([]) } })),
  )
  app.post(
    '/ticketsTransferBetweenQueues',
    {
      config: { ...force, summary: 'Transferir os atendimentos de uma fila para outra' },
      schema: { body: transferQueueBody, response: answer },
    },
    async ({ actor, body: { sourceQueueId, destinationQueueId, userId } }, reply) => {
      const selection = { queueId: sourceQueueId, status: statusOf([]) }
      const job = await enqueueTicketJob(actor, 'transferQueue', { selection, destinationQueueId, userId })
      return reply.status(202).send(job)
    },
  )
  app.put(
    '/ticketsChannel',
    {
      config: { ...force, summary: 'Passar os atendimentos de um canal para outro', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { body: moveChannelBody, response: answer },
    },
    async ({ actor, body }, reply) => {
      // Ruling 12: a company named in a body is the caller's own.
      if (body.tenantId !== undefined && body.tenantId !== actor.tenantId)
        throw fieldErrors({ path: 'tenantId', message: 'Esta não é a sua empresa.' })
      await checkKinds(actor, [
        ['channel', body.channel, body.whatsappId],
        ['newChannel', body.newChannel, body.newWhatsappId],
      ])
      const selection = { whatsappId: body.whatsappId, status: statusOf([]) }
      const job = await enqueueTicketJob(actor, 'moveChannel', { selection, newWhatsappId: body.newWhatsappId })
      return reply.status(202).send(job)
    },
  )

  const markRead = (actor: Actor, { status, ...place }: z.output<typeof markReadQuery>) =>
    enqueueTicketJob(actor, 'markRead', { selection: { ...place, status: statusOf(status), isUnread: true } })
  app.get(
    '/ticketsMarkAllUnread',
    {
      config: {
        can: 'tickets.markAll',
        summary: 'Marcar como lidos os atendimentos escolhidos na consulta',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { querystring: markReadQuery, response: answer },
    },
    async ({ actor, query }, reply) => reply.status(202).send(await markRead(actor, query)),
  )
  app.put(
    '/ticketsUpdateAllUnreadMessages',
    {
      config: {
        can: 'tickets.markAll',
        summary: 'Marcar como lidos os atendimentos escolhidos',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { body: markReadQuery, response: answer },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await markRead(actor, body)),
  )

  app.post(
    '/bulkJobs',
    {
      config: {
        can: 'tickets.write',
        summary: 'Pedir uma ação sobre vários atendimentos',
        errors: ['ERR_NO_TICKET_FOUND'],
      },
      schema: { body: bulkChosenBody, response: answer },
    },
    async ({ actor, body: { kind, ticketIds, ...params } }, reply) => {
      const status: TicketStatus[] = kind === 'tagTickets' ? ['open', 'pending', 'closed'] : statusOf([])
      const selection = { ticketIds: [...new Set(ticketIds)], status }
      return reply.status(202).send(await enqueueTicketJob(actor, kind, { selection, ...params }))
    },
  )
  app.post(
    '/contacts/change',
    {
      config: { can: 'contacts.write', summary: 'Pedir uma mudança em vários contatos', errors: ['ERR_BUSY'] },
      schema: { body: changeContactsBody, response: answer },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await enqueueContactsChange(actor, body)),
  )
  app.get(
    '/bulkJobs/count',
    {
      config: { can: 'tickets.write', summary: 'Contar os atendimentos de uma ação em lote' },
      schema: { querystring: bulkCountQuery, response: { 200: bulkCount } },
    },
    ({ actor, query }) => countForJob(actor, query),
  )
}

type Claim = [field: string, kind: ChannelKind | undefined, connectionId: string]
/** Who names the channel beside the connection must mean the same one. */
const checkKinds = (actor: Actor, claims: Claim[]) =>
  withTenant(actor.tenantId, async (tx) => {
    for (const [path, kind, connectionId] of claims) {
      const real = (await getTarget(tx, connectionId)).kind
      if (kind && kind !== real) throw fieldErrors({ path, message: `Este canal é de ${channels[real].label}.` })
    }
  })
