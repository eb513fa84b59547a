import { channels, type IdentityKind } from '../../channels/index.ts'
import { purposeLabels } from '../consent.ts'
import { fold } from './fold.ts'
import type { Fact, OpOf, SegmentKind } from './kinds.ts'
import { countries, dddsOf, stateNames } from './places.ts'

/** What both interpreters know of a contact. */
export type ContactFacts = {
  name: string
  email: string | null
  businessName: string
  documentKind: 'cpf' | 'cnpj' | null
  number: string | null
  birthdayDate: string | null
  city: string
  state: string
  createdAt: string
  extraInfo: { name: string; value: string }[]
  isGroup: boolean
  isBlocked: boolean
  laneId: string | null
  importId: string | null
  tagIds: string[]
  walletIds: string[]
  identityKinds: string[]
  /** `channel.purpose` of what was asked for or refused. */
  consents: Record<string, 'given' | 'refused'>
  lastInAt: string | null
  lastOutAt: string | null
  connectionIds: string[]
  reasonIds: string[]
  tickets: number
  hasOpenTicket: boolean
  lastClosedAt: string | null
  /** Newest first. */
  grades: number[]
}

export const segmentAreas = ['Contato', 'Organização', 'Conversas', 'Avaliações', 'Consentimento'] as const
/** Rows of the company one chooses from, by the name the screens read them by. */
export type OptionSource = 'tags' | 'lanes' | 'people' | 'connections' | 'reasons' | 'imports'
type Option = { value: string; label: string }

type Field<Kind extends SegmentKind> = {
  label: string
  area: (typeof segmentAreas)[number]
  kind: Kind
  /** Those of its kind that say something here; all when not given. */
  ops?: readonly OpOf<Kind>[]
  /** What operators are called here. */
  words?: Partial<Record<OpOf<Kind>, string>>
  /** What a set is chosen from; left out where a company says what there is. */
  options?: readonly Option[] | OptionSource
  /** Which of several it is about: the company's own field, or channel and purpose. */
  key?: 'attribute' | readonly Option[]
  fact: (facts: ContactFacts, key: string) => Fact
}
const field = <Kind extends SegmentKind>(definition: Field<Kind>): AnyField => definition
export type AnyField = Omit<Field<SegmentKind>, 'ops' | 'words'> & {
  ops?: readonly string[]
  words?: Partial<Record<string, string>>
}

const extra = ({ extraInfo }: ContactFacts, key: string) => extraInfo.find(({ name }) => name === key)?.value || null
const number = (text: string | null) => (text && numberPattern.test(text) ? Number(text.replace(',', '.')) : null)
const numberPattern = /^-?\d{1,15}(,\d{1,6})?$/
const day = (text: string | null) => (text && isDay(text) ? text : null)
const isDay = (text: string) => /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && toDay(text) === text
const toDay = (text: string) => {
  const at = new Date(`${text}T00:00Z`)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10)
}
const one = (value: string | null | undefined) => (value ? [value] : [])
/** The area code of a Brazilian phone. */
const dddOf = (phone: string | null) => /^55(\d\d)\d{8,9}$/.exec(phone ?? '')?.[1]

const identityNames: Partial<Record<IdentityKind, string>> = {
  phone: 'Telefone',
  bsuid: 'WhatsApp (sem telefone)',
  lid: 'WhatsApp (número oculto)',
  group: 'Grupo do WhatsApp',
  telegram: 'Telegram',
  webchat: 'Chat do site',
  webchatUser: 'Chat do site (identificado)',
  email: 'E-mail',
  instagram: 'Instagram',
  messenger: 'Messenger',
}
const months = 'Janeiro Fevereiro Março Abril Maio Junho Julho Agosto Setembro Outubro Novembro Dezembro'.split(' ')
const stateOptions = Object.entries(stateNames).map(([value, label]) => ({ value, label }))

/**
 * Everything a segment can ask about: an entry here, and on the server where its rows are (`segments/sources.ts`, which
 * the compiler asks for).
 */
