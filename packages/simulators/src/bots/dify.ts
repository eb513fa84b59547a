import { randomUUID } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { createSimulator, recordOf, type SimulatorOptions } from '../simulator.ts'

export type DifyMode = 'chat' | 'advanced-chat' | 'agent-chat' | 'new-agent' | 'completion' | 'workflow'
type Event = Record<string, unknown> & { event: string }

/**
 * Dify's service API for one app of a kind: always 200 once a stream is open, pings in between, an error as an event.
 * Conversations belong to whom began them.
 */
export const startDifySimulator = async (options: SimulatorOptions = {}) => {
  const core = await createSimulator(options)
  const control = {
    apiKey: 'app-segredo-do-dify',
    mode: 'chat' as DifyMode,
    /** What the app says, by what was asked and how often this conversation has spoken. */
    answer: (query: string, turn: number) => `${turn}: ${query}`,
    /** What it hears in an audio; null: this app does not hear. */
    hears: null as null | string,
    /** How the next stream goes wrong, once; `silent`: it begins and says nothing more, until it is stopped or left. */
    fault: undefined as 'errorEvent' | 'failedNode' | 'cut' | 'paused' | 'asksPerson' | 'empty' | 'silent' | undefined,
    /** What the app takes of files, and how large, in megabytes. */
    fileUpload: {
      image: { enabled: true, number_limits: 3, transfer_methods: ['remote_url', 'local_file'] },
    } as object,
    sizeLimits: {
      file_size_limit: 15,
      image_file_size_limit: 10,
      audio_file_size_limit: 50,
      video_file_size_limit: 100,
    },
  }
  /** Tasks somebody stopped. */
  const stopped: string[] = []
  /** Runs of flows, to be listened to again by whoever began them. */
  const runs = new Map<string, { user: string; text: string }>()
  const conversations = new Map<string, { user: string; turns: number }>()
  const files = new Map<string, { user: string; name: string; size: number }>()

  const isKnown = (authorization: string | undefined) => authorization === `Bearer ${control.apiKey}`
  core.app.addHook('preHandler', async (req, reply) => {
    if (!isKnown(req.headers.authorization))
      return reply.code(401).send({ code: 'unauthorized', message: 'Access token is invalid', status: 401 })
  })
  core.app.get('/v1/info', () => ({
    name: 'Loja Aurora',
    description: '',
    tags: [],
    mode: control.mode === 'new-agent' ? 'agent-chat' : control.mode,
    author_name: 'Loja',
  }))
  core.app.get('/v1/parameters', () => ({
    opening_statement: '',
    user_input_form: [],
    speech_to_text: { enabled: control.hears !== null },
    file_upload: control.fileUpload,
    system_parameters: control.sizeLimits,
  }))
  for (const path of [
    '/v1/chat-messages/:task/stop',
    '/v1/completion-messages/:task/stop',
    '/v1/workflows/tasks/:task/stop',
  ])
    core.app.post<{ Params: { task: string } }>(path, ({ params: { task } }) => {
      stopped.push(task)
      return { result: 'success' }
    })
  core.app.get<{ Params: { run: string }; Querystring: { user?: string } }>(
    '/v1/workflow/:run/events',
    ({ params: { run }, query: { user } }, reply) => {
      const found = runs.get(run)
      if (!found || found.user !== user)
        return reply.code(404).send({ code: 'not_found', message: 'Workflow run not found', status: 404 })
      const of = { workflow_run_id: run, task_id: `t-${run}` }
      const data = { status: 'succeeded', outputs: { answer: found.text } }
      return speak(reply, [
        { event: 'node_finished', ...of },
        { event: 'workflow_finished', ...of, data },
      ])
    },
  )
  core.app.post('/v1/audio-to-text', (_req, reply) =>
    control.hears === null
      ? reply.code(400).send({ code: 'app_unavailable', message: 'Speech to text is not enabled.', status: 400 })
      : { text: control.hears },
  )
  core.app.post<{ Body: Record<string, unknown> }>('/v1/files/upload', async (req, reply) => {
    const { body, files: sent } = recordOf(req)
    const {
      filename: name,
      mimeType: mime,
      bytes,
    } = sent.file ?? { filename: '', mimeType: '', bytes: Buffer.alloc(0) }
    const { user = '' } = body as { user?: string }
    const size = bytes.length
    if (size > control.sizeLimits.file_size_limit * 1_048_576)
      return reply.code(413).send({ code: 'file_too_large', message: 'File size exceeded.', status: 413 })
    const id = randomUUID()
    files.set(id, { user, name, size })
    return reply.code(201).send({ id, name, size, mime_type: mime, created_at: 0 })
  })

  type Asked = {
    query?: string
    inputs: Record<string, string>
    user: string
    conversation_id?: string
    response_mode: string
    files?: { upload_file_id?: string }[]
  }
  const speak = (reply: FastifyReply, events: Event[]) => {
    const fault = control.fault
    control.fault = undefined
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, { 'content-type': 'text/event-stream' })
    raw.write('event: ping\n\n')
    for (const [at, one] of events.entries()) {
      if (fault === 'cut' && at === 2) return void setTimeout(() => raw.destroy(), 20) // what was said has left by then
      if (fault === 'silent' && at === 1) return
      raw.write(`data: ${JSON.stringify(one)}\n\n`)
    }
    raw.end()
  }
  const turn = (body: Asked): { id: string; turn: number } | undefined => {
    const known = conversations.get(body.conversation_id ?? '')
    if (body.conversation_id && known?.user !== body.user) return undefined
    const id = body.conversation_id || randomUUID()
    const turns = (known?.turns ?? 0) + 1
    conversations.set(id, { user: body.user, turns })
    return { id, turn: turns }
  }
  const pieces = (text: string) => text.match(/.{1,7}/gs) ?? []

  core.app.post<{ Body: Asked }>('/v1/chat-messages', (req, reply) => {
    const { query = '', files: given = [] } = req.body
    const isAgent = control.mode === 'agent-chat' || control.mode === 'new-agent'
    if (isAgent && req.body.response_mode === 'blocking')
      return reply
        .code(400)
        .send({ code: 'bad_request', message: 'Agent Chat App does not support blocking mode', status: 400 })
    const isForeign = given.some(({ upload_file_id: id }) => id && files.get(id)?.user !== req.body.user)
    const one = isForeign ? undefined : turn(req.body)
    if (!one) return reply.code(404).send({ code: 'not_found', message: 'Conversation Not Exists.', status: 404 })
    const isFlow = control.mode === 'advanced-chat'
    const run = isFlow ? { workflow_run_id: randomUUID() } : {}
    const of = { conversation_id: one.id, task_id: `t${one.id}`, message_id: 'm1', ...run }
    const text = control.fault === 'empty' ? '' : control.answer(query, one.turn)
    if (control.fault === 'errorEvent')
      return speak(reply, [
        { event: 'message', ...of, answer: text.slice(0, 3) },
        {
          event: 'error',
          ...of,
          status: 400,
          code: 'provider_quota_exceeded',
          message: 'Your quota has been exhausted.',
        },
      ])
    if (run.workflow_run_id) runs.set(run.workflow_run_id, { user: req.body.user, text })
    if (control.fault === 'paused') return speak(reply, [{ event: 'workflow_paused', ...of }])
    if (control.fault === 'asksPerson') return speak(reply, [{ event: 'human_input_required', ...of }])
    const said = pieces(text).map((answer): Event => ({ event: isAgent ? 'agent_message' : 'message', ...of, answer }))
    const closing: Event[] = control.mode === 'new-agent' ? [{ event: 'message', ...of, answer: text }] : []
    const flow: Event[] = isFlow
      ? [{ event: 'workflow_finished', ...of, data: { status: 'succeeded', outputs: { answer: text } } }]
      : []
    return speak(reply, [
      ...(isFlow ? [{ event: 'workflow_started', ...of }] : []),
      ...said,
      ...closing,
      { event: 'message_end', ...of, metadata: { usage: { total_tokens: 30 } } },
      ...flow,
    ])
  })
  core.app.post<{ Body: Asked }>('/v1/completion-messages', (req, reply) =>
    speak(reply, [
      ...pieces(control.answer(req.body.inputs.query ?? '', 1)).map((answer) => ({ event: 'message', answer })),
      { event: 'message_end' },
    ]),
  )
  core.app.post<{ Body: Asked }>('/v1/workflows/run', (req, reply) => {
    const isFailed = control.fault === 'failedNode'
    const outputs = isFailed ? {} : { text: control.answer(req.body.inputs.query ?? '', 1) }
    const data = { status: isFailed ? 'failed' : 'succeeded', error: isFailed ? 'Node HTTP failed' : null, outputs }
    const of = { workflow_run_id: randomUUID(), task_id: 'tw' }
    runs.set(of.workflow_run_id, { user: req.body.user, text: outputs.text ?? '' })
    return speak(reply, [
      { event: 'workflow_started', ...of },
      { event: 'node_finished', ...of },
      { event: 'workflow_finished', ...of, data },
    ])
  })
  await core.listen()
  return Object.assign(core, { control, conversations, files, stopped, runs })
}
