import { type AssistantEvaluation, comparedTo } from '@balcao/contract/automation/assistants/evaluation.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { and, eq } from 'drizzle-orm'
import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { assistantCases } from '../../../db/schema/automation/assistants.ts'
import { counted } from '../../../kit/counted.ts'
import { log } from '../../../kit/log.ts'
import { emit } from '../../../kit/outbox.ts'
import { takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { botBehind } from './ask-bot.ts'
import { evaluate, findNightUnderWay, newestEvaluations } from './evaluate.ts'
import { nextNight } from './next-night.ts'
import { findVersionOf } from './runs.rows.ts'
import { costWords, timeWords } from './worse.ts'

const batch = 2
/** Longer than the longest set of cases takes. */
const leaseS = 2 * 60 * 60

const dueNow = 'evaluate_at <= now()'
export const isEvaluationDue = `select from assistants where ${dueNow}`

type Taken = { tenantId: number; id: string; name: string; isActive: boolean }

/** What is published plays its cases each night: a model changes at its provider, and a base by hand, without a version. */
export const evaluateDue = async (): Promise<Round> => {
  const taken = await platformRows<Taken>(take, [batch, leaseS])
  await Promise.all(taken.map(attempt))
  return { did: taken.length, isMore: taken.length === batch }
}

const attempt = async (one: Taken) => {
  try {
    if (one.isActive && (await canBePlayed(one))) await evaluateOne(one)
    const { timezone } = await getDirectory(one.tenantId)
    await withTenant(one.tenantId, (tx) => tx.rows(settle, [one.tenantId, one.id, nextNight(timezone)]))
  } catch (error) {
    // Its lease ends by itself.
    log.error({ err: error, tenantId: one.tenantId, assistantId: one.id }, 'assistant not evaluated')
  }
}

const canBePlayed = ({ tenantId, id }: Taken) =>
  withTenant(tenantId, async (tx) => {
    const version = await findVersionOf(tx, id)
    if (!version || (await botBehind(tx, version.config))) return false
    const mine = and(eq(assistantCases.tenantId, tenantId), eq(assistantCases.assistantId, id))
    return (await tx.db.$count(assistantCases, mine)) > 0
  })

const evaluateOne = async ({ tenantId, id, name }: Taken) => {
  const begun = await withTenant(tenantId, (tx) => findNightUnderWay(tx, id))
  const now = await evaluate(tenantId, id, { id: begun, of: 'published', integrationId: null, why: 'nightly' })
  await withTenant(tenantId, async (tx) => {
    // The same behaviour, whether it was looked at as a draft or as what it became.
    const [before] = await newestEvaluations(tx, id, { limit: 1, revision: now.revision, before: now.id })
    const words = wordsFor(name, now, before)
    if (words) await tell(tx, { ...words, id: `evaluation:${now.id}`, link: `/assistentes/${id}?aba=avaliacao` })
  })
}

/** What a night has to tell: that cases pass no more, that it costs or takes clearly more, or that nobody answered. */
const wordsFor = (name: string, now: AssistantEvaluation, before: AssistantEvaluation | undefined) => {
  const unplayed = now.results.filter(({ isPlayed }) => !isPlayed)
  if (unplayed.length === now.total)
    return { title: `${name} não pôde ser avaliado esta noite`, text: unplayed[0]?.problems[0] ?? '' }
  if (!before) return undefined
  const compared = comparedTo(before, now)
  const { lost } = compared
  const told = [
    ...lost.slice(0, 3).map((one) => `${one.name}: ${one.problems[0] ?? ''}`),
    ...(compared.isDearer ? [costWords(compared)] : []),
    ...(compared.isSlower ? [timeWords(compared)] : []),
  ]
  if (!told.length) return undefined
  const what = lost.length ? counted(lost.length, 'caso deixou de passar', 'casos deixaram de passar') : 'piorou'
  return { title: `${name} na avaliação da noite: ${what}`, text: cutText(told.join(' '), 500) }
}

const tell = async (tx: Tx, notice: { id: string; title: string; text: string; link: string }) => {
  const { people } = await getDirectory(tx.tenantId)
  const told = [...people.values()].filter((one) => !one.isBlocked && one.permissions.has('assistants.write'))
  if (told.length) await emit(tx, 'ai.notice', notice, { kind: 'users', userIds: told.map((one) => one.id) })
}

const take: Prepared = {
  name: 'assistants_evaluate_take',
  text: takeDue({
    table: 'assistants',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'evaluate_at',
    set: 'evaluate_at = now() + make_interval(secs => $2)',
    returning: 'q.tenant_id as "tenantId", q.id, q.name, q.is_active as "isActive"',
  }),
}
const settle: Prepared = {
  name: 'assistant_evaluate_settle',
  text: `update assistants set evaluate_at = case when evaluates_nightly and published_id is not null then $3::timestamptz end
    where tenant_id = $1 and id = $2`,
}
