import { type AssistantConfig, assistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import type {
  AssistantEvaluation,
  assistantCaseResource,
  CaseResult,
  Expectation,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { and, asc, desc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { withTenant } from '../../../db/database.ts'
import { assistantCases, assistantEvaluations } from '../../../db/schema/automation/assistants.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { CrudOptions } from '../../../kit/crud-rows.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { createLimit } from '../../../kit/limit.ts'
import { AnswerError } from './answering.ts'
import type { Line, Made } from './make-answer.ts'
import { play } from './rehearse.ts'
import { findVersionOf } from './runs.rows.ts'
import { findAssistant } from './versions.ts'

export const caseOptions: CrudOptions<typeof assistantCaseResource, typeof assistantCases> = {
  table: assistantCases,
  beforeWrite: async (tx, { input, before }) => {
    if (before && input.assistantId && input.assistantId !== before.assistantId)
      throw fieldErrors({ path: 'assistantId', message: 'Um caso não muda de assistente.' })
    const id = input.assistantId ?? before?.assistantId
    if (id)
      await findAssistant(tx, id).catch((error) => {
        if (!(error instanceof AppError)) throw error
        throw fieldErrors({ path: 'assistantId', message: 'Este assistente não existe mais.' })
      })
    return {}
  },
}

/** Calls of one company at one time, beside what customers ask. */
const atOnce = createLimit(3)
const mostCases = 200

type Looked = { of: 'draft' | 'published'; integrationId: string | null; why: AssistantEvaluation['why'] }
/** Plays every case of an assistant against its draft or what is published, with its own account or another, and keeps how it did. */
export const evaluate = async (tenantId: number, assistantId: string, looked: Looked): Promise<AssistantEvaluation> => {
  const { config, revision, cases } = await withTenant(tenantId, async (tx) => {
    const row = await findAssistant(tx, assistantId)
    const published = looked.of === 'published' ? await findVersionOf(tx, assistantId) : undefined
    if (looked.of === 'published' && !published)
      throw new AppError('ERR_VALIDATION', { message: 'Este assistente nunca foi publicado.' })
    const found = await tx.db
      .select()
      .from(assistantCases)
      .where(and(eq(assistantCases.tenantId, tenantId), eq(assistantCases.assistantId, assistantId)))
      .orderBy(asc(assistantCases.name))
      .limit(mostCases)
    return { config: published?.config ?? assistantConfig.parse(row.config), revision: row.revision, cases: found }
  })
  const { integrationId } = looked
  const used: AssistantConfig = integrationId ? { ...config, integrationIds: [integrationId], model: null } : config
  const results = await Promise.all(cases.map((one) => atOnce(() => playCase(tenantId, assistantId, used, one))))
  const sum = (of: (one: CaseResult) => number) => results.reduce((total, one) => total + of(one), 0)
  const row = {
    ...{
      tenantId,
      id: v7(),
      assistantId,
      revision,
      isPublished: looked.of === 'published',
      integrationId,
      why: looked.why,
    },
    ...{ passed: results.filter(({ isPassed }) => isPassed).length, total: results.length, results },
    ...{
      costMicros: sum(({ costMicros }) => costMicros),
      ms: Math.round(sum(({ ms }) => ms) / Math.max(1, results.length)),
    },
    createdAt: new Date(),
  }
  await withTenant(tenantId, (tx) => tx.db.insert(assistantEvaluations).values(row))
  const { tenantId: _, ...shown } = row
  return { ...shown, createdAt: row.createdAt.toISOString() }
}

type Case = Pick<typeof assistantCases.$inferSelect, 'id' | 'name' | 'lines' | 'expects'>
const playCase = async (
  tenantId: number,
  assistantId: string,
  config: AssistantConfig,
  { id, name, lines, expects }: Case,
): Promise<CaseResult> => {
  const made: Made[] = []
  const history: Line[] = []
  let failed: string | null = null
  for (const text of lines) {
    const heard: Line[] = [{ from: 'customer', text }]
    try {
      const pending = made.at(-1)?.pending ?? null
      const one = await play({
        ...{
          tenantId,
          assistantId,
          config,
          customer: 'Maria Lima',
          history: [...history],
          heard,
          turns: made.length,
          pending,
        },
      })
      made.push(one)
      history.push(...heard, { from: 'us', text: one.text })
      if (one.handOver) break
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error
      failed = error.message
      break
    }
  }
  const problems = failed ? [failed] : expects.flatMap((one) => problemOf(one, made) ?? [])
  return {
    ...{ caseId: id, name, isPassed: problems.length === 0, problems, answers: made.map(({ text }) => text) },
    handOver: made.at(-1)?.handOver ?? null,
    costMicros: made.reduce((sum, one) => sum + one.costMicros, 0),
    ms: made.reduce((sum, one) => sum + one.ms, 0),
  }
}

/** What did not come as expected. */
export const problemOf = ({ kind, value }: Expectation, made: readonly Pick<Made, 'text' | 'handOver' | 'steps'>[]) => {
  const said = plainWords(made.map(({ text }) => text).join('\n'))
  const handOver = made.some((one) => one.handOver !== null)
  const called = made.some(({ steps }) =>
    steps.some((one) => one.kind === 'tool' && one.name === value && !one.problem),
  )
  switch (kind) {
    case 'contains':
      return said.includes(plainWords(value)) ? undefined : `Não disse “${value}”.`
    case 'neverSays':
      return said.includes(plainWords(value)) ? `Disse “${value}”.` : undefined
    case 'handsOver':
      return handOver ? undefined : 'Não passou para a equipe.'
    case 'staysOn':
      return handOver ? 'Passou para a equipe.' : undefined
    case 'callsTool':
      return called ? undefined : `Não usou ${value}.`
  }
}

export const listEvaluations = (actor: Actor, assistantId: string): Promise<AssistantEvaluation[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await findAssistant(tx, assistantId)
    const rows = await tx.db
      .select()
      .from(assistantEvaluations)
      .where(and(eq(assistantEvaluations.tenantId, tx.tenantId), eq(assistantEvaluations.assistantId, assistantId)))
      .orderBy(desc(assistantEvaluations.createdAt))
      .limit(20)
    return rows.map(({ tenantId: _, createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
  })

/** Before a draft is published: its cases are played, and whatever the published one passes it passes too, or somebody signs. */
export const requireAsGood = async (actor: Actor, assistantId: string, signedReason: string): Promise<void> => {
  const cases = await withTenant(actor.tenantId, async (tx) => {
    await findAssistant(tx, assistantId)
    return tx.db.$count(
      assistantCases,
      and(eq(assistantCases.tenantId, tx.tenantId), eq(assistantCases.assistantId, assistantId)),
    )
  })
  if (!cases || signedReason) return
  const now = await evaluate(actor.tenantId, assistantId, { of: 'draft', integrationId: null, why: 'publish' })
  const failed = now.results.filter(({ isPassed }) => !isPassed)
  if (!failed.length) return
  const told = failed.slice(0, 5).map(({ name, problems }) => `${name}: ${problems[0] ?? ''}`)
  throw new AppError('ERR_EVALUATION_FAILED', {
    message: `${failed.length} de ${now.total} casos não passaram. ${told.join(' ')} Corrija o assistente, ou publique assinando o motivo.`,
    details: { evaluationId: now.id, failed: failed.length, total: now.total },
  })
}
