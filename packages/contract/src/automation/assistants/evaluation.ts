import { z } from 'zod'
import { id, moment } from '../../common.ts'
import { resource, rowMeta } from '../../resource.ts'
import { handOverReasons } from './config.ts'

export const expectationKinds = ['contains', 'neverSays', 'handsOver', 'staysOn', 'callsTool'] as const
export type ExpectationKind = (typeof expectationKinds)[number]
export const expectationLabels: Record<ExpectationKind, string> = {
  contains: 'A resposta contém',
  neverSays: 'Nunca diz',
  handsOver: 'Passa para a equipe',
  staysOn: 'Não passa para a equipe',
  callsTool: 'Usa a ferramenta',
}
export const expectation = z
  .strictObject({ kind: z.enum(expectationKinds), value: z.string().trim().max(200).default('') })
  .refine(({ kind, value }) => ['handsOver', 'staysOn'].includes(kind) || value !== '', {
    path: ['value'],
    error: 'Diga o quê.',
  })
export type Expectation = z.output<typeof expectation>

const caseWrite = z.object({
  assistantId: id,
  name: z.string().trim().min(1, 'Informe o nome.').max(120, 'Use no máximo 120 caracteres.'),
  /** What the customer writes, one message after the other. */
  lines: z
    .array(z.string().trim().min(1, 'Escreva a mensagem.').max(2_000))
    .min(1, 'Escreva pelo menos uma mensagem.')
    .max(12, 'Use no máximo 12 mensagens.'),
  expects: z.array(expectation).min(1, 'Diga o que se espera.').max(10),
})
/** A conversation whose outcome is known: the assistant has to pass it before it is published. */
export const assistantCase = rowMeta.extend(caseWrite.shape)
export type AssistantCase = z.output<typeof assistantCase>
export const assistantCaseResource = resource({
  path: '/assistant-cases',
  event: 'assistantCase',
  label: { one: 'Caso de avaliação', many: 'Casos de avaliação' },
  row: assistantCase,
  write: caseWrite,
  fields: { name: 'Nome', lines: 'Mensagens', expects: 'O que se espera' },
  sort: ['name', 'createdAt', 'updatedAt'],
  filter: ['assistantId'],
  can: { read: 'assistants.write', write: 'assistants.write' },
})

export const caseResult = z.object({
  caseId: id,
  /** As the case was then: a changed one is another. */
  caseVersion: z.int().default(0),
  name: z.string(),
  isPassed: z.boolean(),
  /** Off: nobody answered, so nothing is known of how it does. */
  isPlayed: z.boolean().default(true),
  /** What did not come as expected, in Portuguese. */
  problems: z.array(z.string()),
  answers: z.array(z.string()),
  handOver: z.enum(handOverReasons).nullable(),
  costMicros: z.int(),
  ms: z.int(),
})
export type CaseResult = z.output<typeof caseResult>
export const assistantEvaluation = z.object({
  id,
  assistantId: id,
  /** Of the draft, as far as what was played goes: the same number is the same behaviour. */
  revision: z.int(),
  isPublished: z.boolean(),
  /** The version that was played; null: the draft. */
  version: z.object({ id, number: z.int() }).nullable(),
  /** The account that answered, where it was not the assistant's own. */
  integrationId: id.nullable(),
  why: z.enum(['hand', 'publish', 'nightly']),
  passed: z.int(),
  total: z.int(),
  costMicros: z.int(),
  ms: z.int(),
  results: z.array(caseResult),
  createdAt: moment,
})
export type AssistantEvaluation = z.output<typeof assistantEvaluation>
export const assistantEvaluations = z.object({ items: z.array(assistantEvaluation) })
/** POST /assistants/{id}/evaluations: plays its cases now, with the draft, what is published or any version. */
export const evaluateBody = z.strictObject({
  of: z.enum(['draft', 'published']).default('draft'),
  versionId: id.optional(),
  integrationId: id.nullable().default(null),
})

const candidate = z.strictObject({ versionId: id.nullable().default(null), integrationId: id.nullable().default(null) })
/**
 * POST /assistants/{id}/evaluation-jobs: plays its cases in the background with each of these (null: the draft, and its own
 * account); `publish`: with the draft, which answers from then on if it is as good.
 */
export const evaluationJobBody = z.strictObject({
  candidates: z
    .array(candidate)
    .min(1)
    .max(4, 'Compare no máximo 4 de uma vez.')
    .default([{ versionId: null, integrationId: null }]),
  publish: z
    .strictObject({ version: z.int(), note: z.string().trim().max(200).default('') })
    .nullable()
    .default(null),
})
export const evaluationJobParams = evaluationJobBody.extend({ assistantId: id })

type Played = Pick<AssistantEvaluation, 'results'>
/** What the same cases cost and took, where both were answered, and which of them pass no more. */
export const comparedTo = (before: Played, now: Played) => {
  const known = new Map(before.results.filter(({ isPlayed }) => isPlayed).map((one) => [one.caseId, one]))
  const both = now.results.flatMap((one) => {
    const earlier = one.isPlayed ? known.get(one.caseId) : undefined
    return earlier?.caseVersion === one.caseVersion ? [{ before: earlier, now: one }] : []
  })
  const mean = (of: (one: (typeof both)[number]) => number) =>
    both.reduce((sum, one) => sum + of(one), 0) / Math.max(1, both.length)
  const costMicros = { before: mean((one) => one.before.costMicros), now: mean((one) => one.now.costMicros) }
  const ms = { before: mean((one) => one.before.ms), now: mean((one) => one.now.ms) }
  return {
    lost: both.filter((one) => one.before.isPassed && !one.now.isPassed).map((one) => one.now),
    costMicros,
    ms,
    // Answers differ a little each time: only what is clearly more counts.
    isDearer: costMicros.now > costMicros.before * 1.5 && costMicros.now - costMicros.before > 1_000,
    isSlower: ms.now > ms.before * 2 && ms.now - ms.before > 3_000,
  }
}
