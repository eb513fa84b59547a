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
  name: z.string(),
  isPassed: z.boolean(),
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
  /** The draft's revision that was looked at. */
  revision: z.int(),
  isPublished: z.boolean(),
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
/** POST /assistants/{id}/evaluations: runs its cases now. */
export const evaluateBody = z.strictObject({
  of: z.enum(['draft', 'published']).default('draft'),
  integrationId: id.nullable().default(null),
})
