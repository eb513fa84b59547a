import { fieldOf, type OptionSource } from './fields.ts'
import { operatorOf } from './kinds.ts'
import { type Condition, isGroup, me, type Segment } from './segments.ts'

/** The name of a row; undefined: it is gone, null: not known yet. */
export type NameOf = (source: OptionSource | 'attribute', id: string) => string | null | undefined
export type Sentence = { subject: string; verb: string; object: string; isGone: boolean }

/** A condition as one reads it: "Etiqueta", "é", "Cliente VIP". */
export const describeCondition = ({ field, op, key, value }: Condition, nameOf: NameOf): Sentence => {
  const { label, kind, words, key: keys, options } = fieldOf(field)
  const operator = operatorOf(kind, op)
  const gone: string[] = []
  const named = (source: Parameters<NameOf>[0], id: string, what: string) => {
    const name = nameOf(source, id)
    if (name === undefined) gone.push(id)
    return name === undefined ? what : (name ?? '…')
  }
  const subject =
    keys === 'attribute'
      ? named('attribute', key ?? '', `${key} (campo excluído)`)
      : keys
        ? `${label}, ${keys.find((one) => one.value === key)?.label ?? key}`
        : label
  const optionName = (id: string) => {
    if (id === me) return 'quem consulta'
    if (typeof options === 'string') return named(options, id, goneWords[options])
    return options?.find((one) => one.value === id)?.label ?? id
  }
  const objectOf = () => {
    if (value === undefined) return ''
    if (Array.isArray(value)) return listed(value.map(optionName), op === 'all' ? 'e' : 'ou')
    if (operator?.takes === 'date') return String(value).replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')
    return typeof value === 'number' ? value.toLocaleString('pt-BR') : `“${value}”`
  }
  const [verb, object] = withinVerb(words?.[op] ?? operator?.label ?? op, objectOf(), value)
  return { subject, verb, object, isGone: gone.length > 0 }
}
const goneWords: Record<OptionSource, string> = {
  tags: 'etiqueta excluída',
  lanes: 'etapa excluída',
  people: 'usuário removido',
  connections: 'canal excluído',
  reasons: 'motivo excluído',
  imports: 'importação desfeita',
}

/** "há mais de … dias" takes its number in the middle. */
const withinVerb = (verb: string, object: string, value: Condition['value']): [string, string] => {
  const [before, after] = verb.split('…')
  if (after === undefined) return [verb, object]
  const unit = value === 1 ? after.replace('dias', 'dia') : after
  return [before?.trim() ?? '', `${object}${unit}`]
}
const listed = (names: string[], or: string) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${or} ${names.at(-1)}`

/** The whole segment in one line: "Etiqueta é VIP e (Cidade é “Recife” ou Nome contém “ana”)". */
export const describeSegment = ({ match, rules }: Segment, nameOf: NameOf): string => {
  const parts = rules.map((rule) => {
    if (isGroup(rule)) return `(${describeSegment(rule, nameOf)})`
    const { subject, verb, object } = describeCondition(rule, nameOf)
    return [subject, verb, object].filter(Boolean).join(' ')
  })
  if (match === 'none') return parts.length ? `nenhuma destas: ${parts.join('; ')}` : 'todos'
  if (!parts.length) return match === 'all' ? 'todos' : 'ninguém'
  return parts.join(match === 'all' ? ' e ' : ' ou ')
}
