import { setTimeout as sleep } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Line } from './handset.ts'

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

/** What goes wrong with the next matching request(s). */
export type Fault = {
  /** Answer with this status. Without it the request is handled normally, after `delayMs`. */
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delayMs?: number
  /** How many requests it hits; default 1. */
  times?: number
  /** Part of the path, a pattern on it, or a predicate; default every request. */
  match?: string | RegExp | ((request: RecordedRequest) => boolean)
  /** Do the work, record the message, and only then answer `status`, or cut the connection when there is none. */
  afterAccepting?: boolean
  /** Cut the connection before doing anything. */
  drop?: boolean
}

/** How webhooks leave the provider. Change the fields at any time. */
export type DeliveryPolicy = {
  /** Wait before each webhook; a pair is a random range. */
  delayMs: number | [number, number]
  /** Extra copies of each webhook, posted at the same instant. */
  duplicate: number
  /** Hold what arrives within 40 ms and post it backwards. */
  reorder: boolean
  /** Never tell `delivered` (statuses go from sent to read). */
  skipDelivered: boolean
  /** Sign with the wrong secret. */
  badSignature: boolean
  /** Statuses reach the webhook before the answer to the send. */
  statusBeforeAnswer: boolean
  /** Waits before each repetition of a webhook that was not answered with 2xx; its length bounds the repetitions. */
  retryDelaysMs: number[]
  timeoutMs: number
}

export type DeliveredWebhook = { at: number; body: string; attempts: number; status?: number; error?: string }

/** A fault a person can choose on the phone page. */
export type KnownFault = { id: string; label: string; fault: Fault }

export type SimulatorOptions = {
  /** 0 (default) takes a free port. */
  port?: number
  /** The provider's idea of now, in milliseconds. */
  clock?: () => number
  delivery?: Partial<DeliveryPolicy>
}

/** The part every provider simulator shares: a server on 127.0.0.1, a record, faults, and webhook delivery. */
export type Simulator = {
  readonly url: string
  /** Newest last; at most a few thousand are kept. */
  readonly requests: RecordedRequest[]
  readonly faults: FaultControl
  readonly delivery: DeliveryPolicy
  /** Webhooks posted, newest last, with attempts and the last answer. */
  readonly webhooks: DeliveredWebhook[]
  /** Resolves when nothing is being delivered, retried or resolved. */
  idle(): Promise<void>
  /** Calls back after anything a phone would show has changed. Returns the function that stops it. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export type FaultControl = {
  /** Queues a fault; the first queued fault that matches a request hits it. */
  next(fault: Fault): void
  clear(): void
  /** How many requests are still going to fail. */
  readonly pending: number
  /** Delay of every answer. */
  latencyMs: number
}

export type Outgoing = {
  url: string
  body: string
  headers: Record<string, string>
  /** Called once, when the receiver first answers 2xx. */
  onAccepted?: () => void
}

export type SimulatorCore = Simulator & {
  app: FastifyInstance
  now: () => number
  /** Posts a webhook by the policy. Resolves after the first attempt, whatever its result; retries go on behind. */
  deliver(outgoing: Outgoing): Promise<void>
  /** Makes `idle()` wait for this work. */
  track<T>(work: Promise<T>): Promise<T>
  changed(): void
  /** Aborted when the simulator closes. */
  closing: AbortSignal
  listen(): Promise<void>
}

const keptRecords = 5_000
const reorderWindowMs = 40

