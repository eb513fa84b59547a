import { id, pageOf } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  campaignCreateBody,
  campaignDuplicateBody,
  campaignTestBody,
  campaignTested,
  campaignUpdateBody,
  checkNumbersBody,
  recipientsExportBody,
} from '@balcao/contract/operations/campaigns/calls.ts'
import {
  campaign,
  campaignContactsBody,
  campaignRecipient,
  campaignRehearsal,
  campaignReport,
  campaignRow,
  campaignsQuery,
  recipientsQuery,
} from '@balcao/contract/operations/campaigns/campaigns.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { takeForm } from '../../core/media/form.ts'
import { campaignsExport, enqueueRecipientsXlsx, recipientsExport } from './campaigns.export.ts'
import { listCampaigns, reportCampaign } from './campaigns.list.ts'
import {
  addContacts,
  createCampaign,
  deleteCampaign,
  dropAllContacts,
  duplicateCampaign,
  getCampaign,
  updateCampaign,
} from './campaigns.service.ts'
import { checkCampaignNumbers } from './check-numbers.ts'
import { withGivenFiles } from './given-files.ts'
import { listRecipients } from './recipients.list.ts'
import { rehearse } from './rehearse.ts'
import { removeRecipient } from './remove-recipient.ts'
import { sendTest } from './test-send.ts'
import { cancelCampaign, resumeCampaign, startCampaign } from './transitions.ts'

const params = z.object({ id })
const reads = { can: 'campaigns.read' } as const
const writes = { can: 'campaigns.write' } as const
const form = { preValidation: takeForm(['medias', 'connectionIds', 'steps']) }
const takesForm = ['medias']