export const segmentFields = {
  name: field({
    label: 'Nome',
    area: 'Contato',
    kind: 'text',
    ops: ['contains', 'lacks', 'begins', 'is', 'isNot'],
    fact: ({ name }) => name,
  }),
  email: field({ label: 'E-mail', area: 'Contato', kind: 'text', fact: ({ email }) => email }),
  businessName: field({ label: 'Empresa', area: 'Contato', kind: 'text', fact: ({ businessName }) => businessName }),
  documentKind: field({
    label: 'Documento',
    area: 'Contato',
    kind: 'set',
    ops: ['any', 'filled', 'empty'],
    options: [
      { value: 'cpf', label: 'CPF' },
      { value: 'cnpj', label: 'CNPJ' },
    ],
    fact: ({ documentKind }) => one(documentKind),
  }),
  phoneDdd: field({
    label: 'DDD do telefone',
    area: 'Contato',
    kind: 'set',
    ops: ['any', 'none'],
    options: Object.keys(stateNames)
      .flatMap((state) => dddsOf(state).map((value) => ({ value, label: `${value} (${state})` })))
      .toSorted((a, b) => (a.value < b.value ? -1 : 1)),
    fact: (facts) => one(dddOf(facts.number)),
  }),
  phoneState: field({
    label: 'Estado do telefone',
    area: 'Contato',
    kind: 'set',
    ops: ['any', 'none'],
    options: stateOptions,
    fact: (facts) => {
      const ddd = dddOf(facts.number)
      return ddd ? Object.keys(stateNames).filter((state) => dddsOf(state).includes(ddd)) : []
    },
  }),
  phoneCountry: field({
    label: 'País do telefone',
    area: 'Contato',
    kind: 'set',
    ops: ['any', 'none', 'filled', 'empty'],
    words: { filled: 'tem telefone', empty: 'sem telefone' },
    options: countries,
    fact: (facts) =>
      facts.number
        ? [facts.number, ...countries.flatMap(({ value }) => (facts.number?.startsWith(value) ? value : []))]
        : [],
  }),
  birthdayMonth: field({
    label: 'Mês do aniversário',
    area: 'Contato',
    kind: 'set',
    ops: ['any', 'none'],
    options: months.map((label, index) => ({ value: String(index + 1), label })),
    fact: ({ birthdayDate }) => (birthdayDate ? [String(Number(birthdayDate.slice(5, 7)))] : []),
  }),
  birthday: field({
    label: 'Aniversário',
    area: 'Contato',
    kind: 'birthday',
    fact: ({ birthdayDate }) => birthdayDate,
  }),
  city: field({
    label: 'Cidade',
    area: 'Contato',
    kind: 'text',
    fact: (facts) => facts.city,
    words: { filled: 'está preenchida', empty: 'está vazia' },
  }),
  state: field({
    label: 'Estado do endereço',
    area: 'Contato',
    kind: 'set',
    ops: ['any', 'none', 'filled', 'empty'],
    options: stateOptions,
    fact: (facts) => one(facts.state),
  }),
  createdAt: field({
    label: 'Cadastro',
    area: 'Contato',
    kind: 'moment',
    ops: ['within', 'older', 'before', 'from'],
    fact: (facts) => facts.createdAt,
  }),
  isGroup: field({ label: 'É um grupo', area: 'Contato', kind: 'flag', fact: (facts) => facts.isGroup }),

  attributeText: field({ label: 'Campo de texto', area: 'Contato', kind: 'text', key: 'attribute', fact: extra }),
  attributeNumber: field({
    label: 'Campo de número',
    area: 'Contato',
    kind: 'number',
    key: 'attribute',
    fact: (facts, key) => number(extra(facts, key)),
  }),
  attributeDay: field({
    label: 'Campo de data',
    area: 'Contato',
    kind: 'day',
    key: 'attribute',
    fact: (facts, key) => day(extra(facts, key)),
  }),
  attributeChoice: field({
    label: 'Campo de opções',
    area: 'Contato',
    kind: 'set',
    ops: ['any', 'none', 'filled', 'empty'],
    key: 'attribute',
    fact: (facts, key) => one(fold(extra(facts, key) ?? '')),
  }),

  tags: field({
    label: 'Etiqueta',
    area: 'Organização',
    kind: 'set',
    options: 'tags',
    words: { filled: 'tem alguma', empty: 'não tem nenhuma' },
    fact: ({ tagIds }) => tagIds,
  }),
  lane: field({
    label: 'Etapa do quadro',
    area: 'Organização',
    kind: 'set',
    ops: ['any', 'none', 'filled', 'empty'],
    options: 'lanes',
    words: { filled: 'está em alguma', empty: 'não está em nenhuma' },
    fact: ({ laneId }) => one(laneId),
  }),
  wallet: field({
    label: 'Carteira',
    area: 'Organização',
    kind: 'set',
    ops: ['any', 'none', 'filled', 'empty'],
    options: 'people',
    words: { any: 'é de', none: 'não é de', filled: 'tem responsável', empty: 'não tem responsável' },
    fact: ({ walletIds }) => walletIds,
  }),
  batch: field({
    label: 'Importação',
    area: 'Organização',
    kind: 'set',
    ops: ['any', 'none', 'filled', 'empty'],
    options: 'imports',
    words: { any: 'é', none: 'não é', filled: 'veio de alguma', empty: 'não veio de nenhuma' },
    fact: ({ importId }) => one(importId),
  }),
  isBlocked: field({ label: 'Número bloqueado', area: 'Organização', kind: 'flag', fact: (facts) => facts.isBlocked }),

  identity: field({
    label: 'Conhecido por',
    area: 'Conversas',
    kind: 'set',
    ops: ['any', 'none', 'all', 'filled', 'empty'],
    options: Object.entries(identityNames).map(([value, label]) => ({ value, label })),
    words: { any: '', none: 'não é', all: 'todos:', filled: 'algum canal', empty: 'nenhum canal' },
    fact: ({ identityKinds }) => identityKinds,
  }),
  connection: field({
    label: 'Canal em que já conversou',
    area: 'Conversas',
    kind: 'set',
    ops: ['any', 'none', 'all'],
    options: 'connections',
    fact: ({ connectionIds }) => connectionIds,
  }),
  lastIn: field({
    label: 'Última mensagem recebida',
    area: 'Conversas',
    kind: 'moment',
    fact: (facts) => facts.lastInAt,
  }),
  lastOut: field({
    label: 'Última mensagem enviada',
    area: 'Conversas',
    kind: 'moment',
    fact: (facts) => facts.lastOutAt,
  }),
  tickets: field({
    label: 'Quantidade de atendimentos',
    area: 'Conversas',
    kind: 'number',
    ops: ['atLeast', 'atMost', 'equals', 'differs'],
    fact: (facts) => facts.tickets,
  }),
  hasOpenTicket: field({
    label: 'Tem atendimento aberto',
    area: 'Conversas',
    kind: 'flag',
    fact: (facts) => facts.hasOpenTicket,
  }),
  lastClosed: field({
    label: 'Último atendimento encerrado',
    area: 'Conversas',
    kind: 'moment',
    fact: (facts) => facts.lastClosedAt,
  }),
  reason: field({
    label: 'Motivo de encerramento',
    area: 'Conversas',
    kind: 'set',
    ops: ['any', 'none', 'all'],
    options: 'reasons',
    words: { any: 'já foi', none: 'nunca foi', all: 'já foi cada um:' },
    fact: ({ reasonIds }) => reasonIds,
  }),

  lastGrade: field({
    label: 'Última nota',
    area: 'Avaliações',
    kind: 'number',
    words: { filled: 'já houve', empty: 'nunca houve' },
    fact: ({ grades }) => grades[0] ?? null,
  }),
  averageGrade: field({
    label: 'Média das notas',
    area: 'Avaliações',
    kind: 'number',
    ops: ['atLeast', 'atMost'],
    fact: ({ grades }) => (grades.length ? grades.reduce((sum, grade) => sum + grade, 0) / grades.length : null),
  }),

  consent: field({
    label: 'Consentimento',
    area: 'Consentimento',
    kind: 'set',
    ops: ['any', 'none'],
    key: Object.entries(channels).flatMap(([kind, { label }]) =>
      (['marketing', 'research'] as const).map((purpose) => ({
        value: `${kind}.${purpose}`,
        label: `${label}: ${purposeLabels[purpose].toLowerCase()}`,
      })),
    ),
    options: [
      { value: 'given', label: 'Aceitou' },
      { value: 'refused', label: 'Recusou' },
      { value: 'unknown', label: 'Não disse' },
    ],
    fact: ({ consents }, key) => [(Object.hasOwn(consents, key) && consents[key]) || 'unknown'],
  }),
}
export type SegmentFieldKey = keyof typeof segmentFields
export const segmentFieldKeys = Object.keys(segmentFields) as [SegmentFieldKey, ...SegmentFieldKey[]]
export const fieldOf = (key: SegmentFieldKey): AnyField => segmentFields[key]
