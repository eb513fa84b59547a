import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { SimulatorCore } from '../simulator.ts'
import { meaningOf } from './embed.ts'
import { LlmError, noModel, oddModels, type Refusal, refusalFor } from './magic.ts'
import type { Reply, Script, Turn } from './turn.ts'

/** A refusal in the words of one wire. */
export type Words = (refusal: Refusal) => object
export type Heard = { model: string; filename: string; mimeType: string; bytes: Buffer }
export type LlmState = ReturnType<typeof createState>

/** What every wire shares: who may ask, what is said, and how it goes wrong. */
export const createState = (
  core: SimulatorCore,
  options: { models: string[]; think: Script; hear: (file: Heard) => string },
) => {
  const scripts: Script[] = []
  const refused = (refusal: Refusal, words: Words) => Object.assign(new LlmError(refusal), { words })
  const state = {
    core,
    scripts,
    models: options.models,
    /** What its list shows: names that go wrong are known to whoever wants them. */
    listed: options.models.filter((name) => name.includes('balcao')),
    /** Every turn that was asked for, newest last. */
    turns: [] as Turn[],
    /** Every text that was to be said aloud. */
    spoken: [] as { model: string; input: string; voice: string; response_format?: string }[],
    /** Every text whose meaning was asked for. */
    embedded: [] as string[],
    /** Of a stream, between two words; of the model that is slow, before its first. */
    pace: { wordMs: 0, slowMs: 3_000 },
    hearing: options.hear,
    /** A key is right unless it says that it is not. */
    isKey: (key: string) => key.length >= 8 && !key.includes('errada'),
    refused,
    answer: async (turn: Turn, words: Words): Promise<Reply> => {
      state.turns.push(turn)
      if (state.turns.length > 5_000) state.turns.splice(0, 2_500)
      const refusal = refusalFor(turn.model)
      if (refusal) throw refused(refusal, words)
      if (!state.models.includes(turn.model)) throw refused(noModel(turn.model), words)
      if (turn.model === 'lento') await sleep(state.pace.slowMs, undefined, { signal: core.closing }).catch(() => {})
      if (turn.model === 'vazio') return { text: '' }
      if (turn.model === 'recusa') return { text: '', finish: 'refusal' }
      for (const script of scripts.toReversed()) {
        const said = await script(turn)
        if (said) return said
      }
      return (await options.think(turn)) ?? { text: 'Certo.' }
    },
    hear: async (file: Heard, words: Words): Promise<string> => {
      const refusal = refusalFor(file.model)
      if (refusal) throw refused(refusal, words)
      if (file.model === 'lento') await sleep(state.pace.slowMs, undefined, { signal: core.closing }).catch(() => {})
      return file.model === 'vazio' ? '' : state.hearing(file)
    },
    embed: async (model: string, texts: readonly string[], words: Words): Promise<number[][]> => {
      const refusal = refusalFor(model)
      if (refusal) throw refused(refusal, words)
      if (!state.models.includes(model)) throw refused(noModel(model), words)
      if (model === 'lento') await sleep(state.pace.slowMs, undefined, { signal: core.closing }).catch(() => {})
      state.embedded.push(...texts)
      return texts.map((text) => meaningOf(text, model))
    },
    whole: (reply: FastifyReply, { model }: Turn, body: object) => {
      if (model !== 'cortado') return reply.send(body)
      const text = JSON.stringify(body)
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      reply.raw.write(text.slice(0, text.length / 2), () => reply.raw.destroy())
      return reply
    },
    stream: async (reply: FastifyReply, { model }: Turn, pieces: string[], type = 'text/event-stream') => {
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' })
      const cutAt = model === 'cortado' ? Math.ceil(pieces.length / 2) : pieces.length
      for (const piece of pieces.slice(0, cutAt)) {
        if (raw.destroyed) return reply
        raw.write(piece)
        if (state.pace.wordMs) await sleep(state.pace.wordMs)
      }
      // What was said is on its way before the line is cut.
      if (model === 'cortado') raw.write(' ', () => raw.destroy())
      else raw.end()
      return reply
    },
  }
  return state
}

/** Names that can be asked for to see something go wrong, beside those that answer. */
export const allModels = (answering: string[], magic: string[]) => [...answering, ...oddModels, ...magic]