/** Campaigns as they are written and read; what starts and stops them stands apart. */
export const campaignRoutes: Routes = (app) => {
  app.get(
    '/campaigns',
    {
      config: { ...reads, summary: 'Listar campanhas' },
      schema: { querystring: campaignsQuery, response: { 200: pageOf(campaignRow) } },
    },
    ({ actor, query }) => listCampaigns(actor, query),
  )
  app.post(
    '/campaigns',
    {
      ...form,
      config: { ...writes, takesForm, summary: 'Criar uma campanha' },
      schema: { body: campaignCreateBody, response: { 201: campaign } },
    },
    async ({ actor, body }, reply) =>
      reply.status(201).send(await createCampaign(actor, await withGivenFiles(actor, body))),
  )
  app.get(
    '/campaigns/:id',
    { config: { ...reads, summary: 'Ler uma campanha' }, schema: { params, response: { 200: campaign } } },
    ({ actor, params }) => getCampaign(actor, params.id),
  )
  app.put(
    '/campaigns/:id',
    {
      ...form,
      config: { ...writes, takesForm, summary: 'Atualizar uma campanha', errors: ['ERR_CONFLICT'] },
      schema: { params, body: campaignUpdateBody, response: { 200: campaign } },
    },
    async ({ actor, params, body }) => {
      const before = body.steps ? undefined : () => getCampaign(actor, params.id)
      return updateCampaign(actor, params.id, await withGivenFiles(actor, body, before))
    },
  )
  app.delete(
    '/campaigns/:id',
    {
      config: { ...writes, summary: 'Excluir uma campanha', errors: ['ERR_CONFLICT'] },
      schema: { params, response: { 204: z.void() } },
    },
    async ({ actor, params }, reply) => {
      await deleteCampaign(actor, params.id)
      return reply.status(204).send()
    },
  )
  app.post(
    '/campaigns/:id/duplicate',
    {
      config: { ...writes, summary: 'Duplicar uma campanha' },
      schema: { params, body: campaignDuplicateBody.nullish(), response: { 201: campaign } },
    },
    async ({ actor, params, body }, reply) =>
      reply.status(201).send(await duplicateCampaign(actor, params.id, body?.id)),
  )
  app.get(
    '/campaigns/:id/report',
    {
      config: { ...reads, summary: 'Ver os resultados de uma campanha' },
      schema: { params, response: { 200: campaignReport } },
    },
    ({ actor, params }) => reportCampaign(actor, params.id),
  )
  app.get(
    '/campaigns/contacts/:id',
    {
      config: { ...reads, summary: 'Listar os destinatários de uma campanha' },
      schema: { params, querystring: recipientsQuery, response: { 200: pageOf(campaignRecipient) } },
    },
    ({ actor, params, query }) => listRecipients(actor, { ...query, campaignId: params.id }),
  )
  app.post(
    '/campaigns/contacts/:id',
    {
      config: { ...writes, summary: 'Adicionar contatos a uma campanha', errors: ['ERR_CONFLICT'] },
      schema: { params, body: campaignContactsBody, response: { 200: campaign } },
    },
    ({ actor, params, body }) => addContacts(actor, params.id, body.contacts),
  )
  app.delete(
    '/campaigns/deleteall/contacts/:id',
    {
      config: { ...writes, summary: 'Esvaziar o público de uma campanha', errors: ['ERR_CONFLICT'] },
      schema: { params, response: { 200: campaign } },
    },
    ({ actor, params }) => dropAllContacts(actor, params.id),
  )
  app.delete(
    '/campaigns/contacts/:id/:contactId',
    {
      config: { ...writes, summary: 'Tirar um contato de uma campanha', errors: ['ERR_CONFLICT'] },
      schema: { params: params.extend({ contactId: id }), response: { 200: campaign } },
    },
    ({ actor, params }) => removeRecipient(actor, params.id, params.contactId),
  )
  app.post(
    '/campaigns/:id/rehearsal',
    {
      config: {
        ...reads,
        summary: 'Ensaiar uma campanha: quem recebe, quanto custa e quando termina',
        errors: ['ERR_CONFLICT', 'ERR_BUSY'],
      },
      schema: { params, response: { 200: campaignRehearsal } },
    },
    ({ actor, params }) => rehearse(actor, params.id),
  )
  app.post(
    '/campaigns/:id/checkNumbers',
    {
      config: {
        ...writes,
        summary: 'Conferir na rede quais números do público existem',
        errors: ['ERR_WAPP_CHECK_CONTACT', 'ERR_NO_WAPP_FOUND'],
      },
      schema: { params, body: checkNumbersBody, response: { 202: bulkJob } },
    },
    async ({ actor, params, body }, reply) =>
      reply
        .status(202)
        .send(await checkCampaignNumbers(actor, { campaignId: params.id, connectionId: body.connectionId })),
  )
  app.post(
    '/campaigns/:id/test',
    {
      config: { ...writes, summary: 'Enviar a si uma campanha como teste', errors: ['ERR_NO_WAPP_FOUND'] },
      schema: { params, body: campaignTestBody, response: { 200: campaignTested } },
    },
    ({ actor, params, body }) => sendTest(actor, params.id, body),
  )
  app.post(
    '/campaigns/export',
    {
      config: { ...reads, summary: 'Pedir a exportação das campanhas' },
      schema: { body: campaignsQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await campaignsExport.enqueue(actor, body)),
  )
  app.post(
    '/campaigns/contacts/:id/export',
    {
      config: { can: 'contacts.export', summary: 'Pedir a exportação dos destinatários de uma campanha' },
      schema: { params, body: recipientsExportBody, response: { 202: bulkJob } },
    },
    async ({ actor, params, body: { format, ...query } }, reply) => {
      const asked = { ...query, campaignId: params.id }
      const job = format === 'xlsx' ? enqueueRecipientsXlsx(actor, asked) : recipientsExport.enqueue(actor, asked)
      return reply.status(202).send(await job)
    },
  )
  // The same as /campaigns/{id}/start and its neighbours, by the names that other programs know.
  for (const [path, summary, run] of [
    ['/campaigns/start/:id', 'Iniciar uma campanha', startCampaign],
    ['/campaigns/cancel/:id', 'Cancelar uma campanha pelo nome antigo da chamada', cancelCampaign],
    ['/campaigns/:id/proceed', 'Continuar depois do primeiro grupo', resumeCampaign],
  ] as const)
    app.post(
      path,
      {
        config: { ...writes, summary, errors: ['ERR_INVALID_TRANSITION', 'ERR_CONFLICT'] },
        schema: { params, response: { 200: campaign } },
      },
      ({ actor, params }) => run(actor, params.id),
    )
}
