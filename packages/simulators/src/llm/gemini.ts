import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { type Refusal, unauthorized } from './magic.ts'
import type { LlmState } from './state.ts'
import { inputTokensOf, outputTokensOf, type Turn, type TurnMessage, wordsOf } from './turn.ts'

const part = z.looseObject({
  text: z.string().optional(),
  functionCall: z.looseObject({ name: z.string(), args: z.unknown().optional() }).optional(),
  functionResponse: z.looseObject({ name: z.string(), response: z.unknown().optional() }).optional(),
})
const request = z.object({
  systemInstruction: z.object({ parts: z.array(part) }).optional(),
  contents: z.array(z.object({ role: z.enum(['user', 'model']), parts: z.array(part) })),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              description: z.string().default(''),
              parameters: z.unknown().optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
})

const embedding = z.looseObject({ content: z.object({ parts: z.array(part) }) })
const embeddings = z.object({ requests: z.array(embedding).min(1).max(100) })

/** Gemini's generateContent, whole and streamed, and its embeddings. */
export const addGemini = (state: LlmState, at: string) => {
  const { app } = state.core
  const open = (key: unknown) => {
    if (!state.isKey(String(key ?? '')))
      throw state.refused(
        {
          ...unauthorized,
          status: 400,
          grpc: 'INVALID_ARGUMENT',
          message: 'API key not valid. Please pass a valid API key.',
        },
        geminiError,
      )
    return String(key)
  }
  app.get(`${at}/models`, ({ headers }) => {
    open(headers['x-goog-api-key'])
    return {
      models: state.listed.map((id) => ({
        name: `models/${id}`,
        supportedGenerationMethods: [id.startsWith('embedding') ? 'embedContent' : 'generateContent'],
      })),
    }
  })
  app.post<{ Params: { '*': string } }>(`${at}/models/*`, async (req, reply) => {
    const apiKey = open(req.headers['x-goog-api-key'])
    const [, model = '', method = ''] = /^(.+):(\w+)$/.exec(req.params['*']) ?? []
    if (method === 'batchEmbedContents' || method === 'embedContent') {
      const { body } = recordOf(req)
      const asked = method === 'embedContent' ? [embedding.parse(body)] : embeddings.parse(body).requests
      const texts = asked.map(({ content: { parts } }) => parts.map(({ text = '' }) => text).join('\n'))
      const vectors = await state.embed(model, texts, geminiError)
      const [values] = vectors
      return method === 'embedContent'
        ? { embedding: { values } }
        : { embeddings: vectors.map((one) => ({ values: one })) }
    }
    const isStream = method === 'streamGenerateContent'
    const turn = turnOf(request.parse(recordOf(req).body), { apiKey, model, isStream })
    const said = await state.answer(turn, geminiError)
    const [promptTokenCount, candidatesTokenCount] = [inputTokensOf(turn), outputTokensOf(said)]
    const usageMetadata = {
      promptTokenCount,
      candidatesTokenCount,
      totalTokenCount: promptTokenCount + candidatesTokenCount,
    }
    // A blocked prompt has no candidates at all.
    if (said.finish === 'refusal') {
      const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata, modelVersion: model }
      return isStream ? state.stream(reply, turn, [chunk(blocked)]) : state.whole(reply, turn, blocked)
    }
    const finishReason = said.finish === 'length' ? 'MAX_TOKENS' : 'STOP'
    const calls = (said.calls ?? []).map(({ name, input }) => ({ functionCall: { name, args: input } }))
    const candidate = (parts: object[], last?: string) => ({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...(last && { finishReason: last }) }],
      usageMetadata,
      modelVersion: model,
    })
    if (!isStream)
      return state.whole(reply, turn, candidate([...(said.text ? [{ text: said.text }] : []), ...calls], finishReason))
    return state.stream(reply, turn, [
      ...wordsOf(said.text ?? '').map((text) => chunk(candidate([{ text }]))),
      ...(calls.length ? [chunk(candidate(calls))] : []),
      chunk(candidate([{ text: '' }], finishReason)),
    ])
  })
}

const chunk = (object: object) => `data: ${JSON.stringify(object)}\n\n`
export const geminiError = ({ status, message, grpc }: Refusal) => ({ error: { code: status, message, status: grpc } })

type About = { apiKey: string; model: string; isStream: boolean }
const turnOf = ({ systemInstruction, contents, tools }: z.output<typeof request>, about: About): Turn => ({
  wire: 'gemini',
  ...about,
  system: (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('\n'),
  messages: contents.flatMap(({ role, parts }): TurnMessage[] => {
    const results = parts.flatMap(({ functionResponse: of }): TurnMessage[] =>
      of ? [{ role: 'tool', text: JSON.stringify(of.response), files: 0, calls: [], name: of.name }] : [],
    )
    const calls = parts.flatMap(({ functionCall: of }, at) =>
      of ? [{ id: `${of.name}-${at}`, name: of.name, input: of.args }] : [],
    )
    const text = parts.map((one) => one.text ?? '').join('')
    const files = parts.filter((one) => 'inlineData' in one || 'fileData' in one).length
    const own = { role: role === 'model' ? ('assistant' as const) : ('user' as const), text, files, calls }
    return [...results, ...(text || calls.length || files ? [own] : [])]
  }),
  tools: tools.flatMap(({ functionDeclarations }) =>
    functionDeclarations.map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
  ),
})
