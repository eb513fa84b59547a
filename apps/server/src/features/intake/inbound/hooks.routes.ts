import { channelKinds } from '@balcao/contract/channels/index.ts'
import { id } from '@balcao/contract/common.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppParts, RawRequest } from '../../../channels/adapter.ts'
import { loadAdapter } from '../../../channels/index.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { log } from '../../../kit/log.ts'
import { isTooDeep } from '../../../kit/text.ts'
import { findConnection, findConnectionByExternal, type OpenConnection } from '../../channels/connections/context.ts'
import { findByVerifyToken, findByWabaId } from './app-handshake.ts'
import { processJournal } from './inbound.service.ts'
import { writeJournal } from './journal.ts'

const bodyLimit = 10 * 1024 * 1024
/** Numbers and accounts one call may speak of: each is looked for before anybody knows who calls. */
const mostNamed = 250
const nobody: AppParts = { numbers: new Map(), accounts: new Map() }
/** The address of a whole app: one app of the provider has many numbers, or many pages. */
const ofApp = { params: z.object({ kind: z.enum(channelKinds) }) }
const target = { params: z.object({ kind: z.enum(channelKinds), connectionId: id }) }

/** Where providers call us. Signatures are computed over the raw bytes, so nothing parses them before us. */
export const hookRoutes: Routes = (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))

  app.get(
    '/hooks/:kind',
    {
      config: {
        public: true,
        summary: 'Confirmar o endereço de um aplicativo da Meta',
        errors: ['ERR_WEBHOOK_SIGNATURE'],
        gives: 'text/plain',
      },
      schema: ofApp,
    },
    async (request, reply) => {
      const raw = rawOf(request)
      const connection = await findByVerifyToken(request.params.kind, raw.query['hub.verify_token'] ?? '')
      return reply.type('text/plain').send(handshake(connection, raw))
    },
  )
  app.post(
    '/hooks/:kind',
    {
      config: {
        public: true,
        summary: 'Receber os avisos de um aplicativo da Meta',
        errors: ['ERR_NO_WAPP_FOUND', 'ERR_WEBHOOK_SIGNATURE'],
      },
      schema: ofApp,
      bodyLimit,
    },
    async (request) => {
      const raw = rawOf(request)
      const { kind } = request.params
      const parts: { connection: OpenConnection; body: unknown }[] = []
      const { numbers, accounts } = (await loadAdapter(kind)).hook?.partsOfApp?.(raw.body) ?? nobody
      if (numbers.size + accounts.size > mostNamed) throw new AppError('ERR_TOO_LARGE')
      for (const [externalId, body] of numbers) {
        const connection = await findConnectionByExternal(kind, externalId)
        if (connection) parts.push({ connection, body })
      }
      for (const { connection } of parts) await check(connection, raw)
      parts.push(...(await partsOfAccounts(raw, accounts)))
      if (!parts.length) throw new AppError('ERR_NO_WAPP_FOUND')
      await Promise.all(parts.map(({ connection, body }) => accept(connection, body)))
      return {}
    },
  )

  app.get(
    '/hooks/:kind/:connectionId',
    {
      config: {
        public: true,
        summary: 'Confirmar o endereço de um canal',
        errors: ['ERR_WEBHOOK_SIGNATURE'],
        gives: 'text/plain',
      },
      schema: target,
    },
    async (request, reply) => {
      const connection = await requireConnection(request.params)
      return reply.type('text/plain').send(handshake(connection, rawOf(request)))
    },
  )
  app.post(
    '/hooks/:kind/:connectionId',
    {
      config: {
        public: true,
        summary: 'Receber os avisos de um canal',
        errors: ['ERR_WAPP_NOT_INITIALIZED', 'ERR_WEBHOOK_SIGNATURE'],
      },
      schema: target,
      bodyLimit,
    },
    async (request, reply) => {
      const connection = await requireConnection(request.params)
      const raw = rawOf(request)
      await check(connection, raw)
      // Whoever fills the form chooses its secrets: only a provider that answered proves whose account it is. What comes
      // while we are still asking, the provider repeats.
      if (!connection.externalId) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      for (const body of ownParts(connection, raw.body)) await accept(connection, body)
      const answer = connection.adapter.hook?.answer?.(raw.body)
      return answer === null ? reply.code(204).send() : (answer ?? {})
    },
  )
}

