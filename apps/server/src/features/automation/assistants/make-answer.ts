import type { Passage, RunStep } from '@balcao/contract/automation/assistants/assistants.ts'
import type { AssistantConfig, HandOverReason } from '@balcao/contract/automation/assistants/config.ts'
import { filledPrompt } from '@balcao/contract/automation/assistants/config.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { VariableContext } from '@balcao/contract/variables.ts'
import type { PendingTool } from '../../../db/schema/automation/assistants.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { type Answered, answerWith, type TalkMessage, type TalkPart, type ToolCall } from './answering.ts'
import { citedIn } from './cited.ts'
import { isLeak } from './guard.ts'
import { systemPrompt } from './prompt.ts'
import { isQuestion, isWord, isYes, ruleOf } from './rules.ts'
import { type Effect, type Tool, type ToolWorld, toolsOf } from './tools.ts'

/** A line of the talk so far. */
export type Line = { from: 'customer' | 'us'; text: string; parts?: TalkPart[] }
export type Situation = {
  tenantId: number
  assistantId: string
  ticketId: string | null
  config: AssistantConfig
  directory: Directory
  customer: VariableContext
  /** Before what is answered now, oldest first. */
  history: readonly Line[]
  /** What is answered now. */
  heard: readonly Line[]
  turns: number
  pending: PendingTool | null
  heardSeq: number
  search: (question: string) => Promise<Passage[]>
  tools: Omit<ToolWorld, 'directory'>
  deadlineMs: number
  /** Of this answer, however often it is tried; null: nobody minds paying again. */
  key: string | null
  /** Reads along; `isFit`: nothing of it has to be kept back. */
  onText?: (soFar: string, isFit: () => boolean) => void
  now: Date
}
/** What is to be given to the customer and done to the conversation. */
export type Made = {
  text: string
  handOver: HandOverReason | null
  summary: string
  effects: Effect[]
  /** What the customer has to agree to next. */
  pending: PendingTool | null
  isRestarted: boolean
  passages: Passage[]
  /** A question nothing of the knowledge answers. */
  gap: string | null
  steps: RunStep[]
  costMicros: number
  integrationId: string | null
  ms: number
}

/** Rounds of tools before it has to answer. */
const mostRounds = 6
const mostCalls = 20

/**
 * Makes one answer, and does nothing: look-ups aside, what tools come to is planned. What holds is held here, whatever the
 * model says: a tool that is not granted is not there, arguments are what its schema allows, what costs waits for the
 * customer's own yes, and an answer that gives instructions or keys away is kept back. Throws `AnswerError`.
 */
export const makeAnswer = async (at: Situation): Promise<Made> => {
  const { config, heard } = at
  const began = performance.now()
  const said = heard.map(({ text }) => text).join('\n')
  const made: Made = {
    ...{ text: '', handOver: null, summary: '', effects: [], pending: null, isRestarted: false, passages: [] },
    ...{ gap: null, steps: [], costMicros: 0, integrationId: null, ms: 0 },
  }
  const finish = () => ({ ...made, ms: Math.round(performance.now() - began) })
  const isRestarted = isWord(config.restartWords, said)
  made.isRestarted = isRestarted
  const rule = ruleOf(config, said, isRestarted ? 0 : at.turns)
  if (rule) {
    made.handOver = rule
    made.steps.push(stepOf('rule', 'handOver', { output: rule }))
    return finish()
  }
  const tools = toolsOf(config.grants, at.directory)
  const world: ToolWorld = { ...at.tools, directory: at.directory }
  const agreed = at.pending && isYes(said) ? await keepAgreed(made, at.pending, tools, world) : null
  if (made.handOver) return finish()
  if (config.knowledgeIds.length && said.trim()) {
    const startedAt = performance.now()
    made.passages = await at.search(said)
    const output = made.passages.map(({ source, score }) => `${source} (${score.toFixed(2)})`).join('; ') || 'nada'
    made.steps.push(stepOf('search', 'conhecimento', { input: said, output, startedAt }))
    if (!made.passages.length && isQuestion(said) && !agreed) made.gap = said
  }
  const isOutside = made.gap !== null && config.handOver.outside
  const telling = tools.filter(({ kind }) => tells.has(kind)).map(({ name }) => name)
  if (isOutside && !telling.length) {
    made.handOver = 'outside'
    return finish()
  }
  // Until a tool has told it something, nothing it says is shown.
  await talk(made, isOutside ? { ...at, onText: undefined } : at, { tools, world, agreed, isRestarted })
  if (made.gap && made.steps.some((one) => one.kind === 'tool' && !one.problem && telling.includes(one.name)))
    made.gap = null
  if (isOutside && made.gap && !made.handOver) {
    Object.assign(made, { text: '', effects: [], pending: null, handOver: 'outside' } satisfies Partial<Made>)
  }
  if (made.text && !made.handOver) made.passages = citedIn(made.text, made.passages)
  return finish()
}

