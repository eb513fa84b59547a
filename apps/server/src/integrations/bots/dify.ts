import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { type BotReply, type BotTurn, chatMarks, obeyed, type SentFile } from '../bot-turn.ts'
import { ModelProblem } from '../model-problem.ts'
import { call, opened, Refused, refused, unanswered } from './calls.ts'
import { serverSentEvents } from './server-sent-events.ts'

const label = 'O Dify'
type Context = IntegrationContext<'dify'>

/** Whom the app knows: files and conversations are visible to the same one alone. */
const session = z.object({ conversationId: z.string() })
const info = z.object({ name: loose(z.string()), mode: loose(z.string()) })
const modes: Record<string, Context['config']['type']> = {
  chat: 'chatBot',
  'advanced-chat': 'chatBot',
  'agent-chat': 'agent',
  completion: 'textGenerator',
  workflow: 'workflow',
}
const event = z.object({
  event: z.string(),
  conversation_id: loose(z.string()),
  answer: loose(z.string()),
  status: loose(z.unknown()),
  code: loose(z.string()),
  message: loose(z.string()),
  data: loose(
    z.object({
      status: loose(z.string()),
      error: loose(z.string()),
      outputs: loose(z.record(z.string(), z.unknown())),
    }),
  ),
})

/** Facts: Dify's service API 1.0.0. Always read as a stream: agents answer in no other way, and long calls are cut. */
export const dify: IntegrationAdapter<'dify'> = {
  test: async (context) => {
    const reply = await call({ label, context }, address(context, 'info'), { headers: key(context), timeoutMs: 15_000 })
    const { name = '', mode = '' } = info.parse(reply.json())
    const type = modes[mode]
    if (type && type !== context.config.type)
      throw new ModelProblem('config', `O aplicativo “${name}” é de outro tipo. Troque o tipo do aplicativo e salve.`)
    return { text: name ? `O aplicativo “${name}” respondeu.` : 'O aplicativo respondeu.' }
  },
  converse: async (turn, context) => {
    const before = turn.event === 'message' ? opened(turn.session, (value) => session.safeParse(value)) : undefined
    try {
      return await ask(turn, context, before?.conversationId ?? '')
    } catch (error) {
      // The conversation is gone there: another begins, once.
      if (before && error instanceof Refused && error.status === 404) return ask(turn, context, '')
      throw error
    }
  },
}

const address = ({ config }: Context, path: string) => `${config.baseUrl.replace(/\/+$/, '')}/${path}`
const key = ({ config }: Context) => ({ authorization: `Bearer ${config.apiKey}` })
const userOf = ({ variables }: BotTurn) => `contato-${variables.contato ?? variables.atendimento ?? ''}`

const ask = async (given: BotTurn, context: Context, conversationId: string): Promise<BotReply> => {
  const turn = await withWords(given, context)
  const { path, body } = requestFor(turn, context, conversationId)
  const files = await Promise.all(turn.files.map((file) => fileFor(file, turn, context)))
  const stream = await context.egress
    .stream(address(context, path), {
      method: 'POST',
      headers: { ...key(context), 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, files, response_mode: 'streaming', user: userOf(turn) }),
      timeoutMs: turn.deadlineMs,
      maxBytes: 4_000_000,
      signal: AbortSignal.timeout(turn.deadlineMs),
    })
    .catch((error: unknown) => {
      throw unanswered(label, error)
    })
  if (stream.status !== 200) {
    const text = await textOf(stream.body)
    throw refused(label, { ...stream, json: () => JSON.parse(text) as unknown })
  }
  return replyOf(await heard(stream.body), conversationId)
}

const requestFor = ({ text, variables, idempotencyKey }: BotTurn, { config }: Context, conversationId: string) => {
  const inputs = { ...variables, ...(config.inputName && { [config.inputName]: text }) }
  if (config.type === 'workflow') return { path: 'workflows/run', body: { inputs } }
  if (config.type === 'textGenerator') return { path: 'completion-messages', body: { inputs } }
  const asked = { query: text || 'Olá', inputs: variables, conversation_id: conversationId, auto_generate_name: false }
  return { path: 'chat-messages', body: { ...asked, trace_id: idempotencyKey } }
}

