import { z } from 'zod'
import { id, moment, namedRef, pageQuery, queryList } from '../common.ts'
import { contact } from './contacts.ts'

/** What makes two contacts look like one person, the surest first. */
export const duplicateReasons = ['provider', 'document', 'email', 'phone', 'birthday', 'company'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]
export const duplicateReasonLabels: Record<DuplicateReason, string> = {
  provider: 'O canal disse que são a mesma pessoa',
  document: 'Mesmo CPF ou CNPJ',
  email: 'Mesmo e-mail',
  phone: 'Mesmo telefone',
  birthday: 'Mesmo nome e aniversário',
  company: 'Mesmo nome e empresa',
}

/** Two contacts that may be one person; `a` was here first. */
export const duplicatePair = z.object({
  /** Of both. */
  id: z.string(),
  a: contact,
  b: contact,
  reasons: z.array(z.enum(duplicateReasons)),
  /** When they were found, or kept apart, and by whom. */
  at: moment,
  user: namedRef.nullable(),
})
export type DuplicatePair = z.output<typeof duplicatePair>

export const duplicatesQuery = pageQuery.pick({ cursor: true, limit: true, count: true }).extend({
  state: z.enum(['open', 'apart']).default('open'),
  reasons: queryList(z.enum(duplicateReasons)),
})
export type DuplicatesQuery = z.output<typeof duplicatesQuery>

const pairs = z
  .array(z.strictObject({ aId: id, bId: id }))
  .min(1, 'Escolha ao menos um par.')
  .max(200)
/** POST /contacts/duplicates/apart and /suggest: they are two; or may be one after all. */
export const pairsBody = z.strictObject({ pairs })

/** Which of two stays, where many are made one by a rule. */
export const keepRules = ['older', 'newer', 'complete'] as const
export const keepRuleLabels: Record<(typeof keepRules)[number], string> = {
  older: 'O mais antigo',
  newer: 'O mais novo',
  complete: 'O mais completo',
}
/** POST /contacts/duplicates/merge: the chosen pairs, or all of these reasons. */
export const mergeManyBody = z.strictObject({
  keep: z.enum(keepRules),
  pairs: pairs.optional(),
  reasons: z.array(z.enum(duplicateReasons)).max(10).default([]),
})
export type MergeManyBody = z.output<typeof mergeManyBody>
/** POST /contactsDeleteDuplicate and /contactsGroupDuplicate. */
export const mergeCallBody = z.object({ keep: z.enum(keepRules).optional() }).nullish()
