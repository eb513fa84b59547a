import { id } from '@balcao/contract/common.ts'
import {
  helpArticle,
  previewLink,
  previewLinkBody,
  siteCheck,
  siteCheckBody,
  transcriptAsked,
  transcriptBody,
  transcriptConfirm,
  webchatEvent,
  webchatMessage,
  webchatPreChat,
  webchatSend,
  webchatSession,
  webchatSessionBody,
  webchatUpload,
  webchatVisitor,
} from '@balcao/contract/intake/webchat.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { log } from '../../../kit/log.ts'
import { addressKey } from '../../people/auth/attempts.ts'
import { createDoor } from './limits.ts'
import { linkToDraft } from './look-draft.ts'
import { takeAnswers } from './prechat.ts'
import { receiveFromVisitor } from './receive.ts'
import { openSession } from './sessions.ts'
import { helpOf } from './site.ts'
import { checkSite } from './site-check.ts'
import { askTranscript, confirmTranscript } from './transcript.ts'
import { storeUpload, uploadLimit } from './uploads.ts'
import { readVisitorDetails } from './visitor-details.ts'
import { handleEvent, noteSeen } from './visitor-events.ts'
import { listMessages } from './window-messages.ts'
import { listenToContact } from './windows.ts'

/** New visitors of one address are few; a whole office that comes back every quarter of an hour is not. */
const perAddress = {
  hook: 'preHandler' as const,
  timeWindow: '1 hour',
  max: (request: FastifyRequest) => (isReturning(request) ? 1_200 : 60),
  keyGenerator: (request: FastifyRequest) => `${isReturning(request) ? 'back' : 'new'}:${addressKey(request.ip)}`,
}
const isReturning = ({ body }: FastifyRequest) =>
  typeof body === 'object' && body !== null && 'resumeToken' in body && Boolean(body.resumeToken)

const edge = z.coerce.number().int().optional()

