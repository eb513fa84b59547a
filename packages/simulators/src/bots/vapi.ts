import { randomUUID } from 'node:crypto'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'

type Call = {
  id: string
  type: 'outboundPhoneCall' | 'inboundPhoneCall'
  status: string
  assistantId: string
  phoneNumberId: string
  customer: { number: string; name?: string }
  metadata?: Record<string, unknown>
  assistantOverrides?: { variableValues?: Record<string, string> }
  startedAt?: string
  endedAt?: string
  endedReason?: string
  cost?: number
  artifact?: Record<string, unknown>
  analysis?: Record<string, unknown>
}
type Placed = Pick<Call, 'assistantId' | 'phoneNumberId' | 'customer' | 'metadata' | 'assistantOverrides'>
/** How a call ends. */
export type Ending = Partial<{ reason: string; summary: string; transcript: string; seconds: number; cost: number }>

/** Vapi: assistants, their chat in writing, their phone numbers, and calls whose course is posted to a server URL. */
export const startVapiSimulator = async (options: SimulatorOptions = {}) => {
  const core = await createSimulator(options)
  const control = {
    apiKey: 'chave-privada-vapi',
    /** Where calls are told of, and the bearer token that goes along. */
    server: null as { url: string; secret: string } | null,
    /** Calls go on by themselves after so long; undefined: by `ring`, `answer` and `end`. */
    playsAfterMs: undefined as number | undefined,
    /** A call is placed, and its answer is lost. */
    losesAnswer: false,
    hasRecordings: true,
  }
  const assistants = [
    { id: 'as-1', name: 'Cobrança' },
    { id: 'as-2', name: 'Confirmação de agenda' },
  ]
  const numbers = [{ id: 'pn-1', name: 'Central', number: '+551140028922', provider: 'vapi' }]
  const chats = new Map<string, number>()
  const calls = new Map<string, Call>()
  const fault = (message: string, statusCode: number, error: string) => ({ message, error, statusCode })
  const missing = (message: string) => fault(message, 404, 'Not Found')

  core.app.addHook('preHandler', async (req, reply) => {
    if (req.url.startsWith('/stored/') || req.url.startsWith('/faces/')) return
    if (req.headers.authorization !== `Bearer ${control.apiKey}`)
      return reply.code(401).send(fault('Invalid Key.', 401, 'Unauthorized'))
  })
  core.app.get('/assistant', () => assistants)
  core.app.get<{ Params: { id: string } }>('/assistant/:id', (req, reply) => {
    const one = assistants.find(({ id }) => id === req.params.id)
    return one ?? reply.code(404).send(missing('Assistant not found.'))
  })
  core.app.get('/phone-number', () => numbers)
  core.app.post<{ Body: { assistantId: string; input: string; previousChatId?: string } }>('/chat', (req, reply) => {
    const { input, previousChatId } = req.body
    if (previousChatId && !chats.has(previousChatId)) return reply.code(404).send(missing('Chat not found.'))
    const turn = (chats.get(previousChatId ?? '') ?? 0) + 1
    const id = randomUUID()
    chats.set(id, turn)
    return { id, output: [{ role: 'assistant', content: `${turn}: ${input}` }], messages: [] }
  })

  core.app.post<{ Body: Placed }>('/call', (req, reply) => {
    const { assistantId, phoneNumberId, customer } = req.body
    if (!assistants.some(({ id }) => id === assistantId))
      return reply.code(400).send(fault(`Assistant with ID ${assistantId} not found.`, 400, 'Bad Request'))
    if (!numbers.some(({ id }) => id === phoneNumberId))
      return reply.code(400).send(fault(`Phone number with ID ${phoneNumberId} not found.`, 400, 'Bad Request'))
    if (!/^\+\d{8,15}$/.test(customer?.number ?? ''))
      return reply
        .code(400)
        .send(fault('customer.number must be a valid phone number in the E.164 format.', 400, 'Bad Request'))
    const one: Call = { ...req.body, id: randomUUID(), type: 'outboundPhoneCall', status: 'queued' }
    calls.set(one.id, one)
    if (control.playsAfterMs !== undefined) play(one.id, control.playsAfterMs)
    if (control.losesAnswer) {
      req.raw.socket.destroy()
      return reply.hijack()
    }
    return reply.code(201).send(one)
  })
  core.app.get<{ Params: { id: string } }>(
    '/call/:id',
    (req, reply) => calls.get(req.params.id) ?? reply.code(404).send(missing('Call not found.')),
  )
  core.app.get<{ Params: { id: string } }>('/call/:id/mono-recording', (req, reply) => {
    const one = calls.get(req.params.id)
    if (!one?.artifact?.recordingUrl) return reply.code(404).send(missing('Recording not found.'))
    return reply.redirect(`${core.url}/stored/${one.id}.wav`)
  })
  core.app.get('/stored/:file', (_req, reply) => reply.type('audio/wav').send(silence))

  const post = async (message: Record<string, unknown>) => {
    if (!control.server) return
    const { url, secret } = control.server
    await core.deliver({
      url,
      body: JSON.stringify({ message: { timestamp: core.now(), ...message } }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    })
  }
  const need = (id: string): Call => {
    const one = calls.get(id)
    if (!one) throw new Error(`No call ${id}`)
    return one
  }
  const move = async (id: string, status: string) => {
    const one = Object.assign(
      need(id),
      { status },
      status === 'in-progress' && { startedAt: new Date(core.now()).toISOString() },
    )
    await post({ type: 'status-update', status, call: { ...one } })
    core.changed()
  }
  const end = async (
    id: string,
    {
      reason = 'customer-ended-call',
      summary = 'O cliente confirmou o pagamento para amanhã.',
      transcript = 'AI: Olá, aqui é da Loja Aurora.\nUser: Oi, pode falar.',
      seconds = 42,
      cost = 0.1234,
    }: Ending = {},
  ) => {
    const one = need(id)
    const startedAt = one.startedAt ?? new Date(core.now()).toISOString()
    Object.assign(one, {
      ...{ status: 'ended', endedReason: reason, startedAt, cost },
      endedAt: new Date(Date.parse(startedAt) + seconds * 1_000).toISOString(),
      artifact: {
        transcript,
        messages: [],
        ...(control.hasRecordings && { recordingUrl: `${core.url}/stored/${id}.wav` }),
      },
      analysis: { summary, successEvaluation: 'true' },
    })
    const { artifact, analysis, endedReason, endedAt } = one
    await post({
      type: 'status-update',
      status: 'ended',
      endedReason,
      call: { ...one, artifact: undefined, analysis: undefined },
    })
    await post({
      ...{ type: 'end-of-call-report', endedReason, startedAt, endedAt, cost, artifact, analysis },
      call: { ...one, artifact: undefined, analysis: undefined },
    })
    core.changed()
  }
  const play = (id: string, everyMs: number) => {
    const steps = [() => move(id, 'ringing'), () => move(id, 'in-progress'), () => end(id)]
    for (const [at, step] of steps.entries()) {
      const timer = setTimeout(() => void core.track(step().catch(() => undefined)), everyMs * (at + 1))
      core.closing.addEventListener('abort', () => clearTimeout(timer))
    }
  }
  /** Somebody calls the company's number. */
  const ringIn = async (number: string, name?: string): Promise<string> => {
    const id = randomUUID()
    calls.set(id, {
      ...{ id, type: 'inboundPhoneCall', status: 'ringing', assistantId: 'as-1', phoneNumberId: 'pn-1' },
      customer: { number, ...(name && { name }) },
    })
    await move(id, 'in-progress')
    return id
  }
  await core.listen()
  return Object.assign(core, { control, calls, move, end, ringIn })
}

/** A second of nothing, as PCM of 8 kHz. */
const silence = (() => {
  const samples = Buffer.alloc(16_000)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
})()
