import type { ModelConfig, ModelKind } from '@balcao/contract/core/integrations/models.ts'
import type { Egress } from '../../kit/egress.ts'
import { type Asked, ModelProblem, problemOf } from '../model-problem.ts'
import { embeddingModel } from './wires.ts'

export type ToEmbed = { texts: readonly string[]; timeoutMs: number }
/** One for each text, in their order; `tokens`: as the provider counted them. */
export type Embeddings = { embeddings: number[][]; tokens: number | null }

/** What texts mean, in numbers. Throws ModelProblem. */
export const embed = async (
  kind: ModelKind,
  config: ModelConfig,
  egress: Pick<Egress, 'fetch'>,
  asked: Asked,
  { texts, timeoutMs }: ToEmbed,
): Promise<Embeddings> => {
  const { embedMany } = await import('ai')
  try {
    const model = await embeddingModel(kind, config, egress)
    const abortSignal = AbortSignal.timeout(timeoutMs)
    const { embeddings, usage } = await embedMany({ model, values: [...texts], maxRetries: 0, abortSignal })
    if (embeddings.length !== texts.length || embeddings.some((one) => !one.length))
      throw new ModelProblem('refusal', `${asked.label} não mandou embeddings. Escolha outro modelo de embeddings.`)
    return { embeddings, tokens: usage.tokens || null }
  } catch (error) {
    throw problemOf(error, asked)
  }
}