/** Tools whose outcome answers what no passage does: an order that was looked up, a time that was booked. */
const tells: ReadonlySet<Tool['kind']> = new Set([
  ...(['orders', 'calendar', 'schedule', 'opportunity', 'pix', 'transfer', 'close'] as const),
])

type Talk = { tools: readonly Tool[]; world: ToolWorld; agreed: string | null; isRestarted: boolean }
const talk = async (made: Made, at: Situation, { tools, world, agreed, isRestarted }: Talk) => {
  const { config, directory, customer, now, tenantId, assistantId, ticketId } = at
  const filled = filledPrompt(config, customer)
  const clock = new Intl.DateTimeFormat('pt-BR', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: directory.timezone,
  })
  const system = systemPrompt({
    ...{ config, ...filled, company: directory.name, now: clock.format(now), passages: made.passages, agreed },
  })
  const messages: TalkMessage[] = asTalk([...(isRestarted ? [] : at.history), ...at.heard])
  const endsAt = performance.now() + at.deadlineMs
  let calls = 0
  for (let round = 0; round < mostRounds; round += 1) {
    const startedAt = performance.now()
    const answered: Answered = await answerWith({
      ...{ tenantId, assistantId, ticketId, system, messages, tools, maxOutputTokens: config.maxOutputTokens },
      budgetCents: config.budgetCents,
      ...{ integrationIds: config.integrationIds, model: config.model },
      deadlineMs: Math.max(1_000, Math.round(endsAt - startedAt)),
      key: at.key && `${at.key}:${round}`,
      ...(at.onText && {
        onText: (soFar: string) =>
          at.onText?.(soFar, () => !isLeak(soFar, [filled.persona, filled.prompt].filter(Boolean))),
      }),
    })
    made.costMicros += answered.costMicros
    made.integrationId = answered.integrationId ?? made.integrationId
    made.steps.push(
      stepOf('model', 'resposta', {
        input: round ? '' : at.heard.map(({ text }) => text).join('\n'),
        output: answered.text || answered.toolCalls.map(({ name }) => name).join(', '),
        problem: answered.finish === 'refused' ? 'O provedor recusou responder.' : null,
        startedAt,
      }),
    )
    if (answered.finish === 'refused') {
      made.handOver = 'unsure'
      return
    }
    made.text = answered.text.trim() || made.text
    const asked = answered.toolCalls.slice(0, Math.max(0, mostCalls - calls))
    calls += asked.length
    if (!asked.length) break
    const results: { call: ToolCall; says: string }[] = []
    for (const call of asked) results.push({ call, says: await callTool(made, at, call, { tools, world }) })
    if (made.handOver) return keepBack(made, filled)
    messages.push(
      {
        role: 'assistant',
        content: [
          ...(answered.text ? [{ type: 'text' as const, text: answered.text }] : []),
          ...asked.map(({ id, name, input }) => ({
            ...{ type: 'tool-call' as const, toolCallId: id, toolName: name, input },
          })),
        ],
      },
      {
        role: 'tool',
        content: results.map(({ call, says }) => ({
          type: 'tool-result',
          toolCallId: call.id,
          toolName: call.name,
          output: { type: 'text', value: says },
        })),
      },
    )
  }
  if (!made.text && !made.pending) made.handOver = 'unsure'
  keepBack(made, filled)
}

const keepBack = (made: Made, { persona, prompt }: { persona: string; prompt: string }) => {
  const told = [made.text, made.summary, made.pending?.asked ?? '', ...made.effects.map((one) => JSON.stringify(one))]
  if (!told.some((one) => isLeak(one, [persona, prompt].filter(Boolean)))) return
  // Nothing of this answer is worth keeping.
  made.steps.push(stepOf('rule', 'sigilo', { problem: 'A resposta continha instruções ou chaves e foi retida.' }))
  made.text = ''
  made.summary = ''
  made.effects = []
  made.pending = null
  made.handOver = 'leak'
}

