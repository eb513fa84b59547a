import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import type { Refusal } from './magic.ts'
import { addOpenAi } from './openai.ts'
import type { LlmState } from './state.ts'
import { inputTokensOf, outputTokensOf, type Turn, wordsOf } from './turn.ts'

const request = z.object({
  model: z.string(),
  messages: z.array(
    z.object({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: z.string().default(''),
      images: z.array(z.string()).default([]),
      tool_calls: z
        .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown().optional() }) }))
        .default([]),
      tool_name: z.string().optional(),
    }),
  ),
  tools: z
    .array(
      z.object({
        function: z.object({
          name: z.string(),
          description: z.string().default(''),
          parameters: z.unknown().optional(),
        }),
      }),
    )
    .default([]),
  stream: z.boolean().default(true),
})

/** Ollama: its own wire (lines of JSON), its list of models, and OpenAI's wire below /v1. No key. */
export const addOllama = (state: LlmState, at: string) => {
  const { app } = state.core
  addOpenAi(state, `${at}/v1`, false)
  app.get(`${at}/api/tags`, () => ({
    models: state.listed.map((name) => ({ name, model: name, size: 4_000_000_000 })),
  }))
  app.get(`${at}/api/version`, () => ({ version: '0.12.3' }))
  app.post(`${at}/api/chat`, async (req, reply) => {
    const asked = request.parse(recordOf(req).body)
    const turn = turnOf(asked)
    const said = await state.answer(turn, ollamaError)
    const head = { model: asked.model, created_at: new Date(state.core.now()).toISOString() }
    const tool_calls = said.calls?.map(({ name, input }) => ({ function: { name, arguments: input } }))
    const counts = {
      prompt_eval_count: inputTokensOf(turn),
      eval_count: outputTokensOf(said),
      total_duration: 1_000_000,
    }
    const last = { ...head, done: true, done_reason: said.finish ?? 'stop', ...counts }
    const message = { role: 'assistant', content: said.text ?? '', ...(tool_calls && { tool_calls }) }
    if (!asked.stream) return state.whole(reply, turn, { ...last, message })
    const line = (object: object) => `${JSON.stringify(object)}\n`
    return state.stream(
      reply,
      turn,
      [
        ...wordsOf(said.text ?? '').map((content) =>
          line({ ...head, message: { role: 'assistant', content }, done: false }),
        ),
        ...(tool_calls
          ? [line({ ...head, message: { role: 'assistant', content: '', tool_calls }, done: false })]
          : []),
        line({ ...last, message: { role: 'assistant', content: '' } }),
      ],
      'application/x-ndjson',
    )
  })
}

const ollamaError = ({ message }: Refusal) => ({ error: message })

const turnOf = ({ model, messages, tools, stream }: z.output<typeof request>): Turn => ({
  wire: 'ollama',
  apiKey: '',
  model,
  isStream: stream,
  system: messages.flatMap(({ role, content }) => (role === 'system' ? content : [])).join('\n'),
  messages: messages.flatMap(({ role, content, images, tool_calls, tool_name }) =>
    role === 'system'
      ? []
      : [
          {
            role,
            text: content,
            files: images.length,
            calls: tool_calls.map(({ function: { name, arguments: input } }, at) => ({
              id: `${name}-${at}`,
              name,
              input,
            })),
            name: tool_name,
          },
        ],
  ),
  tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
})
