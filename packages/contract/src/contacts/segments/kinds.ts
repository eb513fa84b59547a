import { z } from 'zod'
import { fold } from './fold.ts'
import { type At, birthdayNumber, birthdaysWithin, dayFromNow, daysAgo, midnight } from './moments.ts'

/** What a condition compares with. */
export type SegmentValue = string | number | string[]
/** What is asked for beside the operator. */
export const takings = {
  none: z.undefined(),
  text: z
    .string('Escreva o texto.')
    .transform((text) => text.toWellFormed().replaceAll('\0', '').trim())
    .pipe(z.string().min(1, 'Escreva o texto.').max(200, 'Use no máximo 200 caracteres.')),
  number: z.number('Informe um número.').min(-1e12, 'Informe um número menor.').max(1e12, 'Informe um número menor.'),
  date: z.iso.date('Escolha a data.'),
  days: z
    .int('Informe quantos dias.')
    .min(0, 'Informe quantos dias.')
    .max(3_650, 'Use no máximo 3.650 dias (10 anos).'),
  set: z
    .array(z.string().min(1).max(120), 'Escolha pelo menos uma opção.')
    .min(1, 'Escolha pelo menos uma opção.')
    .max(50, 'Escolha no máximo 50 opções.'),
} satisfies Record<string, z.ZodType>
export type Taking = keyof typeof takings

/** What a contact has, as a condition reads it; null: nothing. */
export type Fact = string | number | boolean | string[] | null
type Plain = { label: string; takes: Taking; test: (fact: never, value: never, at: At) => boolean }
/** Holds exactly where another does not: who has nothing there is among them. */
type Opposite = { label: string; takes: Taking; not: string }

const filled = { label: 'está preenchido', takes: 'none', test: (fact: Fact) => fact !== null && fact !== '' } as const
const empty = { label: 'está vazio', takes: 'none', not: 'filled' } as const

/**
 * The operators of each kind of field, by the word of the address. `…` in a label is where the value stands; other values
 * stand behind it. What is compared with nothing does not hold.
 */
export const kinds = {
  text: {
    is: { label: 'é', takes: 'text', test: (fact: string, value: string) => fold(fact) === fold(value) },
    isNot: { label: 'não é', takes: 'text', not: 'is' },
    contains: {
      label: 'contém',
      takes: 'text',
      test: (fact: string, value: string) => fold(fact).includes(fold(value)),
    },
    lacks: { label: 'não contém', takes: 'text', not: 'contains' },
    begins: {
      label: 'começa com',
      takes: 'text',
      test: (fact: string, value: string) => fold(fact).startsWith(fold(value)),
    },
    filled,
    empty,
  },
  number: {
    equals: { label: 'é igual a', takes: 'number', test: (fact: number, value: number) => fact === value },
    differs: { label: 'é diferente de', takes: 'number', not: 'equals' },
    atLeast: { label: 'é no mínimo', takes: 'number', test: (fact: number, value: number) => fact >= value },
    atMost: { label: 'é no máximo', takes: 'number', test: (fact: number, value: number) => fact <= value },
    filled,
    empty,
  },
  moment: {
    older: {
      label: 'há mais de … dias',
      takes: 'days',
      test: (fact: string, days: number, at: At) => new Date(fact) < daysAgo(days, at),
    },
    within: {
      label: 'nos últimos … dias',
      takes: 'days',
      test: (fact: string, days: number, at: At) => new Date(fact) >= daysAgo(days, at),
    },
    before: {
      label: 'antes de',
      takes: 'date',
      test: (fact: string, day: string, at: At) => new Date(fact) < midnight(day, at),
    },
    from: {
      label: 'a partir de',
      takes: 'date',
      test: (fact: string, day: string, at: At) => new Date(fact) >= midnight(day, at),
    },
    filled: { ...filled, label: 'já houve' },
    empty: { ...empty, label: 'nunca houve' },
  },
  /** A day without a clock: what the company's own date fields hold. */
  day: {
    before: { label: 'antes de', takes: 'date', test: (fact: string, day: string) => fact < day },
    from: { label: 'a partir de', takes: 'date', test: (fact: string, day: string) => fact >= day },
    past: {
      label: 'nos últimos … dias',
      takes: 'days',
      test: (fact: string, days: number, at: At) => fact >= dayFromNow(-days, at) && fact <= dayFromNow(0, at),
    },
    next: {
      label: 'nos próximos … dias',
      takes: 'days',
      test: (fact: string, days: number, at: At) => fact >= dayFromNow(0, at) && fact <= dayFromNow(days, at),
    },
    filled,
    empty,
  },
  birthday: {
    next: {
      label: 'nos próximos … dias',
      takes: 'days',
      test: (fact: string, days: number, at: At) => birthdaysWithin(days, at).includes(birthdayNumber(fact)),
    },
    filled,
    empty,
  },
  set: {
    any: {
      label: 'é',
      takes: 'set',
      test: (fact: string[], value: string[]) => value.some((one) => fact.includes(one)),
    },
    none: { label: 'não é', takes: 'set', not: 'any' },
    all: {
      label: 'tem todas:',
      takes: 'set',
      test: (fact: string[], value: string[]) => value.every((one) => fact.includes(one)),
    },
    filled: { ...filled, test: (fact: string[]) => fact.length > 0 },
    empty,
  },
  flag: {
    yes: { label: 'sim', takes: 'none', test: (fact: boolean) => fact },
    no: { label: 'não', takes: 'none', not: 'yes' },
  },
} satisfies Record<string, Record<string, Plain | Opposite>>
export type SegmentKind = keyof typeof kinds
export type OpOf<Kind extends SegmentKind> = Extract<keyof (typeof kinds)[Kind], string>

type Op = { label: string; takes: Taking; not?: string; test?: (fact: Fact, value: unknown, at: At) => boolean }
const table: Record<string, Record<string, Op>> = kinds as never // an operator is only asked about facts of its own kind
/** The operator of this name, if its kind has one. */
export const operatorOf = (kind: SegmentKind, op: string): Op | undefined =>
  Object.hasOwn(kinds[kind], op) ? table[kind]?.[op] : undefined
/** The operator that is compared, and whether the opposite of its answer holds. */
export const positiveOf = (kind: SegmentKind, op: string): { op: string; isNot: boolean } => {
  const not = operatorOf(kind, op)?.not
  return not ? { op: not, isNot: true } : { op, isNot: false }
}
