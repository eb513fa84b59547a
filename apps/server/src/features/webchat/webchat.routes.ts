import { id } from '@balcao/contract/common.ts'
import {
  webchatEvent,
  webchatMessage,
  webchatPreChat,
  webchatSend,
  webchatSession,
  webchatSessionBody,
  webchatUpload,
  webchatVisitor,
} from '@balcao/contract/webchat.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, fieldErrors } from '../../kit/errors.ts'
import type { Routes } from '../../kit/http.ts'
import { log } from '../../kit/log.ts'
import { receiveFromVisitor } from './receive.ts'
import { type Caller, openSession, requireSession } from './sessions.ts'
import { storeUpload, uploadMaxBytes } from './uploads.ts'
import { saveContact } from './visitor-contact.ts'
import { readVisitorDetails } from './visitor-details.ts'
import { handleEvent, noteSeen } from './visitor-events.ts'
import { readVisitor } from './visitor-token.ts'
import { listMessages } from './window-messages.ts'
import { listenToContact } from './windows.ts'

const bearer = (request: FastifyRequest) => request.headers.authorization?.replace(/^Bearer /, '')
const callerOf = async (request: FastifyRequest): Promise<Caller> => requireSession(await readVisitor(bearer(request)))

const publicly = (rateLimit: object) => ({ public: true as const, rateLimit })
/** Per visitor where there is one, else per address. */
const perVisitor = (max: number) => ({
  max,
  timeWindow: '1 minute',
  keyGenerator: (request: FastifyRequest) => bearer(request)?.slice(-43) ?? request.ip,
})
/** New visitors of one address are few; a whole office that comes back every quarter of an hour is not. */
const perAddress = {
  hook: 'preHandler',
  timeWindow: '1 hour',
  max: (request: FastifyRequest) => (isReturning(request) ? 1_200 : 60),
  keyGenerator: (request: FastifyRequest) => `${isReturning(request) ? 'back' : 'new'}:${request.ip}`,
}
const isReturning = ({ body }: FastifyRequest) =>
  typeof body === 'object' && body !== null && 'resumeToken' in body && Boolean(body.resumeToken)

const edge = z.coerce.number().int().optional()

/** The public API of the chat window; who calls is proven by the visitor's own token. */
export const webchatRoutes: Routes = (app) => {
  app.post(
    '/webchat/session',
    { config: publicly(perAddress), schema: { body: webchatSessionBody, response: { 200: webchatSession } } },
    async ({ body, headers }) => openSession(body, headers['user-agent']),
  )

  app.get(
    '/tickets/:id/visitor',
    { config: { can: 'messages.read' }, schema: { params: z.object({ id }), response: { 200: webchatVisitor } } },
    ({ actor, params }) => readVisitorDetails(actor, params.id),
  )

  app.get(
    '/webchat/messages',
    {
      config: publicly(perVisitor(120)),
      schema: {
        querystring: z.object({ after: edge, before: edge }),
        response: { 200: z.object({ items: z.array(webchatMessage), hasMore: z.boolean() }) },
      },
    },
    async (request) => {
      const caller = await callerOf(request)
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
    { config: publicly(perVisitor(30)), schema: { body: webchatSend, response: { 201: webchatMessage } } },
    async (request, reply) => reply.status(201).send(await receiveFromVisitor(await callerOf(request), request.body)),
  )

  app.post(
    '/webchat/uploads',
    { config: publicly(perVisitor(10)), schema: { response: { 201: webchatUpload } } },
    async (request, reply) => {
      const caller = await callerOf(request)
      if (!request.isMultipart()) throw noFile()
      if (Number(request.headers['content-length'] ?? 0) > uploadMaxBytes + 64 * 1024)
        throw new AppError('ERR_TOO_LARGE')
      const part = await request.file({ limits: { fileSize: uploadMaxBytes, files: 1 } })
      if (!part) throw noFile()
      return reply.status(201).send(await storeUpload(caller, part))
    },
  )

  app.post(
    '/webchat/events',
    { config: publicly(perVisitor(240)), schema: { body: webchatEvent, response: { 204: z.void() } } },
    async (request, reply) => {
      await handleEvent(await callerOf(request), request.body)
      return reply.status(204).send()
    },
  )

  app.post(
    '/webchat/prechat',
    { config: publicly(perVisitor(10)), schema: { body: webchatPreChat, response: { 204: z.void() } } },
    async (request, reply) => {
      const caller = await callerOf(request)
      const { email } = request.body
      if (email && !z.email().safeParse(email).success)
        throw fieldErrors({ path: 'email', message: 'Informe um e-mail válido.' })
      listenToContact(caller, await saveContact(caller, request.body))
      return reply.status(204).send()
    },
  )
}

const noFile = () => fieldErrors({ path: 'file', message: 'Escolha um arquivo.' })
