import { randomUUID } from 'node:crypto'
import { constants as zlib } from 'node:zlib'
import { type ErrorBody, errorCodes, errorText } from '@balcao/contract/errors.ts'
import { portuguese } from '@balcao/contract/portuguese.ts'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { z } from 'zod'
import { isDatabaseAway, isTooSlow } from './db/database-away.ts'
import { ShareTaken } from './db/shares.ts'
import { env } from './env.ts'
import { areas, rootAreas } from './features/index.ts'
import { readActor } from './features/people/auth/access-token.ts'
import { describeApi } from './features/platform/platform/openapi.ts'
import { securityHeaders } from './kit/content-security.ts'
import { unfitData } from './kit/database-problem.ts'
import { AppError } from './kit/errors.ts'
import { countBody } from './kit/held-bodies.ts'
import type { App, Routes } from './kit/http.ts'
import { log } from './kit/log.ts'
import { isStorageFull } from './kit/storage.ts'
import { cleanJson, isTooDeep } from './kit/text.ts'
import { serveWeb } from './web.ts'

/** Routes seen at registration: the walks of the tests read them, so a new route is covered by itself. */
export type RouteCard = { method: string; url: string; can: string | null }

/** The HTTP side of the product: every feature under /api, provider webhooks under /hooks, the web app elsewhere. */
export const buildApp = async (): Promise<App & { inventory: RouteCard[]; declared: RouteOptions[] }> => {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: env.TRUST_PROXY,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQuery, maxParamLength: 500 },
    frameworkErrors: (_error, { id }, reply: unknown) => notThere(id, reply as FastifyReply), // its own type depends on routes that are not there
    bodyLimit: 2 * 1024 * 1024,
    requestTimeout: 1_800_000, // the largest file on a slow line
  }).withTypeProvider<ZodTypeProvider>()
  const inventory: RouteCard[] = []

  z.config({ customError: portuguese }) // whatever a schema refuses is told in our language
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  const readJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    isTooDeep(body) ? done(new AppError('ERR_VALIDATION')) : readJson(request, cleanJson(body), done),
  )

  const declared: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    declared.push(route)
  })
  app.addHook('onReady', async () => {
    for (const route of declared) {
      if (!route.config?.can && !route.config?.public)
        throw new Error(`${route.method} ${route.url} declares neither can nor public`)
      for (const method of [route.method].flat()) {
        if (method !== 'HEAD' && method !== 'OPTIONS')
          inventory.push({ method, url: route.url, can: route.config.can ?? null })
      }
    }
  })
  await app.register(compress, {
    threshold: 2_048,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } },
  })
  await app.register(cookie)
  const headers = securityHeaders(env.PUBLIC_URL)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  app.addHook('onRequest', authorise) // after the headers, which a refusal wears too
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // A file goes to the disk as it comes, once somebody asks for it. What it is, its parser would only say later.
    const isFile = /^multipart\//i.test(request.headers['content-type'] ?? '')
    if (request.method !== 'GET' && !isFile) countBody(request.raw)
    done()
  })
  await app.register(rateLimit, { global: false })
  await app.register(multipart, { limits: { fileSize: env.MEDIA_MAX_MB * 1024 * 1024, files: 1, fields: 10 } })
  await app.register(
    async (api) => {
      // A body left out is an empty one: what a call needs of it, its schema says.
      api.addHook('preValidation', async (request) => {
        request.body ??= {}
      })
      for (const [area, features] of Object.entries(areas)) await registerArea(api, area, features)
    },
    { prefix: '/api' },
  )
  for (const [area, features] of Object.entries(rootAreas))
    for (const routes of features) await registerArea(app, area, [routes])
  await serveWeb(app)
  let reference: string | undefined // seconds of work, the same as long as the process lives
  app.decorate('reference', () => {
    reference ??= JSON.stringify(describeApi(declared))
    return reference
  })
  return Object.assign(app, { inventory, declared })
}

/** The routes of an area know that they are of it. */
const registerArea = async (parent: Pick<App, 'register'>, area: string, features: Routes[]) => {
  await parent.register(async (scope) => {
    scope.addHook('onRoute', ({ config }) => {
      if (config) config.area = area
    })
    for (const routes of features) routes(scope.withTypeProvider<ZodTypeProvider>())
  })
}

