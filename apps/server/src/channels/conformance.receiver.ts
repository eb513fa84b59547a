import { buffer } from 'node:stream/consumers'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import Fastify from 'fastify'
import type { ChannelAdapter, ChannelContext, Fetched, InboundEvent, JournalPiece, RawRequest } from './adapter.ts'

type Journalled = { key: string; payload: unknown; events: InboundEvent[] }

/**
 * The smallest product around an adapter: raw bytes in, verified, split, journalled by key, parsed. Payloads go through
 * JSON text once, as the journal stores them. For tests.
 */
export const startReceiver = async <K extends ChannelKind>(adapter: ChannelAdapter<K>) => {
  let context: ChannelContext<K> | undefined
  const files = new Map<string, { bytes: Buffer; mime: string }>()
  /** Everybody who asked for a file of ours, with what they said of themselves. */
  const fetched: { path: string; said: string }[] = []
  const calls: { status: number; pieces: string[] }[] = []
  const journal = new Map<string, Journalled>()
  const keep = (pieces: JournalPiece[]) => {
    for (const { key, payload } of pieces) {
      if (journal.has(key)) continue
      const stored: unknown = JSON.parse(JSON.stringify(payload))
      journal.set(key, { key, payload: stored, events: adapter.parse(stored) })
    }
  }
  const app = Fastify({ forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.all('/hook', async (request, reply) => {
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const query = Object.fromEntries(new URL(request.url, 'http://x').searchParams)
    const raw: RawRequest = { method: request.method, headers: request.headers, query, rawBody, body: parsed(rawBody) }
    if (!context) return reply.code(503).send()
    if (request.method === 'GET') {
      const answer = adapter.hook?.handshake?.(raw, context)
      return answer === undefined ? reply.code(403).send() : reply.type('text/plain').send(answer)
    }
    const isOurs = (await adapter.hook?.verify(raw, context)) ?? false
    const pieces = isOurs ? adapter.split(raw.body) : []
    calls.push({ status: isOurs ? 200 : 401, pieces: pieces.map(({ key }) => key) })
    if (!isOurs) return reply.code(401).send()
    keep(pieces)
    return {}
  })

  app.get('/files/:name', async (request, reply) => {
    fetched.push({ path: request.url, said: JSON.stringify(request.headers) })
    const file = files.get(request.url)
    return file ? reply.type(file.mime).send(file.bytes) : reply.code(404).send()
  })

  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `${origin}/hook`
  return {
    url,
    calls,
    journal,
    fetched,
    /** What a session brings, as it is journalled. */
    keep,
    /** An address of ours at which a file is had. */
    offer: (bytes: Buffer, mime: string): string => {
      const path = `/files/${files.size + 1}`
      files.set(path, { bytes, mime })
      return `${origin}${path}`
    },
    use: (next: ChannelContext<K>) => {
      context = next
    },
    events: () => [...journal.values()].flatMap((one) => one.events),
    clear: () => {
      journal.clear()
      calls.length = 0
      fetched.length = 0
    },
    close: () => app.close(),
  }
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return bytes.toString('utf8')
  }
}

/** A received file whole, whichever way it comes. */
export const wholeOf = async (fetched: Fetched | undefined): Promise<Buffer | undefined> =>
  fetched?.stream ? buffer(fetched.stream) : fetched?.bytes
