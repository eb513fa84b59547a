import { setTimeout as rest } from 'node:timers/promises'
import type { AiPurpose } from '@balcao/contract/automation/models.ts'
import type { ModelMessage } from 'ai'
import { v5, v7 } from 'uuid'
import type { z } from 'zod'
import { ModelProblem, problemOf } from '../../../integrations/model-problem.ts'
import { AppError } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { AssistantBudget } from '../../core/limits/reserve-spending.ts'
import { type Account, accountsNamed, modelsOf, reportBroken, reportWorking } from './accounts.ts'
import { type Asking, askModel, type Reply } from './ask-model.ts'
import { fittedTo } from './fitted-to.ts'
import { createMask } from './mask.ts'
import { openCall, settleCall } from './usage.ts'

/** Something the model may do. `run` does it, and what it answers the model is told; what it throws too, in its words. */
export type ModelTool = {
  description: string
  input: z.ZodType
  /** Without it the answer ends with the call, for whoever asked to decide. */
  run?: (input: unknown, about: { callId: string; step: number; signal: AbortSignal }) => Promise<unknown>
}
export type ToolCall = { id: string; name: string; input: unknown; output?: unknown; error?: string }

export type Question = {
  tenantId: number
  /** The account that answers, and those that do where it does not. */
  integrationIds: readonly string[]
  /** Of the first account; the others answer with their own. */
  model?: string
  system?: string
  messages: readonly ModelMessage[]
  tools?: Record<string, ModelTool>
  maxOutputTokens?: number
  temperature?: number
  /** Calls to the model at most, tools between them; 6 unless told. */
  maxSteps?: number
  /** For all of it; 60 s unless told. */
  deadlineMs?: number
  signal?: AbortSignal
  purpose: AiPurpose
  assistant?: AssistantBudget
  ticketId?: string
  userId?: string
  /**
   * What makes this question this question: asked again under the same key, what was answered is answered again and paid
   * once. Without it every question is another.
   */
  key?: string
  /** The whole text so far, each time there is more; it may begin anew where a provider fell silent in the middle. */
  onText?: (soFar: string) => void
}

export type Answer = {
  text: string
  toolCalls: ToolCall[]
  /** Calls to models. */
  steps: number
  usage: { inputTokens: number; outputTokens: number }
  costMicros: number
  integrationId: string
  model: string
  finish: Reply['finish'] | 'steps'
  /** What the model and its tools said, to go on with. */
  messages: ModelMessage[]
}

const usualDeadlineMs = 60_000
const usualSteps = 6
const usualOutput = 2_000
/** Attempts at one account beside the first. */
const moreAttempts = { speed: 2, network: 1 } as const

/**
 * Asks language models of the company for an answer: one account after the other until one answers, within time and
 * budget, personal data masked where the company says so. No transaction may be open. Throws AppError ERR_AI_BUDGET,
 * ERR_NO_MODEL where none of the accounts is there, and ModelProblem, the last one, where none of them answered.
 */
export const answerWith = async (question: Question): Promise<Answer> => {
  const { tenantId, tools = {}, maxSteps = usualSteps } = question
  const [{ settings }, accounts] = await Promise.all([
    getDirectory(tenantId),
    accountsNamed(tenantId, question.integrationIds),
  ])
  if (!accounts.length) throw new AppError('ERR_NO_MODEL')
  const mask = settings.aiMaskPersonal ? createMask() : undefined
  const limit = AbortSignal.timeout(question.deadlineMs ?? deadlineOf(accounts))
  const signal = question.signal ? AbortSignal.any([limit, question.signal]) : limit
  const endsAt = Date.now() + (question.deadlineMs ?? deadlineOf(accounts))

  const said: ModelMessage[] = []
  const toolCalls: ToolCall[] = []
  const usage = { inputTokens: 0, outputTokens: 0 }
  let costMicros = 0
  let order = accounts
  for (let step = 1; ; step += 1) {
    const asking: Asking = {
      system: question.system && (mask?.mask(question.system) ?? question.system),
      messages: masked([...question.messages, ...said], mask),
      isMasked: mask !== undefined,
      tools,
      maxOutputTokens: question.maxOutputTokens ?? usualOutput,
      temperature: question.temperature,
      onText: question.onText && ((text) => question.onText?.(mask?.unmask(text) ?? text)),
    }
    const { account, model, reply } = await stepWith(order, { question, asking, step, signal, endsAt })
    // Whoever answered goes on: another model would not know what this one called for.
    order = [account, ...order.filter((one) => one !== account)]
    const { text, finish, calls, messages } = (mask?.unmaskIn(reply) ?? reply) as Reply // the same, its texts filled in
    usage.inputTokens += reply.inputTokens
    usage.outputTokens += reply.outputTokens
    costMicros += reply.costMicros
    said.push(...messages)
    const made: ToolCall[] = []
    for (const call of calls) made.push(await runTool(call, tools, { step, signal, key: question.key }))
    toolCalls.push(...made)
    const answer = { text, toolCalls, steps: step, usage, costMicros, integrationId: account.id, model, messages: said }
    const isForCaller = calls.some(({ name }) => tools[name] && !tools[name].run)
    if (!calls.length || isForCaller) return { ...answer, finish }
    said.push(resultsOf(made))
    if (step >= maxSteps) return { ...answer, finish: 'steps' }
  }
}

const deadlineOf = ([first]: Account[]) => Math.max(usualDeadlineMs, (first?.config.firstWordS ?? 0) * 1_000)

const masked = (messages: ModelMessage[], mask: ReturnType<typeof createMask> | undefined) =>
  (mask ? mask.maskIn(messages) : messages) as ModelMessage[] // the same, without personal data

