import { z } from 'zod'
import { id, namedRef } from '../../common.ts'
import { resource, rowMeta } from '../../resource.ts'
import { type ContactFacts, fieldOf, type SegmentFieldKey, segmentFieldKeys } from './fields.ts'
import { fold } from './fold.ts'
import { operatorOf, positiveOf, type SegmentValue, takings } from './kinds.ts'
import type { At } from './moments.ts'

export const mostDepth = 4
export const mostConditions = 50

/** One question about a contact. `key` says which of several, where its field has several. */
const condition = z.strictObject({
  field: z.enum(segmentFieldKeys, 'Escolha o que comparar.'),
  op: z.string().max(20),
  key: z.string().max(120).optional(),
  value: z.union([z.string().max(400), z.number(), z.array(z.string().max(120)).max(50)]).optional(),
})
export type Condition = z.output<typeof condition>
/** All of these, any of them, or none of them; of no rules at all, all and none hold and any does not. */
export type Segment = { match: 'all' | 'any' | 'none'; rules: (Condition | Segment)[] }
export const isGroup = (rule: Condition | Segment): rule is Segment => 'rules' in rule

const group = (rule: z.ZodType<Condition | Segment>): z.ZodType<Segment> =>
  z
    .strictObject({ match: z.enum(['all', 'any', 'none']), rules: z.array(rule).max(mostConditions) })
    .meta({ examples: [{ match: 'all', rules: [{ field: 'name', op: 'contains', value: 'Ana' }] }] })
const levels = (depth: number): z.ZodType<Segment> =>
  group(depth === 1 ? condition : z.union([condition, levels(depth - 1)]))

/** As rules leave: what is kept was read by the next one. */
export const segmentShape = levels(mostDepth)
/** Who belongs to a segment, as data. What is kept in a row, a job or an address is read by this alone. */
export const segmentRules = segmentShape.transform((given, context): Segment => {
  let left = mostConditions
  const clean = (rule: Segment, path: (string | number)[]): Segment => ({
    match: rule.match,
    rules: rule.rules.map((one, index) => {
      const here = [...path, 'rules', index]
      if (isGroup(one)) return clean(one, here)
      left -= 1
      const { value, problem } = checked(one)
      if (problem) context.addIssue({ code: 'custom', path: here, message: problem, input: one })
      return {
        field: one.field,
        op: one.op,
        ...(one.key !== undefined && { key: one.key }),
        ...(value !== undefined && { value }),
      }
    }),
  })
  const cleaned = clean(given, [])
  if (left < 0)
    context.addIssue({ code: 'custom', message: `Use no máximo ${mostConditions} condições.`, input: given })
  return cleaned
})

/** Why a condition says nothing; undefined where it does. */
export const conditionProblem = (one: Condition): string | undefined => checked(one).problem

const checked = ({ field, op, key, value }: Condition): { value?: SegmentValue; problem?: string } => {
  const { kind, ops, options, key: keys } = fieldOf(field)
  const operator = operatorOf(kind, op)
  if (!operator || (ops && !ops.includes(op))) return { problem: 'Escolha como comparar.' }
  if (
    keys === 'attribute'
      ? !key?.trim() || !isPlain(key)
      : keys
        ? !keys.some((one) => one.value === key)
        : key !== undefined
  )
    return { problem: keys ? 'Escolha de qual campo se trata.' : 'Esta condição não tem campo próprio.' }
  const parsed = takings[operator.takes].safeParse(value)
  if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? 'Valor inválido.' }
  if (Array.isArray(parsed.data)) {
    const known = Array.isArray(options) ? new Set(options.map((one) => one.value)) : undefined
    const isOption = (one: string) =>
      known
        ? known.has(one)
        : typeof options === 'string'
          ? (one === me && field === 'wallet') || id.safeParse(one).success
          : isPlain(one)
    if (!parsed.data.every(isOption)) return { problem: 'Escolha entre as opções.' }
  }
  return { value: parsed.data }
}
/** What the database can keep. */
const isPlain = (text: string) => !text.includes('\0') && text.isWellFormed()
/** In a wallet: whoever asks. */
export const me = 'me'

/** The contact belongs to the segment; the same in SQL is on the server (`segment-sql.ts`). */
export const matches = (rules: Segment, facts: ContactFacts, at: At): boolean => {
  const holds = (rule: Condition | Segment) =>
    isGroup(rule) ? matches(rule, facts, at) : conditionHolds(rule, facts, at)
  if (rules.match === 'any') return rules.rules.some(holds)
  return rules.match === 'all' ? rules.rules.every(holds) : !rules.rules.some(holds)
}

const conditionHolds = ({ field, op, key = '', value }: Condition, facts: ContactFacts, at: At): boolean => {
  const { kind, fact } = fieldOf(field)
  const { op: positive, isNot } = positiveOf(kind, op)
  const found = fact(facts, key)
  const isThere = found !== null && found !== ''
  return (isThere && Boolean(operatorOf(kind, positive)?.test?.(found, resolved(field, value, at), at))) !== isNot
}

/** The value as it is compared: whoever asks in the place of "eu", options of the company's own without case. */
export const resolved = (field: SegmentFieldKey, value: SegmentValue | undefined, at: At): SegmentValue | undefined => {
  if (!Array.isArray(value)) return value
  if (field === 'wallet') return value.flatMap((one) => (one === me ? (at.me ?? []) : one))
  return field === 'attributeChoice' ? value.map(fold) : value
}

/**
 * Rules as they were kept. What nobody understands any more (a field that is gone from the product) holds for nobody, so
 * that a segment never reaches more people than it was made for.
 */
export const readRules = (kept: unknown): Segment => segmentRules.safeParse(kept).data ?? { match: 'any', rules: [] }

/** Rules in an address, as JSON, or as they are. */
export const rulesGiven = z.preprocess((given, context) => {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    context.addIssue({ code: 'custom', message: 'Filtro inválido. Monte o segmento de novo.', input: given })
    return z.NEVER
  }
}, segmentRules)

const isEmpty = ({ rules }: Segment): boolean =>
  rules.length === 0 || rules.some((rule) => isGroup(rule) && isEmpty(rule))
const segmentWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  description: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
  isShared: z.boolean().default(false),
  rules: segmentRules.refine((rules) => !isEmpty(rules), 'Adicione pelo menos uma condição a cada grupo.'),
})
/** Contacts that have something in common, under a name: one's own, or the company's. */
export const segment = rowMeta.extend(segmentWrite.shape).extend({ userId: id, rules: segmentShape })
export type SegmentRow = z.output<typeof segment>

export const segmentResource = resource({
  path: '/segments',
  event: 'segment',
  label: { one: 'Segmento', many: 'Segmentos' },
  row: segment,
  write: segmentWrite,
  fields: { name: 'Nome', description: 'Descrição', isShared: 'Da empresa', rules: 'Regras' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'contacts.read', write: 'contacts.read' },
})

/** POST /segments/count: how many contacts belong to it now, counted up to `mostOfSegment`. */
export const segmentCountBody = z.strictObject({ rules: segmentRules })
export const segmentCount = z.object({ count: z.int(), isMore: z.boolean() })
export const mostOfSegment = 2_000_000

/** GET /segments/{id}/uses: what asks whether somebody belongs to it, as it is written or as it runs. */
export const segmentUses = z.object({
  flows: z.array(namedRef),
  /** Those that are not started yet; a campaign keeps the rules it was started with. */
  campaigns: z.array(namedRef),
})
