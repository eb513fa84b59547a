import type { ClosingProposed, CopilotAsked, CopilotLine, CopilotState } from '@balcao/contract/automation/copilot.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { z } from 'zod'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { modelAccounts, workingFirst } from '../models/accounts.ts'
import { answerWith } from '../models/answer.ts'
import { readTalk } from './conversation.ts'
import { knowledge, type Passage } from './knowledge.ts'
import { closingPrompt, type Prompt, promptOf } from './tasks.ts'

const deadlineMs = 45_000
const passages = 5

/** What somebody with the permission is offered: where an account is set up for it, and the company wants it. */
export const readCopilotState = async ({ tenantId }: Pick<Actor, 'tenantId'>): Promise<CopilotState> => {
  const [{ settings }, accounts] = await Promise.all([getDirectory(tenantId), modelAccounts(tenantId)])
  return {
    isOn: settings.aiCopilot && accounts.some(({ config }) => config.forCopilot),
    transcribes: accounts.some(({ config }) => config.audioModel !== ''),
  }
}

const accountsFor = async (tenantId: number) =>
  (await modelAccounts(tenantId)).filter(({ config }) => config.forCopilot)

/** The answer to what a person asked, line by line as it is written. What cannot be answered ends it with its reason. */
export async function* askCopilot(actor: Actor, asked: CopilotAsked, signal: AbortSignal): AsyncGenerator<CopilotLine> {
  try {
    const talk = await readTalk(actor, asked.ticketId)
    const found =
      asked.task === 'suggest' && talk.lastFromCustomer ? await known(actor.tenantId, talk.lastFromCustomer) : []
    yield* streamed((onText) => ask(actor, asked.ticketId, promptOf(asked, talk, found), signal, onText))
    yield { done: true, sources: [...new Set(found.map(({ source }) => source))] }
  } catch (error) {
    yield refusal(error, actor)
  }
}

/** What the company knows is a help: without it the conversation is enough. */
const known = async (tenantId: number, query: string): Promise<Passage[]> => {
  try {
    return await knowledge({ tenantId, query: cutText(query, 1_000), limit: passages })
  } catch (error) {
    log.error({ err: error, tenantId }, 'knowledge could not be searched')
    return []
  }
}

const ask = async (
  actor: Actor,
  ticketId: string,
  prompt: Prompt,
  signal?: AbortSignal,
  onText?: (soFar: string) => void,
) => {
  const { tenantId, userId } = actor
  const { settings } = await getDirectory(tenantId)
  if (!settings.aiCopilot) throw new AppError('ERR_NO_MODEL', { message: 'O copiloto está desligado nesta empresa.' })
  const accounts = workingFirst(await accountsFor(tenantId))
  return answerWith({
    ...{ tenantId, userId, ticketId, deadlineMs, signal, onText, purpose: 'copilot' },
    integrationIds: accounts.map(({ id }) => id),
    system: prompt.system,
    messages: [{ role: 'user', content: prompt.user }],
    maxOutputTokens: prompt.maxOutputTokens,
  })
}

/** Text as it grows, as pieces; where it began anew, the whole. */
async function* streamed(
  answer: (onText: (soFar: string) => void) => Promise<{ text: string }>,
): AsyncGenerator<CopilotLine> {
  const lines: CopilotLine[] = []
  let said = ''
  let wake = () => {}
  const tell = (soFar: string) => {
    if (soFar === said) return
    lines.push(soFar.startsWith(said) ? { more: soFar.slice(said.length) } : { anew: soFar })
    said = soFar
    wake()
  }
  let isOver = false
  let failed: unknown
  const work = answer(tell)
    .then(({ text }) => tell(text.trimEnd() === said.trimEnd() ? said : text))
    .catch((error: unknown) => {
      failed = error
    })
    .finally(() => {
      isOver = true
      wake()
    })
  for (;;) {
    const line = lines.shift()
    if (line) yield line
    else if (isOver) break
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  await work
  if (failed) throw failed
}

/** Whoever asked is told what to do; what the account lacks, only whoever may mend it. */
const refusal = (error: unknown, actor: Actor): CopilotLine => {
  if (error instanceof AppError) return { error: error.code, message: error.message }
  if (error instanceof ModelProblem) return { error: 'ERR_MODEL_FAILED', message: wordsFor(error, actor) }
  log.error({ err: error, tenantId: actor.tenantId }, 'copilot failed')
  return { error: 'ERR_INTERNAL', message: 'Algo deu errado. Tente de novo.' }
}
const wordsFor = (problem: ModelProblem, { permissions }: Actor) => {
  if (permissions.has('integrations.write') || problem.kind === 'length') return problem.message
  return problem.isOfAccount
    ? 'O copiloto está sem acesso ao provedor. Quem cuida das integrações já foi avisado.'
    : 'O provedor de inteligência artificial não respondeu. Tente de novo.'
}

const proposed = z.object({
  reasonId: z.string().nullish(),
  summary: z.string().default(''),
  valueCents: z.number().int().nonnegative().max(99_999_999_999).nullish().catch(null),
})

/** Why a conversation ended, as a proposal: one of the company's active reasons, or none. */
export const proposeClosing = async (actor: Actor, ticketId: string): Promise<ClosingProposed> => {
  const { reasons } = await getDirectory(actor.tenantId)
  const active = [...reasons.values()].filter(({ isActive }) => isActive)
  const talk = await readTalk(actor, ticketId)
  try {
    const { text } = await ask(actor, ticketId, closingPrompt(talk, active))
    const given = proposed.safeParse(jsonIn(text))
    if (!given.success)
      throw new AppError('ERR_MODEL_FAILED', { message: 'O modelo não entendeu a conversa. Preencha à mão.' })
    const { reasonId, summary, valueCents = null } = given.data
    return {
      reasonId: active.find(({ id }) => id === reasonId)?.id ?? null,
      summary: cutText(summary, 2_000),
      valueCents: valueCents ?? null,
    }
  } catch (error) {
    if (error instanceof ModelProblem) throw new AppError('ERR_MODEL_FAILED', { message: wordsFor(error, actor) })
    throw error
  }
}

/** Models like to wrap what was asked for in words and fences. */
const jsonIn = (text: string): unknown => {
  const [found] = /\{[\s\S]*\}/.exec(text) ?? []
  try {
    return JSON.parse(found ?? text)
  } catch {
    return undefined
  }
}
