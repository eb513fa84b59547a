import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sampleMedia } from '../samples.ts'
import { recordOf } from '../simulator.ts'
import { type Refusal, refusalFor, unauthorized } from './magic.ts'
import type { LlmState } from './state.ts'
import { inputTokensOf, outputTokensOf, type Reply, type Turn, type TurnMessage, wordsOf } from './turn.ts'

const part = z.looseObject({ type: z.string(), text: z.string().optional() })
const content = z.union([z.string(), z.array(part)]).nullish()
const chat = z.object({
  model: z.string(),
  messages: z.array(
    z.object({
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
      content,
      tool_calls: z
        .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
        .optional(),
      tool_call_id: z.string().optional(),
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
  stream: z.boolean().default(false),
})
const responses = z.object({
  model: z.string(),
  instructions: z.string().optional(),
  input: z.array(
    z.looseObject({
      type: z.string().optional(),
      role: z.string().optional(),
      content,
      call_id: z.string().optional(),
      name: z.string().optional(),
      arguments: z.string().optional(),
      output: z.unknown().optional(),
    }),
  ),
  tools: z
    .array(
      z.looseObject({
        name: z.string().default(''),
        description: z.string().default(''),
        parameters: z.unknown().optional(),
      }),
    )
    .default([]),
  stream: z.boolean().default(false),
})

const embeddings = z.object({ model: z.string(), input: z.array(z.string().min(1)).min(1).max(2_048) })
const tokensIn = (texts: readonly string[]) => Math.ceil(texts.join('').length / 4)

const textOf = (of: z.output<typeof content>) =>
  typeof of === 'string' ? of : (of ?? []).map(({ text = '' }) => text).join('\n')
const filesOf = (of: z.output<typeof content>) =>
  Array.isArray(of) ? of.filter(({ type }) => /image|audio|file/.test(type)).length : 0
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** OpenAI's wire, which most others speak: chat completions, responses, transcriptions, embeddings and the list of models. */
export const addOpenAi = (state: LlmState, at: string, needsKey = true) => {
  const { app } = state.core
  const keyOf = (req: FastifyRequest) => {
    const key = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1] ?? ''
    if (needsKey && !state.isKey(key)) throw state.refused(unauthorized, openAiError)
    return key
  }
  app.get(`${at}/models`, (req) => {
    keyOf(req)
    return { object: 'list', data: state.listed.map((id) => ({ id, object: 'model', created: 0, owned_by: 'balcao' })) }
  })
  app.post(`${at}/chat/completions`, async (req, reply) => {
    const apiKey = keyOf(req)
    const asked = chat.parse(recordOf(req).body)
    const turn = turnOfChat(asked, apiKey)
    const said = await state.answer(turn, openAiError)
    const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(state.core.now() / 1_000), model: asked.model }
    const usage = usageOf(turn, said)
    const calls = (said.calls ?? []).map(({ name, input }, index) => ({
      index,
      id: `call_${randomUUID().slice(0, 12)}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }))
    const finish = calls.length ? 'tool_calls' : said.finish === 'refusal' ? 'content_filter' : (said.finish ?? 'stop')
    if (!asked.stream)
      return state.whole(reply, turn, {
        ...head,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: said.text ?? null,
              ...(calls.length && { tool_calls: calls.map(({ index: _, ...call }) => call) }),
            },
            finish_reason: finish,
          },
        ],
        usage,
      })
    const chunk = (delta: object, finish_reason: string | null = null) =>
      data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
    return state.stream(reply, turn, [
      chunk({ role: 'assistant', content: '' }),
      ...wordsOf(said.text ?? '').map((content) => chunk({ content })),
      ...calls.map((call) => chunk({ tool_calls: [call] })),
      chunk({}, finish),
      data({ ...head, object: 'chat.completion.chunk', choices: [], usage }),
      'data: [DONE]\n\n',
    ])
  })
  app.post(`${at}/responses`, async (req, reply) => {
    const apiKey = keyOf(req)
    const asked = responses.parse(recordOf(req).body)
    const turn = turnOfResponses(asked, apiKey)
    const said = await state.answer(turn, openAiError)
    const id = `resp_${randomUUID()}`
    const items = itemsOf(said)
    const { prompt_tokens, completion_tokens, total_tokens } = usageOf(turn, said)
    const head = { id, object: 'response', created_at: Math.floor(state.core.now() / 1_000), model: asked.model }
    const done = {
      ...head,
      status: said.finish === 'length' || said.finish === 'refusal' ? 'incomplete' : 'completed',
      error: null,
      incomplete_details:
        said.finish === 'length'
          ? { reason: 'max_output_tokens' }
          : said.finish === 'refusal'
            ? { reason: 'content_filter' }
            : null,
      output: items,
      usage: {
        input_tokens: prompt_tokens,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: completion_tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens,
      },
    }
    if (!asked.stream) return state.whole(reply, turn, done)
    return state.stream(reply, turn, streamOfResponse(head, items, done))
  })
  app.post(`${at}/embeddings`, async (req) => {
    keyOf(req)
    const { model, input } = embeddings.parse(recordOf(req).body)
    const vectors = await state.embed(model, input, openAiError)
    const prompt_tokens = tokensIn(input)
    return {
      object: 'list',
      model,
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens, total_tokens: prompt_tokens },
    }
  })
  app.post(`${at}/audio/speech`, async (req, reply) => {
    keyOf(req)
    const said = z
      .object({
        model: z.string(),
        input: z.string().min(1),
        voice: z.string().min(1),
        response_format: z.string().optional(),
      })
      .parse(recordOf(req).body)
    const refusal = refusalFor(said.model)
    if (refusal) throw state.refused(refusal, openAiError)
    state.spoken.push(said)
    return reply.type('audio/ogg').send(sampleMedia('voice').bytes)
  })
  app.post(`${at}/audio/transcriptions`, async (req, reply) => {
    keyOf(req)
    const { body, files } = recordOf(req)
    const form = z.object({ model: z.string() }).parse(body)
    const file = files.file
    if (!file?.bytes.length)
      throw state.refused(
        {
          status: 400,
          code: 'invalid_request_error',
          type: 'invalid_request_error',
          grpc: '',
          message: 'Audio file is empty or could not be decoded',
        },
        openAiError,
      )
    const text = await state.hear({ model: form.model, ...file }, openAiError)
    return reply.send({ text })
  })
}

const data = (object: object) => `data: ${JSON.stringify(object)}\n\n`
const named = (event: { type: string }) => `event: ${event.type}\n${data(event)}`
export const openAiError = ({ message, code, type }: Refusal) => ({ error: { message, type, param: null, code } })

const usageOf = (turn: Turn, said: Reply) => {
  const [prompt_tokens, completion_tokens] = [inputTokensOf(turn), outputTokensOf(said)]
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

const turnOfChat = ({ model, messages, tools, stream }: z.output<typeof chat>, apiKey: string): Turn => ({
  wire: 'openai',
  apiKey,
  model,
  isStream: stream,
  system: messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map((one) => textOf(one.content))
    .join('\n'),
  messages: messages.flatMap((one): TurnMessage[] => {
    if (one.role === 'system' || one.role === 'developer') return []
    const calls = (one.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.function.name,
      input: jsonOf(call.function.arguments),
    }))
    return [{ role: one.role, text: textOf(one.content), files: filesOf(one.content), calls, callId: one.tool_call_id }]
  }),
  tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
})

const turnOfResponses = (
  { model, instructions = '', input, tools, stream }: z.output<typeof responses>,
  apiKey: string,
): Turn => ({
  wire: 'responses',
  apiKey,
  model,
  isStream: stream,
  system: [
    instructions,
    ...input.filter(({ role }) => role === 'system' || role === 'developer').map((one) => textOf(one.content)),
  ]
    .join('\n')
    .trim(),
  messages: input.flatMap((one): TurnMessage[] => {
    if (one.type === 'function_call')
      return [
        {
          role: 'assistant',
          text: '',
          files: 0,
          calls: [{ id: one.call_id ?? '', name: one.name ?? '', input: jsonOf(one.arguments ?? '') }],
        },
      ]
    if (one.type === 'function_call_output')
      return [
        {
          role: 'tool',
          text: typeof one.output === 'string' ? one.output : JSON.stringify(one.output),
          files: 0,
          calls: [],
          callId: one.call_id,
        },
      ]
    if (one.role !== 'user' && one.role !== 'assistant') return []
    return [{ role: one.role, text: textOf(one.content), files: filesOf(one.content), calls: [] }]
  }),
  tools: tools.map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
})

type Item = { type: string; id: string } & Record<string, unknown>
const itemsOf = ({ text, calls = [] }: Reply): Item[] => [
  ...(text
    ? [
        {
          type: 'message',
          id: `msg_${randomUUID()}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ]
    : []),
  ...calls.map(({ name, input }) => ({
    type: 'function_call',
    id: `fc_${randomUUID()}`,
    call_id: `call_${randomUUID().slice(0, 12)}`,
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
  })),
]

const streamOfResponse = (head: object, items: Item[], done: { status: string }): string[] => {
  const isWhole = done.status === 'completed'
  const parts = items.flatMap((item, output_index) => {
    const added = named({
      type: 'response.output_item.added',
      output_index,
      item: item.type === 'message' ? { ...item, status: 'in_progress', content: [] } : { ...item, arguments: '' },
    } as { type: string })
    const ended = named({ type: 'response.output_item.done', output_index, item } as { type: string })
    const said =
      item.type === 'message'
        ? wordsOf(String(Reflect.get((item.content as object[])[0] ?? {}, 'text')))
        : [String(item.arguments)]
    const type = item.type === 'message' ? 'response.output_text.delta' : 'response.function_call_arguments.delta'
    return [
      added,
      ...said.map((delta) =>
        named({ type, item_id: item.id, output_index, content_index: 0, delta } as { type: string }),
      ),
      ended,
    ]
  })
  return [
    named({ type: 'response.created', response: { ...head, status: 'in_progress', output: [] } } as { type: string }),
    ...parts,
    named({ type: isWhole ? 'response.completed' : 'response.incomplete', response: done } as { type: string }),
  ]
}
