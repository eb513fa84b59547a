import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import {
  blankPart,
  optionId,
  type Part,
  partProblems,
  type ShownPart,
  tidyPart,
} from '@balcao/contract/conversations/parts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { type QuickMessage, quickMessageResource } from '@balcao/contract/service/quick-messages.ts'
import type { CsvColumn } from '../../../kit/csv.ts'
import type { CsvLine } from '../../../kit/csv-read.ts'
import { type Scope, scopeLabels } from './scope.ts'

/** One part of a quick message: a line of the file. Lines of one message stand together. */
type Line = { quick: QuickMessage; part: ShownPart | undefined; queue: string; folder: string }
export const linesOf = (
  quick: QuickMessage,
  { queues, folders }: { queues: ReadonlyMap<string, string>; folders: ReadonlyMap<string, string> },
): Line[] => {
  const of = { quick, queue: queues.get(quick.queueId ?? '') ?? '', folder: folders.get(quick.folderId ?? '') ?? '' }
  return quick.parts.length ? quick.parts.map((part) => ({ ...of, part })) : [{ ...of, part: undefined }]
}

export const quickHeads = [
  'Atalho',
  'Mensagem',
  'Para quem',
  'Fila',
  'Pasta',
  'Em uso',
  'Tipo',
  'Arquivo',
  'Código do arquivo',
  'Opções',
  'Título',
  'Rodapé',
  'Texto que abre a lista',
] as const
export type QuickHead = (typeof quickHeads)[number]

const kinds = { text: 'Texto', file: 'Arquivo', voice: 'Áudio de voz', buttons: 'Botões', list: 'Lista' } as const
const kindOf = ({ kind, interactive }: Part) =>
  kinds[kind === 'choices' ? (interactive?.kind === 'list' ? 'list' : 'buttons') : kind]

export const quickColumns: readonly (CsvColumn<Line> & { label: QuickHead })[] = [
  { label: 'Atalho', value: ({ quick }) => quick.key },
  { label: 'Mensagem', value: ({ part }) => part?.body },
  { label: 'Para quem', value: ({ quick }) => scopeLabels[quick.scope] },
  { label: 'Fila', value: ({ queue }) => queue },
  { label: 'Pasta', value: ({ folder }) => folder },
  { label: 'Em uso', value: ({ quick }) => quick.isActive },
  { label: 'Tipo', value: ({ part }) => part && kindOf(part) },
  { label: 'Arquivo', value: ({ part }) => part?.media?.name },
  { label: 'Código do arquivo', value: ({ part }) => part?.mediaId },
  { label: 'Opções', value: ({ part }) => part?.interactive?.options.map(optionText).join('\n') },
  { label: 'Título', value: ({ part }) => part?.interactive?.header },
  { label: 'Rodapé', value: ({ part }) => part?.interactive?.footer },
  { label: 'Texto que abre a lista', value: ({ part }) => part?.interactive?.button },
]

/** "Sim", or in a list "Sim :: Quero receber". */
const optionText = ({ title, description }: Interactive['options'][number]) =>
  description ? `${title} :: ${description}` : title
const optionsFrom = (cell: string): Interactive['options'] =>
  cell
    .split(/\r\n|\r|\n/)
    .filter((one) => one.trim())
    .map((one, at) => {
      const [title = '', description = ''] = one.split(/ :: (.*)/s)
      return { id: optionId(at), title: title.trim(), description: description.trim() }
    })

/** What the lines of one message say. */
export type ReadQuick = {
  line: number
  key: string
  scope: Scope
  queue: string
  folder: string
  isActive: boolean
  parts: Part[]
}
export type RefusedLine = { line: number; name: string; reason: string }

/** The messages of a file, and the lines that make none, each with its reason. Whole messages or nothing of them. */
export const readQuickLines = (lines: readonly CsvLine<QuickHead>[]) => {
  const read: ReadQuick[] = []
  const refused: RefusedLine[] = []
  for (const group of together(lines)) {
    const found = quickOf(group)
    if ('reason' in found) refused.push(found)
    else read.push(found)
  }
  return { read, refused }
}

/** Neighbours with the same shortcut for the same people are one message. */
const together = (lines: readonly CsvLine<QuickHead>[]) => {
  const groups: CsvLine<QuickHead>[][] = []
  const nameOf = ({ cells }: CsvLine<QuickHead>) => [cells.Atalho, cells['Para quem'], cells.Fila].map(plain).join('\n')
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.[0] && nameOf(last[0]) === nameOf(line)) last.push(line)
    else groups.push([line])
  }
  return groups
}

const quickOf = (group: readonly CsvLine<QuickHead>[]): ReadQuick | RefusedLine => {
  const [first] = group
  if (!first) throw new Error('A message of no lines')
  const { cells } = first
  const name = cells.Atalho.trim() || cutText(cells.Mensagem, 40)
  const refuse = (reason: string, line = first.line) => ({ line, name, reason })
  const scope = scopes.get(plain(cells['Para quem']))
  if (!scope) return refuse(`“Para quem” só pode ser ${[...Object.values(scopeLabels)].join(', ')}.`)
  const isActive = answers.get(plain(cells['Em uso']))
  if (isActive === undefined) return refuse('“Em uso” só pode ser Sim ou Não.')
  const parts: Part[] = []
  for (const line of group) {
    const part = partOf(line.cells)
    if (typeof part === 'string') return refuse(part, line.line)
    const [problem] = partProblems([part])
    if (problem) return refuse(problem.message, line.line)
    parts.push(tidyPart(part))
  }
  const checked = quickMessageResource.write.safeParse({ key: cells.Atalho.replace(/^\//, ''), parts, scope })
  if (!checked.success) return refuse(checked.error.issues[0]?.message ?? 'Linha inválida.')
  const { key } = checked.data
  return {
    line: first.line,
    key,
    scope,
    queue: cells.Fila.trim(),
    folder: cells.Pasta.trim(),
    isActive,
    parts: checked.data.parts ?? parts,
  }
}

const partOf = (cells: Record<QuickHead, string>): Part | string => {
  const options = optionsFrom(cells.Opções)
  const mediaId = cells['Código do arquivo'].trim() || null
  const kind = plain(cells.Tipo) || plain(options.length ? kinds.buttons : mediaId ? kinds.file : kinds.text)
  const body = cells.Mensagem.trim()
  switch (kind) {
    case plain(kinds.text):
      return { ...blankPart('text'), body }
    case plain(kinds.file):
      return { ...blankPart('file'), body, mediaId }
    case plain(kinds.voice):
      return { ...blankPart('voice'), mediaId }
    case plain(kinds.buttons):
    case plain(kinds.list): {
      const around = { header: cells.Título, footer: cells.Rodapé, button: cells['Texto que abre a lista'] }
      const shown = kind === plain(kinds.list) ? ('list' as const) : ('buttons' as const)
      return { ...blankPart('choices'), body, interactive: { kind: shown, ...around, options } }
    }
    default:
      return `“Tipo” só pode ser ${Object.values(kinds).join(', ')}.`
  }
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
const scopes = new Map<string, Scope>([
  ['', 'mine'],
  ...(Object.entries(scopeLabels) as [Scope, string][]).map(([scope, label]) => [plain(label), scope] as const),
])
const answers = new Map([
  ['', true],
  ['sim', true],
  ['nao', false],
])
