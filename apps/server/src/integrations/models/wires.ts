import type { ModelConfig, ModelKind } from '@balcao/contract/core/integrations/models.ts'
import type { LanguageModel } from 'ai'
import type { Egress } from '../../kit/egress.ts'

type Fetch = typeof globalThis.fetch
/** More than any answer of a model; one that says more is cut off. */
const mostBytes = 8_000_000

/**
 * A model of this account, for the AI SDK. Libraries are loaded when first used, and every byte leaves by the given ways
 * out; OpenAI's answers are not stored there.
 */
export const languageModel = async (
  kind: ModelKind,
  config: ModelConfig,
  { egress, model = config.model }: { egress: Pick<Egress, 'fetch'>; model?: string },
): Promise<Exclude<LanguageModel, string>> => {
  const provider = await providerOf(kind, config, egress)
  if (provider.kind === 'openai' && config.wire !== 'responses') return provider.sdk.chat(model)
  return provider.sdk.languageModel(model)
}

/** A model of this account that says what a text means. */
export const embeddingModel = async (kind: ModelKind, config: ModelConfig, egress: Pick<Egress, 'fetch'>) =>
  (await providerOf(kind, config, egress)).sdk.embeddingModel(config.embeddingModel)

const providerOf = async (kind: ModelKind, config: ModelConfig, egress: Pick<Egress, 'fetch'>) => {
  const fetch = bounded(egress)
  const { apiKey, baseUrl: baseURL } = config
  switch (kind) {
    case 'chat-gpt': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const { organization, project } = config
      return { kind: 'openai' as const, sdk: createOpenAI({ apiKey, baseURL, organization, project, fetch }) }
    }
    case 'claude': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return { kind, sdk: createAnthropic({ apiKey, baseURL, fetch }) }
    }
    case 'gemini': {
      const { createGoogle } = await import('@ai-sdk/google')
      return { kind, sdk: createGoogle({ apiKey, baseURL, fetch }) }
    }
    default: {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const sdk = createOpenAICompatible({
        name: kind,
        apiKey,
        baseURL: kind === 'ollama' ? `${baseURL.replace(/\/+$/, '')}/v1` : baseURL,
        fetch,
        includeUsage: true,
        // Qwen's models think unless they are told not to.
        ...(kind === 'qwen' && {
          transformRequestBody: (body: Record<string, unknown>) => ({
            ...body,
            enable_thinking: config.thinks === true,
          }),
        }),
      })
      return { kind, sdk }
    }
  }
}

/** Our own way out as libraries want it, its answers cut at what no model says. */
const bounded = ({ fetch }: Pick<Egress, 'fetch'>): Fetch => {
  const ask = fetch as unknown as Fetch // undici's own, which Node's is made of
  return async (input, init) => {
    const answer = await ask(input, init)
    let size = 0
    const counted = answer.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          size += chunk.length
          if (size > mostBytes) controller.error(new Error('The answer is too large'))
          else controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText, headers } = answer
    return new Response(counted ?? null, { status, statusText, headers: Object.fromEntries(headers) })
  }
}
