import {
  bulkAnswer,
  bulkBody,
  bulkSmsBody,
  bulkTemplateBody,
  bulkVariableBody,
  individualBody,
} from '@balcao/contract/operations/campaigns/calls.ts'
import { campaignContent } from '@balcao/contract/operations/campaigns/content.ts'
import type { Routes } from '../../../kit/http.ts'
import { fileFromUrl } from '../../conversations/messages/file-from-url.ts'
import { takeForm } from '../../core/media/form.ts'
import { contentOf, sendToMany, smsConnection, templateOf, withColumns } from './mass.service.ts'

const config = (summary: string) => ({
  can: 'campaigns.write' as const,
  summary,
  errors: ['ERR_CONFLICT' as const, 'ERR_NO_WAPP_FOUND' as const],
})
/** As many numbers as a call may have. */
const bodyLimit = 10 * 1024 * 1024
const form = { preValidation: takeForm(['arrayNumbers', 'contactIds', 'tagIds', 'laneIds', 'rows', 'components']) }
const withFiles = (summary: string, ...takesForm: string[]) => ({ ...config(summary), takesForm })

/** Sends to many by the names that other programs know them by: each is a campaign that starts now. */
export const massRoutes: Routes = (app) => {
  for (const [path, summary] of [
    ['/bulk', 'Enviar uma mensagem a muitos'],
    // Nothing that is sent to many leaves a conversation open: this is the same.
    ['/bulkClose', 'Enviar uma mensagem a muitos e deixar as conversas encerradas'],
  ] as const)
    app.post(
      path,
      {
        ...form,
        config: withFiles(summary, 'media', 'voice'),
        bodyLimit,
        schema: { body: bulkBody, response: { 201: bulkAnswer } },
      },
      async ({ actor, body }, reply) =>
        reply.status(201).send(
          await sendToMany(actor, {
            ...{ origin: 'text', noun: 'Texto', connectionId: body.whatsappId, target: body },
            content: await contentOf(actor, body),
          }),
        ),
    )
  app.post(
    '/individual',
    {
      ...form,
      config: withFiles('Enviar uma mensagem a um número', 'media', 'voice'),
      schema: { body: individualBody, response: { 201: bulkAnswer } },
    },
    async ({ actor, body }, reply) =>
      reply.status(201).send(
        await sendToMany(actor, {
          ...{ origin: 'api', noun: 'Mensagem', connectionId: body.whatsappId, target: { ...body, arrayNumbers: [] } },
          content: await contentOf(actor, body),
        }),
      ),
  )
  app.post(
    '/bulkVariable',
    {
      ...form,
      config: withFiles('Enviar a cada linha de uma tabela o texto com os seus valores', 'media', 'voice'),
      bodyLimit,
      schema: { body: bulkVariableBody, response: { 201: bulkAnswer } },
    },
    async ({ actor, body }, reply) => {
      const { rows } = body
      const filled = { ...body, message: withColumns(body.message, rows) }
      return reply.status(201).send(
        await sendToMany(actor, {
          ...{ origin: 'variables', noun: 'Texto com variáveis', connectionId: body.whatsappId, target: body, rows },
          content: await contentOf(actor, filled),
        }),
      )
    },
  )
  for (const [path, summary] of [
    ['/bulkSms', 'Enviar um SMS a muitos'],
    ['/sendSms', 'Enviar um SMS'],
    // By which provider is for the connection to say: one of these names or another is the same call.
    ['/bulkSmsConecta', 'Enviar um SMS a muitos, pelo nome da chamada de outro provedor'],
    ['/sendSmsConecta', 'Enviar um SMS, pelo nome da chamada de outro provedor'],
    ['/bulkSmsLivson', 'Enviar um SMS a muitos, pelo nome da chamada de um terceiro provedor'],
    ['/sendSmsLivson', 'Enviar um SMS, pelo nome da chamada de um terceiro provedor'],
  ] as const)
    app.post(
      path,
      { config: config(summary), bodyLimit, schema: { body: bulkSmsBody, response: { 201: bulkAnswer } } },
      async ({ actor, body }, reply) =>
        reply.status(201).send(
          await sendToMany(actor, {
            ...{ origin: 'sms', noun: 'SMS', connectionId: await smsConnection(actor, body.whatsappId), target: body },
            content: campaignContent.parse({ parts: body.message ? [{ kind: 'text', body: body.message }] : [] }),
          }),
        ),
    )
  app.post(
    '/wabametaBulkTemplateComponents',
    {
      ...form,
      config: withFiles('Enviar um modelo aprovado a muitos', 'media'),
      bodyLimit,
      schema: { body: bulkTemplateBody, response: { 201: bulkAnswer } },
    },
    async ({ actor, body }, reply) => {
      const { use, mediaUrl } = templateOf(body)
      const { rows } = body
      const fill = (text: string) => withColumns(text, rows)
      const template = {
        ...use,
        header: use.header.map(fill),
        body: use.body.map(fill),
        buttons: Object.fromEntries(Object.entries(use.buttons).map(([at, text]) => [at, fill(text)])),
      }
      const templateMediaId = body.media ?? (mediaUrl ? await fileFromUrl(actor, mediaUrl) : null)
      return reply.status(201).send(
        await sendToMany(actor, {
          ...{ origin: rows.length ? 'templateVariables' : 'template', noun: 'Modelo', connectionId: body.whatsappId },
          ...{ target: body, rows, content: campaignContent.parse({ template, templateMediaId }) },
        }),
      )
    },
  )
}
