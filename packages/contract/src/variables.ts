/** What the placeholders of a text stand for (domain §32). What is not known is left empty. */
export type VariableContext = {
  name: string
  protocol?: string | null
  email?: string | null
  phoneNumber?: string | null
  businessName?: string | null
  kanban?: string | null
  user?: string | null
  userEmail?: string | null
  /** The contact's own fields, read as `{{extra.<name>}}`. */
  extra?: readonly { name: string; value: string }[]
  /** What a flow has learned in this conversation, read as `{{var.<name>}}`. */
  vars?: Readonly<Record<string, string>>
  /** The company's: the greeting goes by its clock. */
  timeZone: string
}

/** Every placeholder we offer, in the order the help page shows them. */
export const variables = [
  { name: 'name', label: 'Nome completo do contato' },
  { name: 'primeiro_nome', label: 'Primeiro nome do contato' },
  { name: 'lastName', label: 'Sobrenome do contato' },
  { name: 'saudacao', label: 'Saudação conforme a hora do dia' },
  { name: 'protocol', label: 'Protocolo do atendimento' },
  { name: 'email', label: 'E-mail do contato' },
  { name: 'phoneNumber', label: 'Telefone do contato' },
  { name: 'businessName', label: 'Empresa do contato' },
  { name: 'kanban', label: 'Etapa do contato no quadro' },
  { name: 'user', label: 'Nome do atendente' },
  { name: 'userEmail', label: 'E-mail do atendente' },
] as const
/** What people call one: `{{extra.cidade}}` is “cidade”. */
export const variableLabel = (name: string): string =>
  name.startsWith(extraPrefix)
    ? name.slice(extraPrefix.length)
    : (variables.find((one) => one.name === name)?.label ?? name)
/** Names that texts written before still use. */
const former = ['firstName', 'greeting'] as const
type VariableName = (typeof variables)[number]['name'] | (typeof former)[number]

/**
 * The text with its placeholders filled in. Nothing is escaped: this is text, not markup. Only `{{ }}` counts, so JSON
 * and CSS stay whole; what a value itself contains is never filled in again; an unknown placeholder leaves nothing.
 */
export const fillVariables = (text: string, context: VariableContext, now = new Date()): string =>
  text.replace(placeholder, (_whole, name: string) => textOf(name, context, now) ?? '')

/** Where a text has placeholders, and whether each stands for something. */
export const placeholdersIn = (text: string): { name: string; start: number; end: number; isKnown: boolean }[] =>
  [...text.matchAll(placeholder)].map(({ 0: whole, 1: name = '', index }) => ({
    name,
    start: index,
    end: index + whole.length,
    isKnown: isVariable(name) || isExtra(name) || isLearned(name),
  }))

/** The names between `{{ }}` that stand for nothing, each once: to be told before anything is sent. */
export const unknownVariables = (text: string): string[] => [
  ...new Set(placeholdersIn(text).flatMap(({ name, isKnown }) => (isKnown ? [] : [name]))),
]

/** Olá in the small hours, Bom dia from 6, Boa tarde from 12, Boa noite from 18. */
export const greetingAt = (now: Date, timeZone: string): string => {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(now))
  if (hour < 6) return 'Olá'
  if (hour < 12) return 'Bom dia'
  return hour < 18 ? 'Boa tarde' : 'Boa noite'
}

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g
const extraPrefix = 'extra.'
const isVariable = (name: string): name is VariableName =>
  [...variables.map((one) => one.name), ...former].some((known) => known === name)
const isExtra = (name: string) => name.startsWith(extraPrefix) && name.length > extraPrefix.length
/** Of a flow; elsewhere it stands for nothing. */
const learnedPrefix = 'var.'
/** The text with what a flow has learned in it, and nothing else. */
export const fillLearned = (text: string, vars: VariableContext['vars'] = {}): string =>
  text.replace(placeholder, (whole, name: string) =>
    isLearned(name) ? (readable(vars[name.slice(learnedPrefix.length)]) ?? '') : whole,
  )
const isLearned = (name: string) => name.startsWith(learnedPrefix) && name.length > learnedPrefix.length

/** A date is stored as `2026-11-18` and read as `18/11/2026`. */
const readable = (value: string | undefined) => value?.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1')

const textOf = (name: string, context: VariableContext, now: Date): string | null | undefined => {
  if (isExtra(name)) return readable(context.extra?.find((one) => one.name === name.slice(extraPrefix.length))?.value)
  if (isLearned(name)) return readable(context.vars?.[name.slice(learnedPrefix.length)])
  if (!isVariable(name)) return undefined
  const [first = '', ...rest] = context.name.trim().split(/\s+/)
  switch (name) {
    case 'primeiro_nome':
    case 'firstName':
      return first
    case 'lastName':
      return rest.join(' ')
    case 'saudacao':
    case 'greeting':
      return greetingAt(now, context.timeZone)
    default:
      return context[name]
  }
}
