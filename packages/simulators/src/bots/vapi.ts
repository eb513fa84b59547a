import { randomUUID } from 'node:crypto'
import { createSimulator, type SimulatorOptions } from '../simulator.ts'

type Call = {
  id: string
  status: string
  customer: { number: string; name?: string }
  metadata: Record<string, string>
  assistantId: string
  endedReason?: string
}

/** Vapi: assistants, numbers, text chat, and outbound calls whose course is told to the server URL. */
export const startVapiSimulator = async (options: SimulatorOptions = {}) => {
  const core = await createSimulator(options)
  const control = { apiKey: 'chave-privada-vapi', serverUrl: '', secret: 'segredo-do-servidor-vapi', hasCredit: true }
  const assistants = [{ id: 'as-1', name: 'Cobrança' }]
  const phoneNumbers = [{ id: 'pn-1', name: 'Principal', number: '+551140001000' }]
  const calls = new Map<string, Call>()
  const chats = new Map<string, number>()

  core.app.addHook('preHandler', async (req, reply) => {
    if (req.headers.authorization !== `Bearer ${control.apiKey}`)
      return reply.code(401).send({ message: 'Invalid Key.', error: 'Unauthorized', statusCode: 401 })
  })
  core.app.get('/assistant', () => assistants)
  core.app.get<{ Params: { id: string } }>('/assistant/:id', (req, reply) => {
    const one = assistants.find(({ id }) => id === req.params.id)
    return one ?? reply.code(404).send({ message: 'Assistant not found.', error: 'Not Found', statusCode: 404 })
  })
  core.app.get('/phone-number', () => phoneNumbers)
  core.app.post<{ Body: { assistantId: string; input: string; previousChatId?: string } }>('/chat', (req, reply) => {
    const { input, previousChatId } = req.body
    if (previousChatId && !chats.has(previousChatId))
      return reply.code(404).send({ message: 'Chat not found.', error: 'Not Found', statusCode: 404 })
    const turn = (chats.get(previousChatId ?? '') ?? 0) + 1
    const id = randomUUID()
    chats.set(id, turn)
    return { id, output: [{ role: 'assistant', content: `${turn}: ${input}` }], messages: [] }
  })
  core.app.post<{ Body: Omit<Call, 'id' | 'status'> }>('/call', (req, reply) => {
    if (!control.hasCredit) return reply.code(402).send({ message: 'Insufficient credits.', statusCode: 402 })
    if (!/^\+\d{8,15}$/.test(req.body.customer.number))
      return reply.code(400).send({
        message: ['customer.number must be a valid phone number in the E.164 format.'],
        error: 'Bad Request',
        statusCode: 400,
      })
    const call = { ...req.body, metadata: req.body.metadata ?? {}, id: randomUUID(), status: 'queued' }
    calls.set(call.id, call)
    return reply.code(201).send(call)
  })
  core.app.get<{ Params: { id: string } }>(
    '/call/:id',
    (req, reply) => calls.get(req.params.id) ?? reply.code(404).send({ message: 'Call not found.', statusCode: 404 }),
  )
  await core.listen()

  const tell = (message: Record<string, unknown>) =>
    core.deliver({
      url: control.serverUrl,
      headers: { 'content-type': 'application/json', 'x-vapi-secret': control.secret },
      body: JSON.stringify({ message }),
    })
  /** A call goes its way: it rings, is talked, and ends with a report, which may come twice. */
  const end = async (
    id: string,
    { transcript = 'AI: Olá!\nUser: Oi.', endedReason = 'customer-ended-call', seconds = 42 } = {},
  ) => {
    const call = calls.get(id)
    if (!call) throw new Error(`No call ${id}`)
    Object.assign(call, { status: 'ended', endedReason })
    await tell({
      type: 'status-update',
      status: 'in-progress',
      call: { ...call, status: 'in-progress' },
      timestamp: core.now(),
    })
    await tell({
      type: 'end-of-call-report',
      endedReason,
      call,
      timestamp: core.now(),
      durationSeconds: seconds,
      cost: 0.12,
      artifact: { transcript, recordingUrl: `${core.url}/recordings/${id}.mp3` },
      analysis: { summary: 'O cliente confirmou o pagamento.', successEvaluation: 'true' },
    })
  }
  return Object.assign(core, { control, assistants, phoneNumbers, calls, tell, end })
}