/** What an app says of other numbers or pages at the address of this one is theirs; what names none is kept to be looked at. */
const ownParts = ({ adapter, externalId }: OpenConnection, body: unknown): unknown[] => {
  const { numbers, accounts } = adapter.hook?.partsOfApp?.(body) ?? nobody
  if (!numbers.size) return [body]
  return [...numbers].flatMap(([name, part]) => (name === externalId ? [part] : [])).concat(...accounts.values())
}

/**
 * What is said of a whole account concerns each of its numbers here. Anybody may type any account's id in a form: the
 * signature tells whose it is.
 */
const partsOfAccounts = async (raw: RawRequest, accounts: AppParts['accounts']) => {
  const parts: { connection: OpenConnection; body: unknown }[] = []
  for (const [wabaId, body] of accounts) {
    const connections = await findByWabaId(wabaId)
    const proofs = await Promise.all(connections.map((one) => isSigned(one, raw)))
    const signed = connections.filter((_, at) => proofs[at])
    if (connections.length && !signed.length) throw new AppError('ERR_WEBHOOK_SIGNATURE')
    parts.push(...signed.map((connection) => ({ connection, body })))
  }
  return parts
}

const requireConnection = async ({ kind, connectionId }: z.output<typeof target.params>) => {
  const connection = await findConnection(connectionId)
  if (connection?.kind !== kind) throw new AppError('ERR_NO_WAPP_FOUND')
  return connection
}

const handshake = (connection: OpenConnection | undefined, raw: RawRequest): string => {
  const answer = connection?.adapter.hook?.handshake?.(raw, connection.context)
  if (answer === undefined) throw new AppError('ERR_WEBHOOK_SIGNATURE')
  return answer
}

const isSigned = async ({ adapter, context }: OpenConnection, raw: RawRequest): Promise<boolean> =>
  (await adapter.hook?.verify(raw, context)) ?? false

const check = async (connection: OpenConnection, raw: RawRequest) => {
  if (await isSigned(connection, raw)) return
  // What proves it may be something we learn in this very moment, by connecting for the first time.
  if (!connection.externalId) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
  log.warn({ tenantId: connection.tenantId, connectionId: connection.id }, 'webhook refused: bad signature')
  throw new AppError('ERR_WEBHOOK_SIGNATURE')
}

/** Journalled first, answered then, handled after: what was acknowledged is never lost. */
const accept = async (connection: OpenConnection, body: unknown) => {
  const fresh = await writeJournal(
    { tenantId: connection.tenantId, connectionId: connection.id },
    connection.adapter.split(body),
  )
  setImmediate(() => processJournal(connection, fresh))
  for (const { payload } of fresh) connection.adapter.acknowledge?.(payload, connection.context).catch(() => {}) // a courtesy
}

const anyQuery = z.record(z.string(), z.unknown())
const rawOf = (request: FastifyRequest): RawRequest => {
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const query = Object.entries(anyQuery.parse(request.query))
  return {
    method: request.method,
    headers: request.headers,
    query: Object.fromEntries(query.map(([name, value]) => [name, typeof value === 'string' ? value : undefined])),
    rawBody,
    body: parsed(rawBody),
  }
}

/** What is not JSON is kept as text, for somebody to look at. */
const parsed = (bytes: Buffer): unknown => {
  const text = bytes.toString('utf8')
  if (isTooDeep(text)) throw new AppError('ERR_VALIDATION')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
