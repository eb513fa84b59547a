import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault, Faults } from './faults.ts'
import { keep } from './keep.ts'

export type UploadedFile = { filename: string; mimeType: string; bytes: Buffer }

/** One call our product made to the provider. `body` is the parsed JSON or form; uploads are in `files` by field name. */
export type RecordedRequest = {
  at: number
  method: string
  path: string
  query: Record<string, string>
  headers: FastifyRequest['headers']
  body: unknown
  files: Record<string, UploadedFile>
  /** Status we answered with; undefined while in hand or when the connection was dropped. */
  status?: number
}

const records = new WeakMap<FastifyRequest, { record: RecordedRequest; fault?: Fault }>()

/** The record of the request in hand. */
export const recordOf = (req: FastifyRequest): RecordedRequest => {
  const entry = records.get(req)
  if (!entry) throw new Error('request was not recorded')
  return entry.record
}

/** Keeps every call, and lets the faults that were asked for happen to it. */
export function recordAndDisturb(app: FastifyInstance, requests: RecordedRequest[], faults: Faults) {
  app.addHook('preHandler', async (req, reply) => {
    const record = await readRequest(req)
    keep(requests, record)
    const fault = faults.take(record)
    records.set(req, { record, fault })
    const delayMs = (fault?.delayMs ?? 0) + faults.latencyMs
    if (delayMs > 0 && !fault?.afterAccepting) await sleep(delayMs)
    if (!fault || fault.afterAccepting) return
    if (fault.drop) return cut(req, reply)
    if (fault.status !== undefined)
      return reply
        .code(fault.status)
        .headers(fault.headers ?? {})
        .send(fault.body ?? {})
    if (fault.headers) reply.headers(fault.headers)
  })
  app.addHook('onSend', async (req, reply, payload) => {
    const fault = records.get(req)?.fault
    await fault?.answersAfter
    if (!fault?.afterAccepting) return payload
    if (fault.delayMs) await sleep(fault.delayMs)
    if (fault.status === undefined) {
      cut(req, reply)
      return payload
    }
    const body = JSON.stringify(fault.body ?? {})
    reply
      .code(fault.status)
      .headers(fault.headers ?? {})
      .header('content-length', Buffer.byteLength(body))
    return body
  })
  app.addHook('onResponse', async (req, reply) => {
    const entry = records.get(req)
    if (entry) entry.record.status = reply.statusCode
  })
}

const cut = (req: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  req.raw.socket.destroy()
  return reply
}

async function readRequest(req: FastifyRequest): Promise<RecordedRequest> {
  const [path = ''] = req.url.split('?', 1)
  const record: RecordedRequest = {
    at: Date.now(),
    method: req.method,
    path,
    query: Object.fromEntries(new URLSearchParams(req.url.slice(path.length))),
    headers: req.headers,
    body: req.body,
    files: {},
  }
  if (!req.isMultipart()) return record
  const fields: Record<string, string> = {}
  for await (const part of req.parts()) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value)
    else
      record.files[part.fieldname] = { filename: part.filename, mimeType: part.mimetype, bytes: await part.toBuffer() }
  }
  record.body = fields
  return record
}
