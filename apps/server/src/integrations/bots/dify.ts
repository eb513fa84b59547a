import { z } from 'zod'
import { EgressError, type HttpRequest } from '../../kit/egress.ts'
import { loose } from '../../kit/loose.ts'
import type { IntegrationAdapter } from '../adapter.ts'
import { type BotReply, type BotTurn, chatMarks, obeyed } from '../bot-turn.ts'
import { ModelProblem } from '../model-problem.ts'
import { call, opened, Refused, unanswered } from './calls.ts'
import { address, type DifyContext, difyRefused, key, label, userOf } from './dify-calls.ts'
import { askedWith } from './dify-files.ts'
import { type Heard, hear, nothingHeard } from './dify-stream.ts'

const session = z.object({ conversationId: z.string() })
const info = z.object({ name: loose(z.string()), mode: loose(z.string()) })
const modes: Record<string, DifyContext['config']['type']> = {
  chat: 'chatBot',
  'advanced-chat': 'chatBot',
  'agent-chat': 'agent',
  completion: 'textGenerator',
  workflow: 'workflow',
}

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

type Talk = { turn: BotTurn; context: DifyContext; signal: AbortSignal; heard: Heard }
/**
 * Asks once. Where the line is cut while a flow runs, it is listened to again; an answer nobody waits for any more, or whose
 * end was not heard, is stopped there.
 */
const ask = async (turn: BotTurn, context: DifyContext, conversationId: string): Promise<BotReply> => {
  const { text, files } = await askedWith(turn, context)
  const { path, body } = requestFor({ ...turn, text }, context, conversationId)
  const limit = AbortSignal.timeout(turn.deadlineMs)
  const signal = turn.signal ? AbortSignal.any([limit, turn.signal]) : limit
  const heard = nothingHeard()
  const talk: Talk = { turn, context, signal, heard }
  const question = { ...body, files, response_mode: 'streaming', user: userOf(turn) }
  let cut = await listen(talk, path, posted(question))
  for (let again = 0; again < 2 && isCutFlow(talk); again += 1) cut = await listenAgain(talk)
  if (heard.isOver || !cut) return replyOf(heard, conversationId)
  await stop(talk)
  if (signal.aborted || !heard.taskId) throw unanswered(label, cut)
  throw new ModelProblem('network', 'A resposta do Dify parou no meio.')
}

const requestFor = ({ text, variables, idempotencyKey }: BotTurn, { config }: DifyContext, conversationId: string) => {
  const inputs = { ...variables, ...(config.inputName && { [config.inputName]: text }) }
  if (config.type === 'workflow') return { path: 'workflows/run', body: { inputs } }
  if (config.type === 'textGenerator') return { path: 'completion-messages', body: { inputs } }
  const asked = { query: text, inputs: variables, conversation_id: conversationId, auto_generate_name: false }
  return { path: 'chat-messages', body: { ...asked, trace_id: idempotencyKey } }
}

/** Hears a stream to its end; what cut it, if something did. */
const listen = async (
  { turn, context, signal, heard }: Talk,
  path: string,
  request: HttpRequest,
): Promise<EgressError | undefined> => {
  try {
    const stream = await context.egress.stream(address(context, path), {
      ...request,
      headers: { ...key(context), ...request.headers },
      timeoutMs: turn.deadlineMs,
      maxBytes: 4_000_000,
      signal,
    })
    if (stream.status !== 200) {
      const text = await textOf(stream.body)
      throw difyRefused({ ...stream, json: () => JSON.parse(text) as unknown })
    }
    await hear(stream.body, heard)
    return undefined
  } catch (error) {
    if (error instanceof EgressError) return error
    throw error
  }
}

const isCutFlow = ({ heard: { isOver, runId }, signal }: Talk) => !isOver && runId !== undefined && !signal.aborted
const listenAgain = async (talk: Talk): Promise<EgressError | undefined> => {
  const { heard, turn } = talk
  // What was missed is not said again; what it came to is, whole.
  Object.assign(heard, { spoken: '', said: '' })
  const query = new URLSearchParams({ user: userOf(turn), include_state_snapshot: 'true' })
  try {
    return await listen(talk, `workflow/${encodeURIComponent(heard.runId ?? '')}/events?${query}`, {})
  } catch (error) {
    if (error instanceof Refused) return new EgressError(error.message, true)
    throw error
  }
}

const stopPath: Record<DifyContext['config']['type'], string> = {
  chatBot: 'chat-messages',
  agent: 'chat-messages',
  textGenerator: 'completion-messages',
  workflow: 'workflows/tasks',
}
/** Nobody is told where this fails: it ends by itself there, later. */
const stop = async ({ turn, context, heard: { taskId } }: Talk) => {
  if (!taskId) return
  const url = address(context, `${stopPath[context.config.type]}/${encodeURIComponent(taskId)}/stop`)
  const { headers, ...request } = posted({ user: userOf(turn) })
  await context.egress
    .http(url, { ...request, headers: { ...key(context), ...headers }, timeoutMs: 5_000 })
    .catch(() => undefined)
}

const posted = (body: object) =>
  ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) as const

const replyOf = ({ spoken, said, output, conversationId, isPaused }: Heard, before: string): BotReply => {
  const text = [spoken, said].find((one) => one.trim()) ?? output
  const lines = chatMarks(text)
  const { says, ...ended } = obeyed(
    lines.split(/\n{2,9}(?=#(?:transferir|encerrar))/i).map((body) => ({ kind: 'text', body })),
  )
  const words = says.filter((one) => one.kind !== 'text' || one.body.trim())
  if (isPaused)
    return { session: null, says: words, handOver: { note: 'O fluxo do Dify parou à espera de uma pessoa.' } }
  if (!words.length && !ended.handOver && !ended.isDone)
    throw new ModelProblem('refusal', 'O Dify respondeu sem nenhum texto.')
  const id = conversationId || before
  return { session: id && !ended.isDone ? JSON.stringify({ conversationId: id }) : null, says: words, ...ended }
}

const textOf = async (body: AsyncIterable<Buffer>) => {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