/** Builds the shared part. Register the provider's routes on `app`, then call `listen()`. */
export async function createSimulator(options: SimulatorOptions): Promise<SimulatorCore> {
  const app = Fastify({
    bodyLimit: 110 * 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1_000 },
  })
  const closing = new AbortController()
  const requests: RecordedRequest[] = []
  const webhooks: DeliveredWebhook[] = []
  const listeners = new Set<() => void>()
  const inFlight = new Set<Promise<unknown>>()
  const openPosts = new Set<AbortController>()
  const faults = createFaults()
  const delivery: DeliveryPolicy = {
    delayMs: 0,
    duplicate: 0,
    reorder: false,
    skipDelivered: false,
    badSignature: false,
    statusBeforeAnswer: false,
    retryDelaysMs: [1_000, 2_000, 5_000, 15_000, 60_000, 300_000],
    timeoutMs: 20_000,
    ...options.delivery,
  }
  let url = ''

  await app.register(multipart, { limits: { fileSize: 105 * 1024 * 1024, fieldSize: 1024 * 1024 } })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  recordAndDisturb(app, requests, faults)

  const track = <T>(work: Promise<T>): Promise<T> => {
    inFlight.add(work)
    const forget = () => inFlight.delete(work)
    work.then(forget, forget)
    return work
  }

  const postOnce = async (outgoing: Outgoing, log: DeliveredWebhook): Promise<boolean> => {
    log.attempts++
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new Error('timeout')), delivery.timeoutMs)
    openPosts.add(abort)
    try {
      const answer = await fetch(outgoing.url, {
        method: 'POST',
        headers: outgoing.headers,
        body: outgoing.body,
        redirect: 'manual',
        signal: abort.signal,
      })
      await answer.arrayBuffer()
      log.status = answer.status
      log.error = undefined
      return answer.ok
    } catch (error) {
      log.status = undefined
      log.error = error instanceof Error ? error.message : String(error)
      return false
    } finally {
      clearTimeout(timer)
      openPosts.delete(abort)
    }
  }

  /** First attempt, then the retries behind it. */
  const post = async (outgoing: Outgoing): Promise<void> => {
    const log: DeliveredWebhook = { at: Date.now(), body: outgoing.body, attempts: 0 }
    keep(webhooks, log)
    if (await postOnce(outgoing, log)) return outgoing.onAccepted?.()
    void track(retry(outgoing, log)).catch(() => undefined)
  }
  const retry = async (outgoing: Outgoing, log: DeliveredWebhook): Promise<void> => {
    for (const delayMs of delivery.retryDelaysMs) {
      await sleep(delayMs, undefined, { signal: closing.signal, ref: false })
      if (await postOnce(outgoing, log)) return outgoing.onAccepted?.()
    }
  }

  let held: (() => Promise<void>)[] = []
  const hold = (work: () => Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      held.push(() => work().finally(resolve))
      if (held.length > 1) return
      setTimeout(async () => {
        const batch = held.reverse()
        held = []
        for (const send of batch) await send()
      }, reorderWindowMs)
    })

  const deliver = (outgoing: Outgoing): Promise<void> => {
    const once = onlyOnce(outgoing)
    const work = async () => {
      const delayMs = pickDelay(delivery.delayMs)
      if (delayMs > 0) await sleep(delayMs, undefined, { signal: closing.signal })
      if (delivery.duplicate === 0) return post(once)
      await Promise.all(Array.from({ length: delivery.duplicate + 1 }, () => post(once)))
    }
    return track((delivery.reorder ? hold(work) : work()).catch(() => undefined))
  }

  return {
    get url() {
      return url
    },
    app,
    requests,
    faults,
    delivery,
    webhooks,
    now: options.clock ?? Date.now,
    closing: closing.signal,
    deliver,
    track,
    changed: () => {
      for (const listener of listeners) listener()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    idle: async () => {
      while (inFlight.size > 0) await Promise.allSettled([...inFlight])
    },
    listen: async () => {
      url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
    },
    close: async () => {
      closing.abort()
      for (const post of openPosts) post.abort()
      listeners.clear()
      await app.close()
    },
  }
}

/** Finds a line by id in a transcript, newest first. */
export const findLine = (transcript: Line[], id: string): Line | undefined =>
  transcript.findLast((line) => line.id === id)

function createFaults(): FaultControl & { take(request: RecordedRequest): Fault | undefined } {
  let queue: { fault: Fault; left: number }[] = []
  return {
    latencyMs: 0,
    next: (fault) => void queue.push({ fault, left: fault.times ?? 1 }),
    clear: () => {
      queue = []
    },
    get pending() {
      return queue.reduce((sum, entry) => sum + entry.left, 0)
    },
    take: (request) => {
      const entry = queue.find(({ fault }) => matches(fault.match, request))
      if (entry && --entry.left <= 0) queue = queue.filter((other) => other !== entry)
      return entry?.fault
    },
  }
}

const matches = (match: Fault['match'], request: RecordedRequest): boolean => {
  if (match === undefined) return true
  if (typeof match === 'string') return request.path.includes(match)
  return match instanceof RegExp ? match.test(request.path) : match(request)
}

const records = new WeakMap<FastifyRequest, { record: RecordedRequest; fault?: Fault }>()

/** The record of the request in hand. */
export const recordOf = (req: FastifyRequest): RecordedRequest => {
  const entry = records.get(req)
  if (!entry) throw new Error('request was not recorded')
  return entry.record
}

function recordAndDisturb(app: FastifyInstance, requests: RecordedRequest[], faults: ReturnType<typeof createFaults>) {
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
  })
  app.addHook('onSend', async (req, reply, payload) => {
    const fault = records.get(req)?.fault
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

/** Copies of one webhook are one event: the first 2xx counts. */
const onlyOnce = (outgoing: Outgoing): Outgoing => {
  let accepted = false
  return {
    ...outgoing,
    onAccepted: () => {
      if (accepted) return
      accepted = true
      outgoing.onAccepted?.()
    },
  }
}

const pickDelay = (delayMs: DeliveryPolicy['delayMs']): number =>
  typeof delayMs === 'number' ? delayMs : delayMs[0] + Math.random() * (delayMs[1] - delayMs[0])

const keep = <T>(list: T[], item: T) => {
  list.push(item)
  if (list.length > keptRecords * 2) list.splice(0, keptRecords)
}
