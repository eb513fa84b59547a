import { type ContactField, type ContactFieldType, no, yes } from '@balcao/contract/contacts/contact-fields.ts'
import type { NameOf } from '@balcao/contract/contacts/segments/describe.ts'
import {
  fieldOf,
  type OptionSource,
  type SegmentFieldKey,
  segmentAreas,
  segmentFieldKeys,
} from '@balcao/contract/contacts/segments/fields.ts'
import { kinds } from '@balcao/contract/contacts/segments/kinds.ts'
import { type Condition, me } from '@balcao/contract/contacts/segments/segments.ts'

/** What conditions may be about, and the names of what they name. */
export type SegmentChoices = {
  rows: Record<OptionSource, readonly { id: string; name: string }[] | undefined>
  attributes: readonly ContactField[]
  nameOf: NameOf
}
type Option = { value: string; label: string }

const fieldOfType: Record<ContactFieldType, SegmentFieldKey> = {
  text: 'attributeText',
  number: 'attributeNumber',
  date: 'attributeDay',
  list: 'attributeChoice',
  boolean: 'attributeChoice',
}

/** A condition's subject as one value of a list: the field, with the company's own field where it is one. */
export const subjectOf = ({ field, key }: Pick<Condition, 'field' | 'key'>) =>
  fieldOf(field).key === 'attribute' ? `${field}:${key}` : field

/** All subjects under their headings; `kept` stays on offer when its field is gone. */
export const subjects = ({ attributes, nameOf }: SegmentChoices, kept: Condition) => {
  const own = attributes.map((one): Option => ({ value: `${fieldOfType[one.type]}:${one.key}`, label: one.name }))
  const value = subjectOf(kept)
  const isGone = fieldOf(kept.field).key === 'attribute' && !own.some((one) => one.value === value)
  const gone = isGone
    ? [{ value, label: `${nameOf('attribute', kept.key ?? '') ?? kept.key} (mudou ou foi excluído)` }]
    : []
  const groups = segmentAreas.map((area) => ({
    group: area as string,
    items: segmentFieldKeys
      .filter((field) => fieldOf(field).area === area && fieldOf(field).key !== 'attribute')
      .map((field): Option => ({ value: field, label: fieldOf(field).label })),
  }))
  return [
    ...groups,
    ...(own.length || gone.length ? [{ group: 'Campos personalizados', items: [...own, ...gone] }] : []),
  ]
}

export const operators = (field: SegmentFieldKey): Option[] => {
  const { kind, ops, words } = fieldOf(field)
  const all: Record<string, { label: string }> = kinds[kind]
  return (ops ?? Object.keys(all)).map((op) => ({ value: op, label: words?.[op] || all[op]?.label || 'é' }))
}

/** A condition about something else: its first operator, and nothing chosen. */
export const conditionOn = (subject: string): Condition => {
  const [field = 'tags', ...key] = subject.split(':') as [SegmentFieldKey, ...string[]]
  const { ops, kind, key: keys } = fieldOf(field)
  const op = ops?.[0] ?? Object.keys(kinds[kind])[0] ?? 'any'
  const [first] = Array.isArray(keys) ? keys : []
  return { field, op, ...(key.length ? { key: key.join(':') } : first && { key: first.value }) }
}

/** What a set is chosen from. What was chosen and is gone stays on offer, so that it can be taken out. */
export const optionsOf = ({ rows, attributes, nameOf }: SegmentChoices, { field, key, value }: Condition): Option[] => {
  const { options } = fieldOf(field)
  const offered =
    typeof options === 'string'
      ? [
          ...(field === 'wallet' ? [{ value: me, label: 'Quem consulta' }] : []),
          ...(rows[options] ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]
      : (options ?? valuesOf(attributes.find((one) => one.key === key)).map((label) => ({ value: label, label })))
  const chosen = Array.isArray(value) ? value : []
  const missing = chosen.filter((one) => !offered.some((option) => option.value === one))
  const label = (id: string) => (typeof options === 'string' ? (nameOf(options, id) ?? 'Excluído') : id)
  return [...offered, ...missing.map((id) => ({ value: id, label: label(id) }))]
}
const valuesOf = (field: ContactField | undefined) =>
  field?.type === 'boolean' ? [yes, no] : [...new Set(field?.options ?? [])]
