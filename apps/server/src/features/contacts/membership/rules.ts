import { fieldOf } from '@balcao/contract/contacts/segments/fields.ts'
import { positiveOf } from '@balcao/contract/contacts/segments/kinds.ts'
import type { At } from '@balcao/contract/contacts/segments/moments.ts'
import { type Condition, isGroup, resolved, type Segment } from '@balcao/contract/contacts/segments/segments.ts'
import type { Part } from './parts.ts'
import { sourceOf } from './source.ts'

/** The rules of a segment as sets of rows: what `matches` of the contract says of one contact. */
export const partOf = (rules: Segment, tenantId: number, at: At): Part => {
  const parts = rules.rules.map((rule) =>
    isGroup(rule) ? partOf(rule, tenantId, at) : conditionPart(rule, tenantId, at),
  )
  if (rules.match === 'all') return { all: parts }
  return rules.match === 'any' ? { any: parts } : { not: { any: parts } }
}

const conditionPart = ({ field, op, key = '', value }: Condition, tenantId: number, at: At): Part => {
  const { op: positive, isNot } = positiveOf(fieldOf(field).kind, op)
  const part = sourceOf(field)({ tenantId, op: positive, key, value: resolved(field, value, at), at })
  return isNot ? { not: part } : part
}