/** `a=1&a=2` and `a[]=1&a[]=2` are the same list. */
const parseQuery = (text: string): Record<string, string | string[]> => {
  const query = new URLSearchParams(text.replaceAll('%00', ''))
  const names = new Set(query.keys())
  return Object.fromEntries(
    [...names].map((name) => {
      const values = query.getAll(name)
      const [first = ''] = values
      return [name.replace(/\[\]$/, ''), values.length > 1 ? values : first]
    }),
  )
}

const authorise = async (request: FastifyRequest) => {
  const { can } = request.routeOptions.config
  if (!can) return
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme !== 'Bearer' || !token) throw new AppError('ERR_SESSION_EXPIRED')
  const actor = await readActor(token)
  request.actor = actor
  if (!actor.permissions.has(can)) {
    request.log.warn(
      { tenantId: actor.tenantId, userId: actor.userId, route: request.routeOptions.url, can },
      'refused',
    )
    throw new AppError('ERR_NO_PERMISSION')
  }
}

/** Every failure becomes `{ error, message, details?, requestId }`; the unexpected tells nothing of the inside. */
const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
  const answer = (status: number, body: Omit<ErrorBody, 'requestId'>) =>
    reply.status(status).send({ ...body, requestId: request.id })

  if (error instanceof AppError) {
    if (error.retryAfterS) reply.header('retry-after', String(error.retryAfterS))
    return answer(error.status, { error: error.code, message: error.message, details: error.details })
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.map((issue) => ({
      path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: issue.message ?? 'Valor inválido.',
    }))
    return answer(422, { error: 'ERR_VALIDATION', message: errorCodes.ERR_VALIDATION.text, details })
  }
  if (isBrokenUpload(error)) {
    const details = [{ path: 'file', message: 'O arquivo chegou incompleto. Envie de novo.' }]
    return answer(422, { error: 'ERR_VALIDATION', message: errorCodes.ERR_VALIDATION.text, details })
  }
  const status = error.statusCode ?? 500
  if (status === 429) return answer(429, { error: 'ERR_TOO_MANY', message: errorCodes.ERR_TOO_MANY.text })
  if (status === 413) return answer(413, { error: 'ERR_TOO_LARGE', message: errorCodes.ERR_TOO_LARGE.text })
  if (status < 500)
    return answer(status === 404 ? 404 : 422, { error: 'ERR_VALIDATION', message: errorText('ERR_VALIDATION') ?? '' })
  const unfit = unfitData(error)
  if (unfit) {
    request.log.warn({ err: error, tenantId: request.actor?.tenantId, route: request.routeOptions.url }, 'unfit data')
    return answer(422, { error: 'ERR_VALIDATION', message: errorCodes.ERR_VALIDATION.text, details: [unfit] })
  }
  if (isStorageFull(error)) return answer(507, { error: 'ERR_STORAGE_FULL', message: errorCodes.ERR_STORAGE_FULL.text })
  if (error instanceof ShareTaken && error.kind !== 'live') {
    reply.header('retry-after', '2')
    return answer(429, { error: 'ERR_BUSY', message: errorCodes.ERR_BUSY.text })
  }
  if (isTooSlow(error)) {
    request.log.warn({ tenantId: request.actor?.tenantId, route: request.routeOptions.url }, 'statement too slow')
    return answer(422, { error: 'ERR_TOO_SLOW', message: errorCodes.ERR_TOO_SLOW.text })
  }
  if (isDatabaseAway(error)) return answer(503, { error: 'ERR_UNAVAILABLE', message: errorCodes.ERR_UNAVAILABLE.text })
  request.log.error({ err: error, tenantId: request.actor?.tenantId, route: request.routeOptions.url }, 'unexpected')
  return answer(500, { error: 'ERR_INTERNAL', message: errorCodes.ERR_INTERNAL.text })
}

/** The reader of multipart bodies tells by its words alone that one is malformed. */
const isBrokenUpload = ({ message }: Error) =>
  /^(Unexpected end of (form|file|multipart data)|Malformed part header|Multipart: Boundary not found)$/.test(message)

/** An address that cannot even be read. */
const notThere = (requestId: string, reply: FastifyReply) =>
  reply.status(404).send({ error: 'ERR_NOT_FOUND', message: errorCodes.ERR_NOT_FOUND.text, requestId })
