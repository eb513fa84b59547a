import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Line } from './handset.ts'
import { createDelivery, type DeliveredWebhook, type DeliveryPolicy, type Outgoing } from './simulator/delivery.ts'
import { faceOf } from './simulator/face.ts'
import { createFaults, type FaultControl, type Faults } from './simulator/faults.ts'
import { type RecordedRequest, recordAndDisturb } from './simulator/record.ts'

export type { DeliveredWebhook } from './simulator/delivery.ts'
export type { Fault, KnownFault } from './simulator/faults.ts'
export { type RecordedRequest, recordOf } from './simulator/record.ts'

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

export type SimulatorCore = Simulator & {
  app: FastifyInstance
  /** Requests over HTTP take theirs by themselves. */
  faults: Faults
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

/** Builds the shared part. Register the provider's routes on `app`, then call `listen()`. */
export async function createSimulator(options: SimulatorOptions): Promise<SimulatorCore> {
  const app = Fastify({
    bodyLimit: 110 * 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1_000 },
  })
  const closing = new AbortController()
  const requests: RecordedRequest[] = []
  const listeners = new Set<() => void>()
  const inFlight = new Set<Promise<unknown>>()
  const faults = createFaults()
  let url = ''

  await app.register(multipart, { limits: { fileSize: 105 * 1024 * 1024, fieldSize: 1024 * 1024 } })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  recordAndDisturb(app, requests, faults)
  app.get<{ Params: { name: string } }>('/faces/:name', (req, reply) =>
    reply.type('image/png').send(faceOf(req.params.name)),
  )

  const track = <T>(work: Promise<T>): Promise<T> => {
    inFlight.add(work)
    const forget = () => inFlight.delete(work)
    work.then(forget, forget)
    return work
  }

  const { delivery, webhooks, deliver, cutPosts } = createDelivery(options.delivery, { closing: closing.signal, track })

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
      cutPosts()
      listeners.clear()
      await app.close()
    },
  }
}

/** Finds a line by id in a transcript, newest first. */
export const findLine = (transcript: Line[], id: string): Line | undefined =>
  transcript.findLast((line) => line.id === id)
