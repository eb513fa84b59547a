import { readFileSync } from 'node:fs'
import Fastify, { type FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Handset, HandsetCustomer, Line } from '../handset.ts'
import { sampleMedia } from '../samples.ts'
import { findLine, type RecordedRequest } from '../simulator.ts'

export type PhonePageOptions = {
  port?: number
  /** By a short key that goes in addresses, for example `{ whatsapp, telegram }`. */
  simulators: Record<string, Handset>
  /** Pages that embed the web chat, offered as links. */
  webchatPages?: { label: string; url: string }[]
}

/** The page on which a person plays the customers of the simulated channels and upsets the providers. */
export async function startPhonePage({ port = 0, simulators, webchatPages = [] }: PhonePageOptions) {
  const app = Fastify({ bodyLimit: 110 * 1024 * 1024, forceCloseConnections: true })
  const listeners = new Set<FastifyReply>()
  const page = readPage()

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_req, body, done) =>
    done(null, JSON.parse(String(body))),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body))

  const state = () => ({
    webchatPages,
    channels: Object.entries(simulators).map(([key, simulator]) => presentChannel(key, simulator)),
  })
  const tell = throttle(() => {
    const event = `data: ${JSON.stringify(state())}\n\n`
    for (const reply of listeners) reply.raw.write(event)
  }, 60)
  const stops = Object.values(simulators).map((simulator) => simulator.onChange(tell))
  const heartbeat = setInterval(() => {
    for (const reply of listeners) reply.raw.write(': vivo\n\n')
  }, 15_000)

  const find = (params: { channel: string; customer?: string }) => {
    const simulator = simulators[params.channel]
    const customer = simulator?.customers.find(({ id }) => id === params.customer)
    return { simulator, customer }
  }
  const customerOf = (params: CustomerParams): HandsetCustomer => {
    const { customer } = find(params)
    if (!customer) throw Object.assign(new Error('Este cliente não existe mais.'), { statusCode: 404 })
    return customer
  }
  const simulatorOf = (channel: string): Handset => {
    const { simulator } = find({ channel })
    if (!simulator) throw Object.assign(new Error('Este canal não existe.'), { statusCode: 404 })
    return simulator
  }

  app.setErrorHandler((error, _req, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 422
    const reason = error instanceof z.ZodError ? error.issues[0]?.message : error instanceof Error && error.message
    return reply.code(status).send({ message: reason || 'Erro inesperado.' })
  })

  app.get('/', (_req, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/events', (req, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    reply.raw.write(`data: ${JSON.stringify(state())}\n\n`)
    listeners.add(reply)
    req.raw.once('close', () => listeners.delete(reply))
  })
  app.get<{ Params: CustomerParams & { line: string } }>('/media/:channel/:customer/:line', (req, reply) => {
    const media = findLine(customerOf(req.params).transcript, req.params.line)?.media
    if (!media) return reply.code(404).send({ message: 'Arquivo não encontrado.' })
    const isShown = /^(image\/(?!svg)|audio\/|video\/|application\/pdf)/.test(media.mimeType)
    const name = encodeURIComponent(media.filename ?? 'arquivo')
    return reply
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
      .header('accept-ranges', 'bytes')
      .type(media.mimeType)
      .send(part(req.headers.range, media.bytes, reply))
  })

  app.post<{ Params: { channel: string } }>('/api/:channel/customers', async (req) => {
    const { name, handle } = newCustomerBody.parse(req.body)
    return { id: simulatorOf(req.params.channel).newCustomer({ name, handle: handle || undefined }).id }
  })
  app.post<{ Params: CustomerParams & { act: string } }>('/api/:channel/:customer/acts/:act', async (req) => {
    const { channel, act } = req.params
    const found = simulatorOf(channel).acts?.find(({ id }) => id === act)
    if (!found) throw new Error('Isto não existe neste canal.')
    const { line, ...values } = z.record(z.string(), z.string()).parse(req.body)
    await found.run(customerOf(req.params).id, values, line ?? '')
    tell()
    return { isDone: true }
  })
  app.post<{ Params: CustomerParams }>('/api/:channel/:customer/actions', async (req) => {
    await act(customerOf(req.params), action.parse(req.body))
    tell()
    return { isDone: true }
  })
  app.post<{ Params: CustomerParams; Querystring: Record<string, string> }>(
    '/api/:channel/:customer/media',
    async (req) => {
      const { kind, filename, caption } = mediaQuery.parse(req.query)
      if (!Buffer.isBuffer(req.body) || req.body.length === 0) throw new Error('O arquivo está vazio.')
      const mimeType = req.headers['content-type'] ?? 'application/octet-stream'
      await customerOf(req.params).sendMedia(kind, { bytes: req.body, mimeType, filename }, caption)
      return { isDone: true }
    },
  )
  app.post<{ Params: { channel: string } }>('/api/:channel/behaviour', async (req) => {
    const simulator = simulatorOf(req.params.channel)
    const { latencyMs, duplicate, reorder, skipDelivered } = behaviourBody.parse(req.body)
    simulator.faults.latencyMs = latencyMs ?? simulator.faults.latencyMs
    simulator.delivery.delayMs = latencyMs ?? simulator.delivery.delayMs
    simulator.delivery.duplicate = duplicate === undefined ? simulator.delivery.duplicate : Number(duplicate)
    simulator.delivery.reorder = reorder ?? simulator.delivery.reorder
    simulator.delivery.skipDelivered = skipDelivered ?? simulator.delivery.skipDelivered
    tell()
    return { isDone: true }
  })
  app.post<{ Params: { channel: string } }>('/api/:channel/faults', async (req) => {
    const simulator = simulatorOf(req.params.channel)
    const { id, times } = faultBody.parse(req.body)
    const known = simulator.knownFaults.find((other) => other.id === id)
    if (!known) throw new Error('Esta falha não existe.')
    simulator.faults.next({ ...known.fault, times })
    tell()
    return { isDone: true }
  })
  app.post<{ Params: { channel: string } }>('/api/:channel/scan', async (req) => {
    const { ownPhoneLink } = simulatorOf(req.params.channel)
    if (!ownPhoneLink?.isAwaited()) throw new Error('Nenhum código espera. Em Canais, toque em Conectar.')
    await ownPhoneLink.scan()
    tell()
    return { isDone: true }
  })
  app.delete<{ Params: { channel: string } }>('/api/:channel/faults', async (req) => {
    simulatorOf(req.params.channel).faults.clear()
    tell()
    return { isDone: true }
  })

  const url = await app.listen({ host: '127.0.0.1', port })
  return {
    url,
    close: async () => {
      clearInterval(heartbeat)
      for (const stop of stops) stop()
      for (const reply of listeners) reply.raw.end()
      await app.close()
    },
  }
}

