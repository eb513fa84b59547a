import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { BotTurn, SentFile } from '../bot-turn.ts'
import { call, Refused, unanswered } from './calls.ts'
import { address, type DifyContext, difyRefused, key, label, userOf } from './dify-calls.ts'

const ofKind = loose(
  z.object({
    enabled: loose(z.boolean()),
    number_limits: loose(z.number()),
    transfer_methods: loose(z.array(z.string())),
  }),
)
const parameters = z.object({
  speech_to_text: loose(z.object({ enabled: loose(z.boolean()) })),
  /** Older apps say it kind by kind, newer ones for all kinds together. */
  file_upload: loose(
    z.object({
      ...{ image: ofKind, document: ofKind, audio: ofKind, video: ofKind },
      enabled: loose(z.boolean()),
      number_limits: loose(z.number()),
      allowed_file_types: loose(z.array(z.string())),
      allowed_file_extensions: loose(z.array(z.string())),
      allowed_file_upload_methods: loose(z.array(z.string())),
    }),
  ),
  /** In megabytes. */
  system_parameters: loose(z.record(z.string(), z.unknown())),
})
type Parameters = z.output<typeof parameters>

type Passed = { type: string; transfer_method: string; url?: string; upload_file_id?: string }
/** What is asked, in words and files: an audio is its words where it can be, and what the app does not take is told of. */
export const askedWith = async (turn: BotTurn, context: DifyContext): Promise<{ text: string; files: Passed[] }> => {
  // Where an audio has been written down, its words are here.
  const given = turn.text.trim() ? turn.files.filter(({ kind }) => kind !== 'audio') : turn.files
  if (!given.length) return { text: turn.text || 'Olá', files: [] }
  const limits = await readParameters(turn, context)
  const hears = limits.speech_to_text?.enabled === true
  const words: string[] = []
  const files: Passed[] = []
  const left: SentFile[] = []
  for (const file of given) {
    if (file.kind === 'audio' && hears) words.push(await wordsOf(file, turn, context))
    else {
      const passed = await pass(file, { turn, context, limits, before: files.length })
      if (passed) files.push(passed)
      else left.push(file)
    }
  }
  const said = [turn.text.trim(), ...words].filter(Boolean).join('\n') || (files.length ? 'Veja o que enviei.' : '')
  return { text: [said, ...left.map((one) => toldOf(one, said !== ''))].filter(Boolean).join(' ') || 'Olá', files }
}

const readParameters = async (turn: BotTurn, context: DifyContext): Promise<Parameters> => {
  const path = `parameters?user=${encodeURIComponent(userOf(turn))}`
  const reply = await call({ label, context }, address(context, path), { headers: key(context), timeoutMs: 15_000 })
  return parameters.safeParse(reply.json()).data ?? {}
}

const wordsOf = async (audio: SentFile, turn: BotTurn, context: DifyContext) => {
  const { text } = z.object({ text: loose(z.string()) }).parse(await carriedUp(audio, turn, context, 'audio-to-text'))
  return text?.trim() ?? ''
}

type Passing = { turn: BotTurn; context: DifyContext; limits: Parameters; before: number }
/** At its address where the installation has one on the internet, else carried up; undefined: the app does not take it. */
const pass = async (file: SentFile, { turn, context, limits, before }: Passing): Promise<Passed | undefined> => {
  const type = typeFor(file, limits)
  if (!type) return undefined
  const { file_upload: uploads, system_parameters: most } = limits
  const own = uploads?.[file.kind]
  if (before >= (uploads?.number_limits ?? own?.number_limits ?? mostFiles)) return undefined
  const mostMb = most?.[file.kind === 'document' ? 'file_size_limit' : `${file.kind}_file_size_limit`]
  if (typeof mostMb === 'number' && file.size > mostMb * 1_048_576) return undefined
  const ways = uploads?.allowed_file_upload_methods ?? own?.transfer_methods
  if (file.url && (!ways || ways.includes('remote_url'))) return { type, transfer_method: 'remote_url', url: file.url }
  if (ways && !ways.includes('local_file')) return undefined
  try {
    const { id } = z.object({ id: z.string() }).parse(await carriedUp(file, turn, context, 'files/upload'))
    return { type, transfer_method: 'local_file', upload_file_id: id }
  } catch (error) {
    if (error instanceof Refused && (error.status === 413 || error.status === 415)) return undefined
    throw error
  }
}
const mostFiles = 10

/** The kind a file goes as; what an app says nothing of is tried. */
const typeFor = ({ kind, name }: SentFile, { file_upload: uploads }: Parameters): string | undefined => {
  if (!uploads) return kind
  const { enabled, allowed_file_types: types = [], allowed_file_extensions: endings = [] } = uploads
  if (!types.length) return uploads[kind]?.enabled ? kind : undefined
  if (enabled === false) return undefined
  if (types.includes(kind)) return kind
  const ending = /\.\w+$/.exec(name)?.[0].toLowerCase()
  return types.includes('custom') && endings.some((one) => one.toLowerCase() === ending) ? 'custom' : undefined
}

const nouns: Record<SentFile['kind'], [noun: string, end: string]> = {
  image: ['uma imagem', 'a'],
  document: ['um documento', 'o'],
  audio: ['um áudio', 'o'],
  video: ['um vídeo', 'o'],
}
const toldOf = ({ kind, name }: SentFile, isAlso: boolean) => {
  const [noun, end] = nouns[kind]
  const named = name && `, “${name}”,`
  return `(Enviou ${isAlso ? 'também ' : ''}${noun}${named} que não pôde ser repassad${end}.)`
}

const carriedUp = async (file: SentFile, turn: BotTurn, context: DifyContext, path: string): Promise<unknown> => {
  const { FormData } = await import('undici')
  const form = new FormData()
  form.set('user', userOf(turn))
  form.set('file', new Blob([new Uint8Array(await file.bytes())], { type: file.mime }), file.name || 'arquivo')
  const reply = await context.egress
    .fetch(address(context, path), { method: 'POST', headers: key(context), body: form })
    .catch((error: unknown) => {
      throw unanswered(label, error)
    })
  const json = await reply.json().catch(() => undefined)
  if (!reply.ok) throw difyRefused({ status: reply.status, headers: {}, json: () => json })
  return json
}
