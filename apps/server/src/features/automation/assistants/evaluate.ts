import { type AssistantConfig, assistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import {
  type AssistantEvaluation,
  type assistantCaseResource,
  type CaseResult,
  caseResult,
  type Expectation,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { and, asc, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm'
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
  /** Of this evaluation, however often it is begun: what cases gave before its process died is kept, and not paid again. */
  id?: string
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
  const { integrationId, signal, onPlayed } = looked
  const { config, version, cases, row } = await withTenant(tenantId, async (tx) => {
    const played = await playedOf(tx, assistantId, looked)
    const used: AssistantConfig = integrationId
      ? { ...played.config, integrationIds: [integrationId], model: null }
      : played.config
    if (await botBehind(tx, used))
      throw new AppError('ERR_VALIDATION', {
        message: 'Quem responde é um robô externo: avalie no painel dele, ou escolha outra conta.',
      })
    const found = await tx.db
      .select()
      .from(assistantCases)
      .where(and(eq(assistantCases.tenantId, tenantId), eq(assistantCases.assistantId, assistantId)))
      .orderBy(asc(assistantCases.name))
      .limit(mostCases)
    if (!found.length)
      throw new AppError('ERR_VALIDATION', { message: 'Crie um caso primeiro: uma conversa e o que se espera dela.' })
    return { ...played, config: used, cases: found, row: await beginOrResume(tx, assistantId, looked, played) }
  })
  if (row.total) return presentEvaluation(row, version)
  const known = new Map(row.results.map((one) => [one.caseId, one]))
  const results = await Promise.all(
    cases.map(async (one) => {
      const before = known.get(one.id)
      const isKept = before?.caseVersion === one.version
      const result = isKept ? before : await atOnce(() => playAndKeep(row, config, one, signal))
      onPlayed?.()
      return result
    }),
  )
  const sum = (of: (one: CaseResult) => number) => results.reduce((total, one) => total + of(one), 0)
  const found = {
    ...{ passed: results.filter(({ isPassed }) => isPassed).length, total: results.length, results },
    ...{ costMicros: sum(({ costMicros }) => costMicros), ms: Math.round(sum(({ ms }) => ms) / results.length) },
    createdAt: new Date(),
  }
  await withTenant(tenantId, (tx) => tx.db.update(assistantEvaluations).set(found).where(underWay(row)))
  return presentEvaluation({ ...row, ...found }, version)
}

type Row = typeof assistantEvaluations.$inferSelect
/** Until its last case is played it has no total, and nobody is shown it. */
const underWay = ({ tenantId, id }: Row) =>
  and(eq(assistantEvaluations.tenantId, tenantId), eq(assistantEvaluations.id, id), eq(assistantEvaluations.total, 0))

type Playing = Awaited<ReturnType<typeof playedOf>>
/** The row of this evaluation; anew where what it plays is another by now. */
const beginOrResume = async (
  tx: Tx,
  assistantId: string,
  { id = v7(), integrationId, why }: Looked,
  { revision, version, isPublished }: Playing,
): Promise<Row> => {
  const e = assistantEvaluations
  const mine = and(eq(e.tenantId, tx.tenantId), eq(e.id, id))
  const [before] = await tx.db.select().from(e).where(mine)
  if (before?.revision === revision) return before
  if (before) await tx.db.delete(e).where(mine)
  const row: Row = {
    ...{ tenantId: tx.tenantId, id, assistantId, revision, isPublished, versionId: version?.id ?? null, integrationId },
    ...{ why, passed: 0, total: 0, costMicros: 0, ms: 0, results: [], createdAt: new Date() },
  }
  await tx.db.insert(e).values(row)
  return row
}

/** The night of an assistant whose process died over it. */
export const findNightUnderWay = async (tx: Tx, assistantId: string): Promise<string | undefined> => {
  const e = assistantEvaluations
  const [found] = await tx.db
    .select({ id: e.id })
    .from(e)
    .where(
      and(
        ...[eq(e.tenantId, tx.tenantId), eq(e.assistantId, assistantId), eq(e.why, 'nightly'), eq(e.total, 0)],
        gt(e.createdAt, sql`now() - interval '12 hours'`),
      ),
    )
    .orderBy(desc(e.createdAt))
    .limit(1)
  return found?.id
}

const playAndKeep = async (row: Row, config: AssistantConfig, one: Case, signal: AbortSignal | undefined) => {
  signal?.throwIfAborted()
  const key = [row.id, row.revision, one.id, one.version].join(':')
  const result = await playCase(row, config, one, key)
  const results = sql`${assistantEvaluations.results} || ${JSON.stringify([result])}::jsonb`
  await withTenant(row.tenantId, (tx) => tx.db.update(assistantEvaluations).set({ results }).where(underWay(row)))
  return result
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

type Case = Pick<typeof assistantCases.$inferSelect, 'id' | 'name' | 'lines' | 'expects' | 'version'>
const playCase = async (
  { tenantId, assistantId }: Pick<Row, 'tenantId' | 'assistantId'>,
  config: AssistantConfig,
  { id, version, name, lines, expects }: Case,
  key: string,
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
          key: `${key}:${made.length}`,
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
    ...{ caseId: id, caseVersion: version, name, isPassed: problems.length === 0, isPlayed: failed === null, problems },
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
        gt(e.total, 0),
        revision === undefined ? undefined : and(eq(e.revision, revision), isNull(e.integrationId)),
        before === undefined ? undefined : ne(e.id, before),
      ),
    )
    .orderBy(desc(e.createdAt), desc(e.id))
    .limit(limit)
  return rows.map(({ evaluation, number }) =>
    presentEvaluation(
      evaluation,
      evaluation.versionId && number !== null ? { id: evaluation.versionId, number } : null,
    ),
  )
}

const presentEvaluation = (
  { tenantId: _, versionId: _version, createdAt, results, ...row }: Row,
  version: AssistantEvaluation['version'],
): AssistantEvaluation => ({
  ...row,
  version,
  // What a schema has learned since it was stored.
  results: results.map((one) => caseResult.parse(one)),
  createdAt: createdAt.toISOString(),
})