/** The public API of the chat window; who calls is proven by the visitor's own token. */
export const webchatRoutes: Routes = (app) => {
  const doors = {
    read: createDoor(app, 120),
    write: createDoor(app, 30),
    upload: createDoor(app, 10),
    tell: createDoor(app, 240),
    introduce: createDoor(app, 10),
  }

  app.post(
    '/webchat/session',
    {
      config: {
        public: true,
        rateLimit: perAddress,
        summary: 'Abrir a sessão de um visitante',
        errors: ['ERR_NOT_FOUND', 'ERR_WEBCHAT_DOMAIN'],
      },
      schema: { body: webchatSessionBody, response: { 200: webchatSession } },
    },
    async ({ body, headers }) => openSession(body, headers['user-agent']),
  )

  app.get(
    '/tickets/:id/visitor',
    {
      config: { can: 'messages.read', summary: 'Ler de onde um visitante escreve', errors: ['ERR_NO_TICKET_FOUND'] },
      schema: { params: z.object({ id }), response: { 200: webchatVisitor } },
    },
    ({ actor, params }) => readVisitorDetails(actor, params.id),
  )

  app.post(
    '/whatsapp/:id/site-check',
    {
      config: {
        can: 'connections.write',
        summary: 'Verificar se o chat aparece numa página do site',
        errors: ['ERR_NO_WAPP_FOUND', 'ERR_EGRESS_REFUSED', 'ERR_TOO_MANY'],
      },
      schema: { params: z.object({ id }), body: siteCheckBody, response: { 200: siteCheck } },
    },
    ({ actor, params, body }) => checkSite(actor, params.id, body.address),
  )

  app.post(
    '/whatsapp/:id/preview-link',
    {
      config: {
        can: 'connections.write',
        summary: 'Gerar o link de uma prévia do chat no próprio site',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { params: z.object({ id }), body: previewLinkBody, response: { 200: previewLink } },
    },
    ({ actor, params, body }) => linkToDraft(actor, params.id, body),
  )

  app.get(
    '/webchat/messages',
    {
      config: { public: true, summary: 'Ler as mensagens da janela', errors: ['ERR_SESSION_EXPIRED'] },
      schema: {
        querystring: z.object({ after: edge, before: edge }),
        response: { 200: z.object({ items: z.array(webchatMessage), hasMore: z.boolean() }) },
      },
    },
    async (request) => {
      const caller = await doors.read(request)
      const page = await listMessages(caller, request.query)
      const arrived = page.items.findLast((item) => item.from !== 'visitor' && item.status === 'sent')
      if (arrived)
        noteSeen(caller, arrived.seq, 'delivered').catch((error) =>
          log.warn({ err: error, tenantId: caller.tenantId }, 'web chat delivery not noted'),
        )
      return page
    },
  )

  app.post(
    '/webchat/messages',
    {
      config: {
        public: true,
        summary: 'Enviar uma mensagem como visitante',
        errors: ['ERR_SESSION_EXPIRED', 'ERR_TOO_MANY'],
      },
      schema: { body: webchatSend, response: { 201: webchatMessage } },
    },
    async (request, reply) =>
      reply.status(201).send(await receiveFromVisitor(await doors.write(request), request.body)),
  )

  app.post(
    '/webchat/uploads',
    {
      config: {
        public: true,
        summary: 'Enviar um arquivo como visitante',
        errors: ['ERR_SESSION_EXPIRED', 'ERR_TOO_MANY'],
        takesFile: true,
      },
      schema: { response: { 201: webchatUpload } },
    },
    async (request, reply) => {
      const caller = await doors.upload(request)
      if (!request.isMultipart()) throw noFile()
      const maxBytes = uploadLimit(caller.webchat.config)
      if (Number(request.headers['content-length'] ?? 0) > maxBytes + 64 * 1024) throw new AppError('ERR_TOO_LARGE')
      const part = await request.file({ limits: { fileSize: maxBytes, files: 1 } })
      if (!part) throw noFile()
      return reply.status(201).send(await storeUpload(caller, part))
    },
  )

  app.post(
    '/webchat/events',
    {
      config: {
        public: true,
        summary: 'Informar o que o visitante faz na janela',
        errors: ['ERR_SESSION_EXPIRED', 'ERR_TOO_MANY'],
      },
      schema: { body: webchatEvent, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await handleEvent(await doors.tell(request), request.body)
      return reply.status(204).send()
    },
  )

  app.get(
    '/webchat/help',
    {
      config: { public: true, summary: 'Ler a ajuda da janela', errors: ['ERR_SESSION_EXPIRED', 'ERR_TOO_MANY'] },
      schema: { response: { 200: z.object({ items: z.array(helpArticle) }) } },
    },
    async (request) => ({ items: await helpOf((await doors.read(request)).webchat) }),
  )

  app.post(
    '/webchat/transcript',
    {
      config: {
        public: true,
        summary: 'Pedir a cópia da conversa por e-mail',
        errors: ['ERR_SESSION_EXPIRED', 'ERR_TOO_MANY', 'ERR_NO_PERMISSION'],
      },
      schema: { body: transcriptBody, response: { 200: transcriptAsked } },
    },
    async (request) => askTranscript(await doors.introduce(request), request.body),
  )

  app.post(
    '/webchat/transcript/confirm',
    {
      config: {
        public: true,
        summary: 'Confirmar o e-mail da cópia da conversa',
        errors: ['ERR_SESSION_EXPIRED', 'ERR_TOO_MANY', 'ERR_NO_PERMISSION'],
      },
      schema: { body: transcriptConfirm, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await confirmTranscript(await doors.introduce(request), request.body)
      return reply.status(204).send()
    },
  )

  app.post(
    '/webchat/prechat',
    {
      config: { public: true, summary: 'Dizer quem é o visitante', errors: ['ERR_SESSION_EXPIRED', 'ERR_TOO_MANY'] },
      schema: { body: webchatPreChat, response: { 204: z.void() } },
    },
    async (request, reply) => {
      const caller = await doors.introduce(request)
      listenToContact(caller, await takeAnswers(caller, request.body.answers))
      return reply.status(204).send()
    },
  )
}

const noFile = () => fieldErrors({ path: 'file', message: 'Escolha um arquivo.' })