type Step = { question: Question; asking: Asking; step: number; signal: AbortSignal; endsAt: number }
/** One answer of a model: from the first account that gives one. */
const stepWith = async (accounts: Account[], about: Step) => {
  let last: ModelProblem | undefined
  for (const [at, account] of accounts.entries()) {
    const isFirst = account.id === about.question.integrationIds[0]
    const model = (isFirst && about.question.model) || account.config.model
    try {
      const reply = await askAccount(account, model, about)
      await reportWorking(account)
      return { account, model, reply }
    } catch (error) {
      if (!(error instanceof ModelProblem)) throw error
      last = error
      if (error.isOfAccount) await reportBroken(account, error)
      if (about.signal.aborted || at === accounts.length - 1) throw error
    }
  }
  throw last ?? new AppError('ERR_NO_MODEL')
}

/** One call, counted once, tried again where that may help. */
const askAccount = async (account: Account, model: string, about: Step): Promise<Reply> => {
  const { question, asking, step, signal, endsAt } = about
  const { tenantId, kind } = account
  const { inputPrice, outputPrice } = account.config
  const costOf = (input: number, output: number) => Math.ceil(input * inputPrice + output * outputPrice)
  const expected = expectedTokens(asking)
  const id = question.key ? v5(`${step}:${account.id}:${model}`, keyOf(question.key)) : v7()
  const { purpose, assistant, ticketId, userId } = question
  const { kept } = await openCall({
    ...{ id, tenantId, integrationId: account.id, kind, model, purpose, assistant, ticketId, userId },
    mostMicros: costOf(expected, asking.maxOutputTokens),
  })
  if (kept) return kept as Reply // what settled this very call

  const began = performance.now()
  const models = await modelsOf(kind)
  const asked = models.asked(account.context, model)
  let heard = ''
  const attempt = async () => {
    const open = await models.open(account.context, model)
    return askModel(open, {
      ...asking,
      messages: asking.messages.map((one) => fittedTo(account.config, one, asking.isMasked)),
      onText:
        asking.onText &&
        ((text) => {
          heard = text
          asking.onText?.(text)
        }),
      signal,
      firstWordMs: account.config.firstWordS * 1_000,
    })
  }
  for (let tries = 0; ; tries += 1) {
    try {
      const { inputTokens = expected, outputTokens = tokensIn(heard), ...reply } = await attempt()
      const costMicros = costOf(inputTokens, outputTokens)
      const whole: Reply = { ...reply, inputTokens, outputTokens, costMicros }
      const result = question.key ? whole : undefined
      await settleCall(
        { tenantId, id },
        { state: 'done', inputTokens, outputTokens, costMicros, ms: performance.now() - began, result },
      )
      return whole
    } catch (error) {
      const problem = problemOf(error, asked)
      const pauseMs = pauseBefore(problem, tries)
      if (pauseMs !== undefined && !signal.aborted && Date.now() + pauseMs < endsAt) {
        await rest(pauseMs, undefined, { signal }).catch(() => {}) // the next attempt ends at once
        continue
      }
      // What was already said has been paid for; what was refused has not.
      const [input, output] = heard || problem.kind === 'refusal' ? [expected, tokensIn(heard)] : [0, 0]
      await settleCall(
        { tenantId, id },
        {
          ...{ state: 'failed', problem: problem.kind, inputTokens: input, outputTokens: output },
          ...{ costMicros: costOf(input, output), ms: performance.now() - began },
        },
      )
      throw problem
    }
  }
}

/** How long to wait before another attempt; undefined: none helps. */
export const pauseBefore = (
  { kind, retryAfterMs = 0 }: ModelProblem,
  tries: number,
  random = Math.random(),
): number | undefined => {
  if (kind !== 'speed' && kind !== 'network') return undefined
  if (tries >= moreAttempts[kind]) return undefined
  return Math.max(retryAfterMs, 1_000 * 2 ** tries * (0.75 + random / 2))
}

const runTool = async (
  { id, name, input, problem }: Reply['calls'][number],
  tools: Record<string, ModelTool>,
  { step, signal }: { step: number; signal: AbortSignal; key: string | undefined },
): Promise<ToolCall> => {
  const call = { id, name, input }
  const tool = tools[name]
  if (!tool) return { ...call, error: `There is no tool ${name}.` }
  if (problem) return { ...call, error: problem }
  if (!tool.run) return call
  try {
    return { ...call, output: await tool.run(input, { callId: id, step, signal }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...call, error: error.message }
  }
}

const resultsOf = (calls: ToolCall[]): ModelMessage => ({
  role: 'tool',
  content: calls.map(({ id, name, output, error }) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output:
      error === undefined
        ? { type: 'text', value: typeof output === 'string' ? output : JSON.stringify(output ?? 'ok') }
        : { type: 'error-text', value: error },
  })),
})

/** Tokens a text has at most, about: Portuguese has three to four letters in each. */
const tokensIn = (text: string) => Math.ceil(text.length / 3)
const pictureTokens = 1_500
const expectedTokens = ({ system = '', messages, tools }: Asking): number => {
  let tokens = tokensIn(system) + Object.keys(tools).length * 150
  for (const { content } of messages) {
    if (typeof content === 'string') tokens += tokensIn(content)
    else
      for (const part of content)
        tokens += part.type === 'image' || part.type === 'file' ? pictureTokens : tokensIn(JSON.stringify(part))
  }
  return tokens + 20
}

const namespace = 'c0a1f6de-5b0e-4c39-9d0a-6c9a6a1f7f11'
const keyOf = (key: string) => v5(key, namespace)