const parameters = z.object({ speech_to_text: loose(z.object({ enabled: loose(z.boolean()) })) })
/** An audio is its words: ours where it has been written down, else the app's, where it hears. */
const withWords = async (turn: BotTurn, context: Context): Promise<BotTurn> => {
  const audios = turn.files.filter(({ kind }) => kind === 'audio')
  if (!audios.length) return turn
  const others = turn.files.filter(({ kind }) => kind !== 'audio')
  if (turn.text.trim()) return { ...turn, files: others }
  const reply = await call(
    { label, context },
    address(context, `parameters?user=${encodeURIComponent(userOf(turn))}`),
    {
      headers: key(context),
      timeoutMs: 15_000,
    },
  )
  if (!parameters.safeParse(reply.json()).data?.speech_to_text?.enabled) return turn
  const words: string[] = []
  for (const audio of audios) {
    const heard = z.object({ text: loose(z.string()) }).parse(await carriedUp(audio, turn, context, 'audio-to-text'))
    words.push(heard.text?.trim() ?? '')
  }
  return { ...turn, text: words.filter(Boolean).join('\n'), files: others }
}

/** At its address where the installation has one on the internet, else carried up. */
const fileFor = async (file: SentFile, turn: BotTurn, context: Context) => {
  if (file.url) return { type: file.kind, transfer_method: 'remote_url', url: file.url }
  const { id } = z.object({ id: z.string() }).parse(await carriedUp(file, turn, context, 'files/upload'))
  return { type: file.kind, transfer_method: 'local_file', upload_file_id: id }
}

const carriedUp = async (file: SentFile, turn: BotTurn, context: Context, path: string): Promise<unknown> => {
  const { FormData } = await import('undici')
  const form = new FormData()
  form.set('user', userOf(turn))
  form.set('file', new Blob([new Uint8Array(await file.bytes())], { type: file.mime }), file.name || 'arquivo')
  const reply = await context.egress
    .fetch(address(context, path), { method: 'POST', headers: key(context), body: form })
    .catch((error: unknown) => {
      throw unanswered(label, error)
    })
  const json = await reply.json().catch(() => undefined)
  if (!reply.ok) throw refused(label, { status: reply.status, headers: {}, json: () => json })
  return json
}

type Heard = { text: string; conversationId?: string; isPaused: boolean }
/** What a stream comes to. An error may come in the middle of it, after 200. */
const heard = async (body: AsyncIterable<Buffer>): Promise<Heard> => {
  const all: Heard = { text: '', isPaused: false }
  let closing = ''
  for await (const { data } of serverSentEvents(body)) {
    const one = event.safeParse(parsed(data)).data
    if (!one) continue
    all.conversationId = one.conversation_id || all.conversationId
    if (one.event === 'error') throw refused(label, failure(one))
    if (one.event === 'agent_message' || one.event === 'message_replace') {
      all.text = one.event === 'message_replace' ? (one.answer ?? '') : all.text + (one.answer ?? '')
    } else if (one.event === 'message') closing += one.answer ?? ''
    else if (one.event === 'workflow_paused') all.isPaused = true
    else if (one.event === 'workflow_finished') {
      if (one.data?.status === 'failed')
        throw new ModelProblem('config', `O fluxo do Dify falhou. O serviço disse: “${one.data.error ?? ''}”`)
      closing ||= outputOf(one.data?.outputs ?? {})
    }
  }
  // A new agent says all of it once more at the end.
  return { ...all, text: all.text.trim() ? all.text : closing }
}
const outputOf = (outputs: Record<string, unknown>) => {
  const values = ['answer', 'text', 'output', 'result'].map((name) => outputs[name])
  const found = [...values, ...Object.values(outputs)].find((one) => typeof one === 'string' && one.trim())
  return typeof found === 'string' ? found : ''
}
const failure = ({ status, code, message }: z.output<typeof event>) => ({
  status: typeof status === 'number' ? status : 500,
  headers: {},
  json: () => ({ code, message }),
})

const replyOf = ({ text, conversationId, isPaused }: Heard, before: string): BotReply => {
  const lines = chatMarks(text)
  const { says, ...ended } = obeyed(
    lines.split(/\n{2,}(?=#(?:transferir|encerrar))/i).map((body) => ({ kind: 'text', body })),
  )
  const spoken = says.filter((one) => one.kind !== 'text' || one.body.trim())
  if (isPaused)
    return { session: null, says: spoken, handOver: { note: 'O fluxo do Dify parou à espera de uma pessoa.' } }
  if (!spoken.length && !ended.handOver && !ended.isDone)
    throw new ModelProblem('refusal', 'O Dify respondeu sem nenhum texto.')
  const id = conversationId || before
  return { session: id && !ended.isDone ? JSON.stringify({ conversationId: id }) : null, says: spoken, ...ended }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const textOf = async (body: AsyncIterable<Buffer>) => {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
