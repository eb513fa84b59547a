import { setTimeout as rest } from 'node:timers/promises'
import { v5, v7 } from 'uuid'
import { z } from 'zod'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import { AppError } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { AssistantBudget } from '../../core/limits/reserve-spending.ts'
import { type Account, accountsNamed, modelsOf, reportBroken, reportWorking } from './accounts.ts'
import { pauseBefore } from './answer.ts'
import { createMask } from './mask.ts'
import { openCall, settleCall } from './usage.ts'

type ToEmbed = {
  tenantId: number
  integrationId: string
  texts: readonly string[]
  timeoutMs: number
  assistant?: AssistantBudget | undefined
  ticketId?: string | undefined
  /** Asked again under it, what came is given again and paid once. */
  key?: string | undefined
}
/** One for each text; `by`: the model they are of, and can be compared within. */
export type Embedded = { embeddings: number[][]; by: string }

/**
 * What texts mean to the model of an account, personal data masked where the company says so, within its budget. No
 * transaction may be open. Throws AppError ERR_AI_BUDGET, ERR_NO_MODEL where the account has none, and ModelProblem.
 */
export const embedTexts = async ({ tenantId, integrationId, texts, ...more }: ToEmbed): Promise<Embedded> => {
  const [{ settings }, [account]] = await Promise.all([
    getDirectory(tenantId),
    accountsNamed(tenantId, [integrationId]),
  ])
  if (!account?.config.embeddingModel) throw new AppError('ERR_NO_MODEL')
  const { mask } = createMask()
  const asked = settings.aiMaskPersonal ? texts.map(mask) : texts
  try {
    const embeddings = await askAccount(account, asked, more)
    await reportWorking(account)
    return { embeddings, by: embedderOf(account) }
  } catch (error) {
    if (error instanceof ModelProblem && error.isOfAccount) await reportBroken(account, error)
    throw error
  }
}

/** The model embeddings of this account are of; undefined: it makes none. */
export const embedderNamed = async (tenantId: number, integrationId: string): Promise<string | undefined> => {
  const [account] = await accountsNamed(tenantId, [integrationId])
  return account?.config.embeddingModel ? embedderOf(account) : undefined
}
const embedderOf = ({ kind, config }: Account) => `${kind}:${config.embeddingModel}`

type More = Pick<ToEmbed, 'timeoutMs' | 'assistant' | 'ticketId' | 'key'>
const askAccount = async (
  account: Account,
  texts: readonly string[],
  { timeoutMs, assistant, ticketId, key }: More,
): Promise<number[][]> => {
  const { id: integrationId, tenantId, kind, config, context } = account
  const model = config.embeddingModel
  const expected = Math.ceil(texts.join('').length / 3)
  const costOf = (tokens: number) => Math.ceil(tokens * config.embeddingPrice)
  const call = { id: key ? v5(`embedding:${model}:${key}`, integrationId) : v7(), tenantId }
  const { kept } = await openCall({
    ...{ ...call, integrationId, kind, model, purpose: 'knowledge', assistant, ticketId },
    mostMicros: costOf(expected),
  })
  const again = keptBefore.safeParse(kept)
  if (again.success) return again.data
  const began = performance.now()
  const { embed } = await modelsOf(kind)
  for (let tries = 0; ; tries += 1) {
    const left = timeoutMs - (performance.now() - began)
    try {
      const { embeddings, tokens } = await embed(context, { texts, timeoutMs: Math.max(1, Math.round(left)) })
      const inputTokens = tokens ?? expected
      await settleCall(call, {
        ...{ state: 'done', inputTokens, costMicros: costOf(inputTokens), ms: performance.now() - began },
        result: key ? embeddings : undefined,
      })
      return embeddings
    } catch (error) {
      const pauseMs = error instanceof ModelProblem ? pauseBefore(error, tries) : undefined
      if (pauseMs !== undefined && pauseMs < left) {
        await rest(pauseMs)
        continue
      }
      const problem = error instanceof ModelProblem ? error.kind : 'network'
      await settleCall(call, { state: 'failed', problem, costMicros: 0, ms: performance.now() - began })
      throw error
    }
  }
}
const keptBefore = z.array(z.array(z.number()))
