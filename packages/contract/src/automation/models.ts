import { z } from 'zod'
import { id, moment, pageOf, pageQuery } from '../common.ts'
import { modelKinds } from '../core/integrations/models.ts'

/** What a model was asked for. */
export const aiPurposes = ['assistant', 'evaluation', 'knowledge', 'transcription', 'speech', 'copilot'] as const
export type AiPurpose = (typeof aiPurposes)[number]
export const aiPurposeLabels: Record<AiPurpose, string> = {
  assistant: 'Respostas de assistentes',
  evaluation: 'Avaliações de assistentes',
  knowledge: 'Base de conhecimento',
  transcription: 'Transcrição de áudios',
  speech: 'Respostas em áudio',
  copilot: 'Copiloto da equipe',
}

/** `open`: on its way; `lost`: nobody knows what came of it, and what it may have cost is counted. */
export const aiCallStates = ['open', 'done', 'failed', 'lost'] as const
export type AiCallState = (typeof aiCallStates)[number]
export const aiCallStateLabels: Record<AiCallState, string> = {
  open: 'Em andamento',
  done: 'Respondida',
  failed: 'Sem resposta',
  lost: 'Interrompida',
}

const micros = z.int().nonnegative()
/** One call to a model. Money is in micro-reais: a millionth of R$ 1. */
export const aiCall = z.object({
  id,
  kind: z.enum(modelKinds),
  model: z.string(),
  purpose: z.enum(aiPurposes),
  state: z.enum(aiCallStates),
  problem: z.string().nullable(),
  integrationId: id,
  assistantId: id.nullable(),
  ticketId: id.nullable(),
  userId: id.nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costMicros: micros,
  ms: z.int().nullable(),
  createdAt: moment,
})
export type AiCall = z.output<typeof aiCall>
export const aiCallsQuery = pageQuery.pick({ cursor: true, limit: true }).extend({
  purpose: z.enum(aiPurposes).optional(),
  ticketId: id.optional(),
})
export const aiCallsPage = pageOf(aiCall)

/** A number of one day, of one purpose, assistant and account. */
export const aiDay = z.object({
  day: z.iso.date(),
  purpose: z.enum(aiPurposes),
  assistantId: id.nullable(),
  integrationId: id,
  calls: z.int(),
  failures: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costMicros: micros,
})
/** GET /ai/spending; POST /ai/calls/export: the calls of these days, one a line. */
export const aiSpendingQuery = z.object({ from: z.iso.date(), to: z.iso.date() })
/** Spending of some days, and of the month that runs against its budget. */
export const aiSpending = z.object({
  days: z.array(aiDay),
  month: z.object({
    /** Its first day, by the company's clock. */
    from: z.iso.date(),
    costMicros: micros,
    /** Cents of R$; null: none. */
    budgetCents: z.int().nullable(),
  }),
  /** The dearest conversations of these days. */
  tickets: z.array(
    z.object({ ticketId: id, protocol: z.string(), contact: z.string(), calls: z.int(), costMicros: micros }),
  ),
  /** Whoever answers by itself: what this month has cost it, of what it may. */
  assistants: z.array(
    z.object({
      id,
      /** Empty: it is not there any more. */
      name: z.string(),
      monthMicros: micros,
      /** Cents of R$; null: what the company may. */
      budgetCents: z.int().nullable(),
    }),
  ),
  /** Accounts by name, also those that are not there any more (by their kind). */
  accounts: z.array(z.object({ id, name: z.string(), kind: z.enum(modelKinds) })),
})
export type AiSpending = z.output<typeof aiSpending>

/** From here on people are warned. */
export const budgetWarningAt = 0.8