type CustomerParams = { channel: string; customer: string }

const newCustomerBody = z.object({
  name: z.string().trim().min(1, 'Dê um nome ao cliente.').max(80),
  handle: z.string().trim().max(40).optional(),
})
const mediaKind = z.enum(['image', 'video', 'audio', 'voice', 'document', 'sticker'])
const mediaQuery = z.object({ kind: mediaKind, filename: z.string().optional(), caption: z.string().optional() })
const behaviourBody = z.object({
  latencyMs: z.number().min(0).max(60_000).optional(),
  duplicate: z.boolean().optional(),
  reorder: z.boolean().optional(),
  skipDelivered: z.boolean().optional(),
})
const faultBody = z.object({ id: z.string(), times: z.int().min(1).max(100) })
const action = z.discriminatedUnion('do', [
  z.object({ do: z.literal('text'), text: z.string().min(1).max(4096), replyTo: z.string().optional() }),
  z.object({ do: z.literal('sample'), kind: mediaKind }),
  z.object({
    do: z.literal('place'),
    place: z.object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.string().optional(),
      address: z.string().optional(),
    }),
  }),
  z.object({ do: z.literal('card'), card: z.object({ name: z.string().min(1), phone: z.string().min(1) }) }),
  z.object({ do: z.literal('react'), line: z.string(), emoji: z.string() }),
  z.object({ do: z.literal('press'), line: z.string(), button: z.string() }),
  z.object({ do: z.literal('vote'), line: z.string(), options: z.array(z.int().min(0).max(11)).max(12) }),
  z.object({
    do: z.literal('poll'),
    poll: z.object({
      question: z.string().trim().min(1, 'Escreva a pergunta.').max(255),
      options: z.array(z.string().trim().min(1).max(100)).min(2, 'Escreva pelo menos duas opções.').max(12),
      isMultiple: z.boolean(),
    }),
  }),
  z.object({ do: z.literal('read') }),
  z.object({ do: z.literal('autoRead'), isOn: z.boolean() }),
])

const act = async (customer: HandsetCustomer, wanted: z.infer<typeof action>): Promise<unknown> => {
  switch (wanted.do) {
    case 'text':
      return customer.sendText(wanted.text, { replyTo: wanted.replyTo })
    case 'sample':
      return customer.sendMedia(wanted.kind, sampleMedia(wanted.kind))
    case 'place':
      return customer.sendPlace(wanted.place)
    case 'card':
      return customer.sendCard(wanted.card)
    case 'react':
      return customer.react(wanted.line, wanted.emoji)
    case 'press':
      return customer.press(wanted.line, wanted.button)
    case 'vote':
      return customer.vote(wanted.line, wanted.options)
    case 'poll':
      return customer.sendPoll(wanted.poll)
    case 'read':
      return customer.read()
    case 'autoRead':
      customer.autoRead = wanted.isOn
      return wanted.isOn ? customer.read() : undefined
  }
}

