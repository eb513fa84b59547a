import { z } from 'zod'
import { id, moment } from '../common.ts'
import { blankPart, type Part, part, parts, shownPart, wordsOf } from '../conversations/parts.ts'
import { media } from '../core/media.ts'
import { resource, rowMeta } from '../resource.ts'

export const quickMessageScopes = ['mine', 'queue', 'everyone'] as const

const scoped = {
  scope: z.enum(quickMessageScopes).default('mine'),
  queueId: id.nullable().default(null),
}
const folderWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  ...scoped,
  /** Folders stand from the smallest to the largest. */
  position: z.int().min(0).max(10_000).default(0),
})
/** Where quick messages of one person, one queue or everyone stand together. */
export const quickFolder = rowMeta.extend(folderWrite.shape).extend({ userId: id })
export type QuickFolder = z.output<typeof quickFolder>

export const quickFolderResource = resource({
  path: '/fastreply-folders',
  event: 'quickFolder',
  label: { one: 'Pasta', many: 'Pastas', feminine: true },
  row: quickFolder,
  write: folderWrite,
  fields: { name: 'Nome', scope: 'Para quem', queueId: 'Fila', position: 'Ordem' },
  sort: ['position', 'name', 'createdAt', 'updatedAt'],
  can: { read: 'quick-messages.read', write: 'quick-messages.write' },
})

const quickMessageWrite = z.object({
  /** What follows the `/` in the composer. */
  key: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Informe o atalho.')
    .max(40, 'Use no máximo 40 caracteres.')
    .regex(/^[\p{L}\p{N}_-]+$/u, 'Use apenas letras, números, hífen e sublinhado.'),
  /** What is sent, one message after the other. Who knows of no parts sends `message`, `mediaId` and `isVoz`. */
  parts: parts.optional(),
  message: z.string().trim().max(40_000).optional(),
  mediaId: id.nullish(),
  /** The file is a recording that plays as a voice note. */
  isVoz: z.boolean().optional(),
  ...scoped,
  folderId: id.nullable().default(null),
  /** False: archived. It is offered to nobody and kept. */
  isActive: z.boolean().default(true),
  /** What it is called in the help of the web chat, which everybody on the site reads; null: it is not there. */
  helpTitle: z.string().trim().max(120, 'Use no máximo 120 caracteres.').nullable().default(null),
})
type QuickMessageWrite = z.output<typeof quickMessageWrite>

export const quickMessage = rowMeta.extend(quickMessageWrite.shape).extend({
  parts: z.array(shownPart),
  /** The words of all parts. */
  message: z.string(),
  /** The first file of the parts. */
  mediaId: id.nullable(),
  media: media.nullable(),
  isVoz: z.boolean(),
  userId: id,
  /** How often it was sent, and when last. */
  uses: z.object({ total: z.int(), lastAt: moment.nullable() }),
})
export type QuickMessage = z.output<typeof quickMessage>

export const quickMessageResource = resource({
  path: '/fastreply',
  event: 'quickMessage',
  label: { one: 'Mensagem rápida', many: 'Mensagens rápidas', feminine: true },
  row: quickMessage,
  write: quickMessageWrite,
  fields: {
    key: 'Atalho',
    message: 'Mensagem',
    parts: 'Partes',
    scope: 'Para quem',
    queueId: 'Fila',
    folderId: 'Pasta',
    mediaId: 'Arquivo',
    isActive: 'Em uso',
    helpTitle: 'Título na ajuda do chat',
  },
  sort: ['key', 'createdAt', 'updatedAt'],
  filter: ['folderId', 'queueId'],
  can: { read: 'quick-messages.read', write: 'quick-messages.write' },
})

/** GET /fastreply/{id}/uses: who sent it how often, most first; what was sent by itself has no person. */
export const quickMessageUses = z.object({
  total: z.int(),
  lastAt: moment.nullable(),
  people: z.array(z.object({ userId: id.nullable(), name: z.string(), count: z.int(), lastAt: moment })),
})
export type QuickMessageUses = z.output<typeof quickMessageUses>

/** POST /fastreply/{id}/merge: it goes, and what it was is the other one's: its uses, and its place in macros. */
export const quickMergeBody = z.strictObject({ intoId: id })

/** Rules that need two fields; both sides call it after the schema. */
export const scopeProblems = (input: { scope: string; queueId: string | null }) =>
  input.scope === 'queue' && !input.queueId ? [{ path: 'queueId', message: 'Escolha a fila.' }] : []

type Written = Pick<QuickMessageWrite, 'parts' | 'message' | 'mediaId' | 'isVoz'>
/** The parts after a write; undefined where it does not touch them. */
export const partsAfter = (input: Written, current: readonly Part[]): Part[] | undefined => {
  if (input.parts) return input.parts.map((one) => part.parse(one))
  const was = asSingle(current)
  const next = {
    message: input.message ?? was.message,
    mediaId: input.mediaId === undefined ? was.mediaId : input.mediaId,
    isVoz: input.isVoz ?? was.isVoz,
  }
  const isSame = next.message === was.message && next.mediaId === was.mediaId && next.isVoz === was.isVoz
  return isSame && current.length ? undefined : fromSingle(next)
}

/** What who knows of no parts sees of them. */
export const asSingle = (list: readonly Part[]) => {
  const file = list.find((one) => one.mediaId)
  return { message: wordsOf(list), mediaId: file?.mediaId ?? null, isVoz: file?.kind === 'voice' }
}

const longestCaption = 1_024
const fromSingle = ({ message, mediaId, isVoz }: ReturnType<typeof asSingle>): Part[] => {
  const text: Part[] = message ? [{ ...blankPart('text'), body: message }] : []
  if (!mediaId) return text.length ? text : [blankPart('text')]
  if (isVoz) return [{ ...blankPart('voice'), mediaId }, ...text]
  if (message.length > longestCaption) return [{ ...blankPart('file'), mediaId }, ...text]
  return [{ ...blankPart('file'), mediaId, body: message }]
}
