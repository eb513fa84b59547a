import { type AssistantConfig, assistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import {
  type AssistantEvaluation,
  type assistantCaseResource,
  type CaseResult,
  caseResult,
  type Expectation,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { and, asc, desc, eq, isNull, ne } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withTenant } from '../../../db/database.ts'
import { assistantCases, assistantEvaluations, assistantVersions } from '../../../db/schema/automation/assistants.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { CrudOptions } from '../../../kit/crud-rows.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { createLimit } from '../../../kit/limit.ts'
import { AnswerError } from './answering.ts'
import { botBehind } from './ask-bot.ts'
import type { Line, Made } from './make-answer.ts'
import { play } from './rehearse.ts'
import { findAssistant, findVersion } from './versions.ts'

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

export type Looked = {
  of: 'draft' | 'published'
  /** Any version instead. */
  versionId?: string
  integrationId: string | null
  why: AssistantEvaluation['why']
  /** Nobody wants to know any more: cases that were not begun are left out, and it throws. */
  signal?: AbortSignal
  onPlayed?: () => void
}
/** Plays every case of an assistant with its draft or a version, by its own account or another, and keeps how it did. */
export const evaluate = async (tenantId: number, assistantId: string, looked: Looked): Promise<AssistantEvaluation> => {
  const { config, revision, version, isPublished, cases } = await withTenant(tenantId, async (tx) => {
    const played = await playedOf(tx, assistantId, looked)
    if (!looked.integrationId && (await botBehind(tx, played.config)))
      throw new AppError('ERR_VALIDATION', {
        message: 'Quem responde é um robô externo: avalie no painel dele, ou escolha outra conta.',
      })
    const found = await tx.db
      .select()
      .from(assistantCases)
      .where(and(eq(assistantCases.tenantId, tenantId), eq(assistantCases.assistantId, assistantId)))
      .orderBy(asc(assistantCases.name))
      .limit(mostCases)
    return { ...played, cases: found }
  })
  if (!cases.length)
    throw new AppError('ERR_VALIDATION', { message: 'Crie um caso primeiro: uma conversa e o que se espera dela.' })
  const { integrationId } = looked
  const used: AssistantConfig = integrationId ? { ...config, integrationIds: [integrationId], model: null } : config
  const results = await Promise.all(
    cases.map((one) =>
      atOnce(async () => {
        looked.signal?.throwIfAborted()
        const result = await playCase(tenantId, assistantId, used, one)
        looked.onPlayed?.()
        return result
      }),
    ),
  )
  const sum = (of: (one: CaseResult) => number) => results.reduce((total, one) => total + of(one), 0)
  const row = {
    ...{
      tenantId,
      id: v7(),
      assistantId,
      revision,
      isPublished,
      versionId: version?.id ?? null,
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
  const { tenantId: _, versionId: _version, ...shown } = row
  return { ...shown, version, createdAt: row.createdAt.toISOString() }
}

const playedOf = async (tx: Tx, assistantId: string, { of, versionId }: Looked) => {
  const row = await findAssistant(tx, assistantId)
  const wanted = versionId ?? (of === 'published' ? row.publishedId : null)
  if (of === 'published' && !wanted)
    throw new AppError('ERR_VALIDATION', { message: 'Este assistente nunca foi publicado.' })
  if (!wanted)
    return { config: assistantConfig.parse(row.config), revision: row.revision, version: null, isPublished: false }
  const found = await findVersion(tx, assistantId, wanted)
  const { id, number, revision } = found
  return {
    ...{ config: assistantConfig.parse(found.config), revision, version: { id, number } },
    isPublished: id === row.publishedId,
  }
}

export const countCases = (tx: Tx, assistantId: string): Promise<number> =>
  tx.db.$count(
    assistantCases,
    and(eq(assistantCases.tenantId, tx.tenantId), eq(assistantCases.assistantId, assistantId)),
  )

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
    ...{ caseId: id, name, isPassed: problems.length === 0, isPlayed: failed === null, problems },
    answers: made.map(({ text }) => text),
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
    return newestEvaluations(tx, assistantId, { limit: 40 })
  })

type Which = { limit: number; revision?: number; before?: string }
/** Of an assistant, newest first; of one behaviour by its own account where a revision is named. */
export const newestEvaluations = async (
  tx: Tx,
  assistantId: string,
  { limit, revision, before }: Which,
): Promise<AssistantEvaluation[]> => {
  const e = assistantEvaluations
  const rows = await tx.db
    .select({ evaluation: e, number: assistantVersions.number })
    .from(e)
    .leftJoin(assistantVersions, and(eq(assistantVersions.tenantId, e.tenantId), eq(assistantVersions.id, e.versionId)))
    .where(
      and(
        eq(e.tenantId, tx.tenantId),
        eq(e.assistantId, assistantId),
        revision === undefined ? undefined : and(eq(e.revision, revision), isNull(e.integrationId)),
        before === undefined ? undefined : ne(e.id, before),
      ),
    )
    .orderBy(desc(e.createdAt), desc(e.id))
    .limit(limit)
  return rows.map(({ evaluation: { tenantId: _, versionId, createdAt, results, ...row }, number }) => ({
    ...row,
    version: versionId && number !== null ? { id: versionId, number } : null,
    // What a schema has learned since it was stored.
    results: results.map((one) => caseResult.parse(one)),
    createdAt: createdAt.toISOString(),
  }))
}