type Calling = { tools: readonly Tool[]; world: ToolWorld }
const callTool = async (made: Made, at: Situation, { name, input }: ToolCall, { tools, world }: Calling) => {
  const startedAt = performance.now()
  const tool = tools.find((one) => one.name === name)
  const reason = reasonIn(input)
  const noteStep = (output: string, problem: string | null = null) => {
    made.steps.push(stepOf('tool', name, { input: textOf(input), reason, output, problem, startedAt }))
    return output
  }
  if (!tool) return noteStep('Esta ferramenta não existe.', 'Não permitido a este assistente.')
  const parsed = tool.parameters.safeParse(input)
  if (!parsed.success) {
    const why = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    return noteStep(`Argumentos recusados: ${why}`, `Argumentos recusados: ${cutText(why, 300)}`)
  }
  if (tool.confirm) {
    const planned = await tool.run(parsed.data, world)
    if (planned.isRefused) return noteStep(planned.says)
    const asked = planned.effect?.label ?? planned.label ?? tool.description
    made.pending = { tool: name, input: parsed.data as Record<string, unknown>, asked, seq: at.heardSeq }
    return noteStep(`Ainda não foi feito. Pergunte ao cliente se confirma: ${asked}. Ele deve responder só SIM.`)
  }
  try {
    const outcome = await tool.run(parsed.data, world)
    if (outcome.effect) made.effects.push(outcome.effect)
    if (outcome.handOver) made.handOver = outcome.handOver
    if (outcome.summary) made.summary = outcome.summary
    return noteStep(outcome.says)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return noteStep('A consulta não respondeu.', cutText(why, 300))
  }
}

/** Done as it was asked, with the grants of now: one that was taken away meanwhile does nothing. */
const keepAgreed = async (made: Made, { tool: name, input }: PendingTool, tools: readonly Tool[], world: ToolWorld) => {
  const tool = tools.find((one) => one.name === name)
  const parsed = tool?.parameters.safeParse(input)
  if (!tool || !parsed?.success) return null
  const startedAt = performance.now()
  const noteAgreed = (output: string, problem: string | null = null) =>
    made.steps.push(
      stepOf('tool', name, {
        ...{ input: textOf(input), reason: 'O cliente confirmou.', output, problem, startedAt },
      }),
    )
  if (tool.act) {
    try {
      const came = await tool.act(parsed.data, world)
      noteAgreed(came)
      return came
    } catch (error) {
      noteAgreed('', error instanceof Error ? error.message.slice(0, 300) : String(error))
      made.handOver = 'refused'
      return null
    }
  }
  const { effect } = await tool.run(parsed.data, world)
  if (!effect) return null
  made.effects.push(effect)
  noteAgreed(effect.label)
  return `${effect.label}. Será feito junto com a sua resposta; diga isso a ele.`
}

const asTalk = (lines: readonly Line[]): TalkMessage[] => {
  const talk: TalkMessage[] = []
  for (const { from, text, parts } of lines) {
    if (from === 'us') talk.push({ role: 'assistant', content: text })
    else
      talk.push({
        role: 'user',
        content: parts?.length ? [{ type: 'text', text: text || '(arquivo)' }, ...parts] : text,
      })
  }
  return talk
}

type Told = Partial<Omit<RunStep, 'kind' | 'name' | 'ms'>> & { startedAt?: number }
export const stepOf = (kind: RunStep['kind'], name: string, { startedAt, ...told }: Told): RunStep => ({
  ...{ kind, name: name.slice(0, 80), input: '', reason: '', output: '', problem: null },
  ...told,
  input: cutText(told.input ?? '', 4_000),
  output: cutText(told.output ?? '', 4_000),
  ms: startedAt === undefined ? 0 : Math.round(performance.now() - startedAt),
})
const textOf = (input: unknown) => {
  try {
    return JSON.stringify(input) ?? ''
  } catch {
    return String(input)
  }
}
const reasonIn = (input: unknown) => {
  const given = typeof input === 'object' && input !== null ? Reflect.get(input, 'motivo') : ''
  return typeof given === 'string' ? cutText(given, 300) : ''
}