const shownLines = 200
const shownCalls = 14

const presentChannel = (key: string, simulator: Handset) => ({
  key,
  channel: simulator.channel,
  businessName: simulator.businessName,
  businessHandle: simulator.businessHandle,
  isCodeWaiting: simulator.ownPhoneLink?.isAwaited() ?? false,
  customers: simulator.customers.map((customer) => ({
    id: customer.id,
    name: customer.name,
    handle: customer.handle,
    autoRead: customer.autoRead,
    isBusinessTyping: customer.isBusinessTyping,
    lines: customer.transcript.slice(-shownLines).map((line) => presentLine(key, customer, line)),
  })),
  acts: simulator.acts?.map(({ run: _, ...shown }) => shown) ?? [],
  faults: simulator.knownFaults.map(({ id, label }) => ({ id, label })),
  pendingFaults: simulator.faults.pending,
  behaviour: {
    latencyMs: simulator.faults.latencyMs,
    duplicate: simulator.delivery.duplicate > 0,
    reorder: simulator.delivery.reorder,
    skipDelivered: simulator.delivery.skipDelivered,
  },
  calls: [
    ...simulator.requests.slice(-shownCalls).map(presentRequest),
    ...simulator.webhooks
      .slice(-shownCalls)
      .map(({ at, body, status, attempts }) => ({ at, isWebhook: true, what: nameOfEvent(body), status, attempts })),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, shownCalls),
})

const presentLine = (channel: string, customer: HandsetCustomer, { payload: _, media, ...line }: Line) => ({
  ...line,
  ...(media && {
    media: {
      url: `/media/${channel}/${encodeURIComponent(customer.id)}/${encodeURIComponent(line.id)}`,
      mimeType: media.mimeType,
      filename: media.filename,
      size: media.bytes.length,
    },
  }),
})

/** The last part of the address says it all, and never shows a token. */
const presentRequest = ({ at, method, path, body, status }: RecordedRequest) => {
  const type = z.looseObject({ type: z.string() }).safeParse(body)
  const name = path.split('/').at(-1) ?? path
  return {
    at,
    isWebhook: false,
    what: `${method} ${/^\d+$/.test(name) ? 'mídia' : name || 'mídia'}${type.success ? ` · ${type.data.type}` : ''}`,
    status,
    attempts: 1,
  }
}

const nameOfEvent = (body: string): string => {
  const payload = z.record(z.string(), z.unknown()).safeParse(JSON.parse(body))
  if (!payload.success) return 'evento'
  const page = pageEvent.safeParse(payload.data)
  if (page.success)
    return page.data.entry
      .flatMap(({ messaging }) => messaging)
      .map((event) => Object.keys(event).find((key) => !['sender', 'recipient', 'timestamp'].includes(key)) ?? 'evento')
      .join(', ')
  const waba = wabaEvent.safeParse(payload.data)
  if (!waba.success) return Object.keys(payload.data).find((key) => key !== 'update_id') ?? 'evento'
  return waba.data.entry
    .flatMap(({ changes }) => changes)
    .flatMap(({ field, value }) =>
      [...(value.messages ?? []).map(({ type }) => type), ...(value.statuses ?? []).map(({ status }) => status)].concat(
        field === 'messages' ? [] : [field],
      ),
    )
    .join(', ')
}
const pageEvent = z.object({ entry: z.array(z.object({ messaging: z.array(z.looseObject({})) })) })
const wabaEvent = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          value: z.looseObject({
            messages: z.array(z.looseObject({ type: z.string() })).optional(),
            statuses: z.array(z.looseObject({ status: z.string() })).optional(),
          }),
        }),
      ),
    }),
  ),
})

const readPage = (): string => {
  const part = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  return part('./phone.html')
    .replace('/*css*/', () => part('./phone.css'))
    .replace('/*js*/', () => part('./phone.client.js'))
}

/** Audio and video seek by asking for a range. */
const part = (range: string | undefined, bytes: Buffer, reply: FastifyReply): Buffer => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined || Number(from) >= bytes.length) return bytes
  const end = Math.min(to ? Number(to) : bytes.length - 1, bytes.length - 1)
  reply.code(206).header('content-range', `bytes ${from}-${end}/${bytes.length}`)
  return bytes.subarray(Number(from), end + 1)
}

/** Runs soon, and at most once per interval. */
const throttle = (work: () => void, intervalMs: number) => {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      work()
    }, intervalMs)
  }
}
