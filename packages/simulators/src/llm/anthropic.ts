import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { type Refusal, unauthorized } from './magic.ts'
import type { LlmState } from './state.ts'
import { inputTokensOf, outputTokensOf, type Turn, type TurnMessage, wordsOf } from './turn.ts'

const block = z.looseObject({ type: z.string(), text: z.string().optional() })
const blocks = z.union([z.string(), z.array(block)])
const request = z.object({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: blocks.optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: blocks })),
  tools: z
    .array(
      z.looseObject({ name: z.string(), description: z.string().default(''), input_schema: z.unknown().optional() }),
    )
    .default([]),
  stream: z.boolean().default(false),
})
const textOf = (of: z.output<typeof blocks>): string =>
  typeof of === 'string' ? of : of.flatMap(({ type, text = '' }) => (type === 'text' ? text : [])).join('\n')

/** Anthropic's Messages API. */
export const addAnthropic = (state: LlmState, at: string) => {
  const { app } = state.core
  const open = (key: unknown, version: unknown) => {
    if (!state.isKey(String(key ?? '')))
      throw state.refused({ ...unauthorized, message: 'invalid x-api-key' }, anthropicError)
    if (!version)
      throw state.refused(
        {
          status: 400,
          code: '',
          type: 'invalid_request_error',
          grpc: '',
          message: 'anthropic-version: header is required',
        },
        anthropicError,
      )
    return String(key)
  }
  app.get(`${at}/models`, ({ headers }) => {
    open(headers['x-api-key'], headers['anthropic-version'])
    return { data: state.listed.map((id) => ({ type: 'model', id, display_name: id })), has_more: false }
  })
  app.post(`${at}/messages`, async (req, reply) => {
    const apiKey = open(req.headers['x-api-key'], req.headers['anthropic-version'])
    const asked = request.parse(recordOf(req).body)
    const turn = turnOf(asked, apiKey)
    const said = await state.answer(turn, anthropicError)
    const [input_tokens, output_tokens] = [inputTokensOf(turn), outputTokensOf(said)]
    const calls = (said.calls ?? []).map(({ name, input }) => ({
      type: 'tool_use' as const,
      id: `toolu_${randomUUID().slice(0, 12)}`,
      name,
      input,
    }))
    const stop_reason = calls.length
      ? 'tool_use'
      : { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[said.finish ?? 'stop']
    const head = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: asked.model }
    const content = [...(said.text ? [{ type: 'text' as const, text: said.text }] : []), ...calls]
    if (!asked.stream)
      return state.whole(reply, turn, {
        ...head,
        content,
        stop_reason,
        stop_sequence: null,
        usage: { input_tokens, output_tokens },
      })
    const parts = content.flatMap((one, index) => {
      const start = one.type === 'text' ? { type: 'text', text: '' } : { ...one, input: {} }
      const deltas =
        one.type === 'text'
          ? wordsOf(one.text).map((text) => ({ type: 'text_delta', text }))
          : [{ type: 'input_json_delta', partial_json: JSON.stringify(one.input) }]
      return [
        event('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]
    })
    return state.stream(reply, turn, [
      event('message_start', {
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens, output_tokens: 1 },
        },
      }),
      event('ping', {}),
      ...parts,
      event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } }),
      event('message_stop', {}),
    ])
  })
}

const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
export const anthropicError = ({ type, message }: Refusal) => ({ type: 'error', error: { type, message } })

const turnOf = ({ model, system = '', messages, tools, stream }: z.output<typeof request>, apiKey: string): Turn => ({
  wire: 'anthropic',
  apiKey,
  model,
  isStream: stream,
  system: textOf(system),
  messages: messages.flatMap(({ role, content }): TurnMessage[] => {
    const list = typeof content === 'string' ? [] : content
    const results = list.flatMap((one): TurnMessage[] => {
      if (one.type !== 'tool_result') return []
      const said = one.content
      return [
        {
          role: 'tool',
          text: typeof said === 'string' ? said : textOf((said ?? []) as z.output<typeof blocks>),
          files: 0,
          calls: [],
          callId: String(one.tool_use_id),
        },
      ]
    })
    const calls = list.flatMap((one) =>
      one.type === 'tool_use' ? [{ id: String(one.id), name: String(one.name), input: one.input }] : [],
    )
    const files = list.filter(({ type }) => type === 'image' || type === 'document').length
    const text = textOf(content)
    return [...results, ...(text || calls.length || files ? [{ role, text, files, calls }] : [])]
  }),
  tools: tools.map(({ name, description, input_schema }) => ({ name, description, schema: input_schema })),
})
