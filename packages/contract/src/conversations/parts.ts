import { z } from 'zod'
import type { Abilities } from '../channels/abilities.ts'
import { id } from '../common.ts'
import { type Media, type MediaKind, media } from '../core/media.ts'
import type { FieldProblem } from '../errors.ts'
import { unknownVariables } from '../variables.ts'
import { carriedAs, choiceProblem, insteadOf } from './interactive.ts'
import { interactive } from './messages.ts'

/** Words; a file with words under it; a recording that plays as a voice note; words with buttons or a list under them. */
export const partKinds = ['text', 'file', 'voice', 'choices'] as const
export type PartKind = (typeof partKinds)[number]
export const partLabels: Record<PartKind, string> = {
  text: 'Texto',
  file: 'Arquivo',
  voice: 'Áudio de voz',
  choices: 'Botões ou lista',
}

/** One message of an answer that is kept ready. Its texts may have variables. */
export const part = z.object({
  kind: z.enum(partKinds),
  body: z.string().trim().max(4_000, 'Use no máximo 4.000 caracteres.').default(''),
  mediaId: id.nullable().default(null),
  interactive: interactive.nullable().default(null),
})
export type Part = z.output<typeof part>
/** The same as it leaves: with its file. */
export const shownPart = part.extend({ media: media.nullable() })
export type ShownPart = z.output<typeof shownPart>

export const mostParts = 10
/** An answer that is kept ready: messages that go one after the other. */
export const parts = z
  .array(part)
  .min(1, 'Escreva um texto ou escolha um arquivo.')
  .max(mostParts, `Use no máximo ${mostParts} partes.`)

export const blankPart = (kind: PartKind): Part => ({
  kind,
  body: '',
  mediaId: null,
  interactive: kind === 'choices' ? blankChoices() : null,
})
const blankChoices = (): Part['interactive'] => ({
  kind: 'buttons',
  header: '',
  footer: '',
  button: '',
  options: ['Sim', 'Não'].map((title, at) => ({ id: optionId(at), title, description: '' })),
})
/** What comes back when the customer chooses it, where nobody asks for another. */
export const optionId = (at: number) => `opcao-${at + 1}`

/** Only what its kind has. */
export const tidyPart = ({ kind, body, mediaId, interactive: choices }: Part): Part => ({
  kind,
  body: kind === 'voice' ? '' : body,
  mediaId: kind === 'file' || kind === 'voice' ? mediaId : null,
  interactive: kind === 'choices' && choices ? tidyChoices(choices) : null,
})
const tidyChoices = (choices: NonNullable<Part['interactive']>): Part['interactive'] =>
  choices.kind === 'list'
    ? choices
    : { ...choices, button: '', options: choices.options.map((one) => ({ ...one, description: '' })) }

const longestCaption = 1_024
/** What is wrong with each, by the path of its field; both sides call it after the schema. */
export const partProblems = (list: readonly Part[], at = 'parts'): FieldProblem[] =>
  list.flatMap((one, index) => problemsOf(one).map((found) => ({ ...found, path: `${at}.${index}.${found.path}` })))

const problemsOf = ({ kind, body, mediaId, interactive: choices }: Part): FieldProblem[] => {
  const [unknown] = kind === 'voice' ? [] : unknownVariables(body)
  const choice = kind === 'choices' && (choices ? choiceProblem(choices) : 'Escreva as opções.')
  return [
    ...(unknown ? [{ path: 'body', message: `A variável {{${unknown}}} não existe.` }] : []),
    ...((kind === 'text' || kind === 'choices') && !body.trim()
      ? [{ path: 'body', message: 'Escreva a mensagem.' }]
      : []),
    ...(kind !== 'text' && body.length > longestCaption
      ? [{ path: 'body', message: 'Aqui o texto tem no máximo 1.024 caracteres. Passe o resto para outra parte.' }]
      : []),
    ...(kind === 'file' && !mediaId ? [{ path: 'mediaId', message: 'Escolha o arquivo.' }] : []),
    ...(kind === 'voice' && !mediaId ? [{ path: 'mediaId', message: 'Grave ou escolha o áudio.' }] : []),
    ...(choice ? [{ path: 'interactive', message: choice }] : []),
  ]
}

/** All the words of an answer: what is searched, and what a list shows. */
export const wordsOf = (list: readonly Pick<Part, 'body'>[]): string =>
  list.flatMap(({ body }) => body.trim() || []).join('\n\n')

type Carrying = Pick<Abilities, 'supports' | 'buttonLimits'> & { label: string }
/** How a channel takes a part: as which type, and what of it becomes something else; or why not at all. */
export type PartWay = { type: SentAs; note: string | null } | { type: null; note: string }
type SentAs = 'text' | 'buttons' | Exclude<MediaKind, 'sticker'>
export const partWay = (
  channel: Carrying,
  { kind, body, interactive: choices }: Part,
  file: Pick<Media, 'kind'> | null,
): PartWay => {
  const { label, supports } = channel
  if (kind === 'text') return { type: 'text', note: null }
  if (kind === 'choices') {
    const way = choices ? carriedAs(channel, choices, body) : 'text'
    const isAsAsked = way === choices?.kind
    return { type: 'buttons', note: isAsAsked ? null : `${label}: ${insteadOf(way)}` }
  }
  if (!file) return { type: null, note: 'O arquivo não existe mais.' }
  if (file.kind !== 'sticker' && supports.includes(file.kind)) return { type: file.kind, note: null }
  if (supports.includes('document')) return { type: 'document', note: `${label}: vai como documento.` }
  return { type: null, note: `${label} não leva ${fileWords[file.kind]}.` }
}
const fileWords: Record<MediaKind, string> = {
  image: 'imagens',
  audio: 'áudios',
  video: 'vídeos',
  document: 'documentos',
  sticker: 'figurinhas',
}
