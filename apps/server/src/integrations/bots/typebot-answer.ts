import { understand } from '@balcao/contract/automation/flows/understand.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { readGrade } from '@balcao/contract/service/rating-scale.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { BotTurn, SentFile } from '../bot-turn.ts'
import { call, Refused } from './calls.ts'
import { asJson, label, type TypebotContext, viewer } from './typebot-calls.ts'

export type Choice = { id: string; words: string[] }
/** What is asked now, to understand the next answer; `at`: when it was asked. */
export const asked = z.object({
  id: z.string(),
  at: z.number(),
  type: z.string(),
  isMany: z.boolean(),
  choices: z.array(z.object({ id: z.string(), words: z.array(z.string()) })),
  /** The block that asks. */
  blockId: z.string().default(''),
  isRequired: z.boolean().default(true),
  takesFiles: z.boolean().default(false),
  takesAudio: z.boolean().default(false),
  /** A server of before startChat, which knows one address for all and takes plain words. */
  isOld: z.boolean().default(false),
})
export type Asked = z.output<typeof asked>

type Answer = { message: object } | { tell: string }
/**
 * The customer's answer as the flow understands it: the server compares a single choice letter by letter, so what
 * people write instead is understood here, as the options of our own flows are. `tell`: it cannot be one, and the
 * customer is told so.
 */
export const answerFor = async (of: Asked, turn: BotTurn, context: TypebotContext): Promise<Answer> => {
  const { text, files } = turn
  if (of.type === 'file input') return fileAnswer(of, turn, context)
  if (of.choices.length) {
    const message = choiceFor(of, text)
    return message ? { message } : { tell: context.config.unknownMessage }
  }
  const [first] = files
  if (!first) return { message: { type: 'text', text } }
  if (first.kind === 'audio' && !text && of.takesAudio) {
    const [carried] = await carry([first], of, context)
    if (carried) return { message: { type: 'audio', url: carried } }
  }
  const urls = of.takesFiles ? await carry(files, of, context) : []
  if (urls.length) return { message: { type: 'text', text, attachedFileUrls: urls } }
  if (text) return { message: { type: 'text', text } }
  const what = first.kind === 'audio' ? 'ouvir áudios' : 'abrir arquivos'
  return { tell: `Não consigo ${what} aqui. Escreva a resposta, por favor.` }
}

const skips = ['pular', 'nao', 'nao tenho', 'nenhum', 'sem arquivo']
const fileAnswer = async (of: Asked, { text, files }: BotTurn, context: TypebotContext): Promise<Answer> => {
  if (!files.length) {
    const isSkipped = !of.isRequired && skips.includes(plainWords(text))
    return { message: { type: 'text', text: isSkipped ? '' : text } }
  }
  const urls = await carry(of.isMany ? files : files.slice(0, 1), of, context)
  if (urls.length) return { message: { type: 'text', text: urls.join(', ') } }
  return { tell: 'Não consegui receber este arquivo. Envie outro, menor ou de outro tipo.' }
}

/** Files as addresses the flow keeps: carried up to its own storage, else where the installation shows them for a while. */
const carry = async (files: readonly SentFile[], of: Asked, context: TypebotContext): Promise<string[]> => {
  const urls = await Promise.all(files.map(async (file) => (await carriedUp(file, of, context)) ?? file.url))
  return urls.filter((url) => url !== null)
}

const upload = z.object({
  presignedUrl: z.string(),
  formData: loose(z.record(z.string(), z.string())),
  fileUrl: z.string(),
  maxFileSize: loose(z.number()),
})
/** Undefined: the server has no storage, or does not take this file. */
const carriedUp = async (
  { name, mime, size, bytes }: SentFile,
  { id, blockId, isOld }: Asked,
  context: TypebotContext,
): Promise<string | undefined> => {
  if (isOld || !blockId) return undefined
  const body = { sessionId: id, blockId, fileName: name || 'arquivo', fileType: mime, fileSize: size }
  try {
    const reply = await call({ label, context }, viewer(context, 'v3/generate-upload-url'), {
      ...asJson(body),
      timeoutMs: 15_000,
    })
    const place = upload.safeParse(reply.json()).data
    if (!place || (place.maxFileSize && size > place.maxFileSize * 1_048_576)) return undefined
    const { FormData } = await import('undici')
    const form = new FormData()
    for (const [field, value] of Object.entries(place.formData ?? {})) form.set(field, value)
    // Whatever stands behind it is not read there.
    form.set('file', new Blob([new Uint8Array(await bytes())], { type: mime }), body.fileName)
    const stored = await context.egress.fetch(place.presignedUrl, { method: 'POST', body: form })
    await stored.arrayBuffer()
    return stored.ok ? place.fileUrl : undefined
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

const choiceFor = ({ choices, isMany, type }: Asked, text: string): object | undefined => {
  if (type === 'rating input') {
    // A number alone is never the place of a grade in the scale.
    const grades = choices.map(({ id }) => ({ value: Number(id), label: id }))
    const grade = readGrade(grades, text)
    return grade && { type: 'text', text: String(grade.value), metadata: { replyId: String(grade.value) } }
  }
  const whole = named(choices, text)
  const parts = isMany && !whole ? text.split(/[,;\n]| e /).filter((one) => one.trim()) : [text]
  const found = parts.map((one) => named(choices, one) ?? meant(choices, one))
  if (!found.length || found.some((one) => !one)) return undefined
  const [first] = found
  return isMany
    ? { type: 'text', text: found.map((one) => one?.words[0] ?? one?.id).join(', ') }
    : { type: 'text', text: first?.words[0] ?? first?.id ?? '', metadata: { replyId: first?.id } }
}
const named = (choices: readonly Choice[], said: string): Choice | undefined => {
  const wanted = plainWords(said)
  return choices.find(({ id, words }) => id === said.trim() || words.some((word) => plainWords(word) === wanted))
}
const meant = (choices: readonly Choice[], said: string): Choice | undefined => {
  const id = understand(
    said,
    choices.map(({ id, words }) => ({ id, title: '', words })),
  )
  return choices.find((one) => one.id === id)
}
