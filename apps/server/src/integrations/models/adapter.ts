import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { type ModelConfig, type ModelKind, modelConfig } from '@balcao/contract/core/integrations/models.ts'
import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { type Asked, ModelProblem, problemOf } from '../model-problem.ts'
import { embed } from './embed.ts'
import { listModels } from './lists.ts'
import { speak } from './speak.ts'
import { transcribe } from './transcribe.ts'
import { languageModel } from './wires.ts'

const testMs = 30_000

/** What an account of language models does, whichever it is: they differ in how they are spoken to. */
export const models = <K extends ModelKind>(kind: K): IntegrationAdapter<K> => {
  const configOf = (context: IntegrationContext<K>): ModelConfig => modelConfig.parse(context.config)
  const asked = (config: ModelConfig, model = config.model): Asked => ({
    label: integrations[kind].label,
    model,
    apiKey: config.apiKey,
  })
  return {
    /** A question of one word: only an answer shows that key, model and balance are right. */
    test: async (context) => {
      const config = configOf(context)
      const { generateText } = await import('ai')
      const began = performance.now()
      try {
        const model = await languageModel(kind, config, context)
        const { text, usage } = await generateText({
          model,
          prompt: 'Responda apenas com a palavra: pronto',
          maxOutputTokens: 200,
          maxRetries: 0,
          abortSignal: AbortSignal.timeout(testMs),
          providerOptions: { openai: { store: false } },
        })
        if (!text.trim() && !usage.outputTokens)
          throw new ModelProblem('refusal', `${asked(config).label} respondeu sem texto. Escolha outro modelo.`)
      } catch (error) {
        throw problemOf(error, asked(config))
      }
      const s = Math.max(0.1, (performance.now() - began) / 1_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
      return { text: `O modelo ${config.model} respondeu em ${s} s.` }
    },
    models: {
      asked: (context, model) => asked(configOf(context), model),
      list: (context) => {
        const config = configOf(context)
        return listModels(kind, config, context.egress, asked(config))
      },
      open: (context, model) => languageModel(kind, configOf(context), { egress: context.egress, model }),
      embed: (context, toEmbed) => {
        const config = configOf(context)
        return embed(kind, config, context.egress, asked(config, config.embeddingModel), toEmbed)
      },
      speak: (context, toSay) => {
        const config = configOf(context)
        return speak(kind, config, context.egress, asked(config, config.speechModel), toSay)
      },
      transcribe: (context, speech) => {
        const config = configOf(context)
        return transcribe(kind, config, context.egress, asked(config, config.audioModel), speech)
      },
    },
  }
}
