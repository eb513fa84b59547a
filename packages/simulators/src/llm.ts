import { ZodError } from 'zod'
import { addAnthropic } from './llm/anthropic.ts'
import { embeddingModels } from './llm/embed.ts'
import { addGemini } from './llm/gemini.ts'
import { LlmError, magicModels } from './llm/magic.ts'
import { addOllama } from './llm/ollama.ts'
import { addOpenAi } from './llm/openai.ts'
import { allModels, createState, type Heard, type Words } from './llm/state.ts'
import { think } from './llm/think.ts'
import type { Script, Turn } from './llm/turn.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'

export type { Reply, Script, Turn } from './llm/turn.ts'
export { lastText } from './llm/turn.ts'

export type LlmSimulator = Simulator & {
  /** The address of each wire, as an account has it. */
  readonly urls: { openai: string; anthropic: string; gemini: string; ollama: string }
  /** Every turn that was asked for, newest last. */
  readonly turns: readonly Turn[]
  /** Every text that was to be said aloud, newest last. */
  readonly spoken: readonly { input: string; voice: string }[]
  /** Every text whose meaning was asked for, newest last. */
  readonly embedded: readonly string[]
  /** Answers before the model does; the newest first. Returns what takes it away. */
  script(script: Script): () => void
  /** What is heard in an audio; by its bytes, unless told. */
  hear(as: (file: Heard) => string): void
  /** Milliseconds between two words of a stream, and before the first of the model `lento`. */
  readonly pace: { wordMs: number; slowMs: number }
}

/**
 * Providers of language models behind one address: OpenAI (chat completions, responses, transcriptions, embeddings, models), Anthropic,
 * Gemini and Ollama. Models that answer are `balcao-pequeno` and `balcao-grande`, `embedding-balcao` for meanings; others go wrong by their name (`erro-429`,
 * `sem-saldo`, `lento`, `cortado`, `vazio`, `recusa`, `longo-demais`, `erro-em-200`…). A key with `errada` in it is refused.
 */
export const startLlmSimulator = async (options: SimulatorOptions = {}): Promise<LlmSimulator> => {
  const core = await createSimulator(options)
  const models = allModels(
    ['balcao-pequeno', 'balcao-grande', 'whisper-balcao', ...Object.keys(embeddingModels)],
    Object.keys(magicModels),
  )
  const hear = ({ bytes }: Heard) =>
    `Oi, bom dia! Queria saber o prazo de entrega do meu pedido, por favor. (${bytes.length} bytes)`
  const state = createState(core, { models, think, hear })
  core.app.setErrorHandler((error, _req, reply) => {
    if (error instanceof LlmError) {
      const { status, retryAfterS } = error.refusal
      const words = Reflect.get(error, 'words') as Words
      return reply
        .code(status)
        .headers(retryAfterS ? { 'retry-after': String(retryAfterS) } : {})
        .send(words(error.refusal))
    }
    if (error instanceof ZodError)
      return reply.code(400).send({
        error: {
          message: `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`,
          type: 'invalid_request_error',
          code: null,
        },
      })
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    return reply.code(status).send({ error: { message: String(error), type: 'api_error' } })
  })
  addOpenAi(state, '/openai/v1')
  addAnthropic(state, '/anthropic/v1')
  addGemini(state, '/gemini/v1beta')
  addOllama(state, '/ollama')
  await core.listen()
  const { url } = core
  return Object.assign(core, {
    urls: {
      openai: `${url}/openai/v1`,
      anthropic: `${url}/anthropic/v1`,
      gemini: `${url}/gemini/v1beta`,
      ollama: `${url}/ollama`,
    },
    turns: state.turns,
    spoken: state.spoken,
    embedded: state.embedded,
    script: (script: Script) => {
      state.scripts.push(script)
      return () => void state.scripts.splice(state.scripts.indexOf(script), 1)
    },
    hear: (as: (file: Heard) => string) => {
      state.hearing = as
    },
    pace: state.pace,
  })
}
