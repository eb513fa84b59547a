import { assistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import { type AssistantEvaluation, comparedTo } from '@balcao/contract/automation/assistants/evaluation.ts'
import { and, eq } from 'drizzle-orm'
import { withTenant } from '../../../db/database.ts'
import { assistantVersions } from '../../../db/schema/automation/assistants.ts'
import type { Actor } from '../../../kit/actor.ts'
import { counted } from '../../../kit/counted.ts'
import { AppError } from '../../../kit/errors.ts'
import { botBehind } from './ask-bot.ts'
import { countCases, evaluate, type Looked, newestEvaluations } from './evaluate.ts'
import { findAssistant } from './versions.ts'
import { costWords, timeWords } from './worse.ts'

/** What a draft was published upon: kept in the audit. `signedReason` is empty where there was nothing to sign for. */
export type Judged = { evaluationId: string; passed: number; total: number; signedReason: string } | null

/** Whoever watches it being played. */
type Watching = Pick<Looked, 'id' | 'signal' | 'onPlayed'> & { onEvaluated?: (evaluation: AssistantEvaluation) => void }
type Asked = { version: number; signedReason: string }
/**
 * Before a draft is published its cases are played: all have to pass, and it may not cost or take clearly more than what is
 * published did on them; or somebody signs.
 */
export const requireAsGood = async (
  { tenantId }: Pick<Actor, 'tenantId'>,
  assistantId: string,
  asked: Asked,
  { onEvaluated, ...watched }: Watching = {},
): Promise<Judged> => {
  const known = await withTenant(tenantId, async (tx) => {
    const row = await findAssistant(tx, assistantId)
    if (row.version !== asked.version) throw new AppError('ERR_CONFLICT', { details: { version: row.version } })
    const cases = await countCases(tx, assistantId)
    // Nobody plays a conversation with a bot elsewhere: it would be real there.
    if (!cases || (await botBehind(tx, assistantConfig.parse(row.config)))) return undefined
    const [refused] = await newestEvaluations(tx, assistantId, { limit: 1, revision: row.revision })
    const [published] = row.publishedId
      ? await tx.db
          .select({ revision: assistantVersions.revision })
          .from(assistantVersions)
          .where(and(eq(assistantVersions.tenantId, tx.tenantId), eq(assistantVersions.id, row.publishedId)))
      : []
    const [before] =
      published && published.revision !== row.revision
        ? await newestEvaluations(tx, assistantId, { limit: 1, revision: published.revision })
        : []
    return { before, refused: refused?.why === 'publish' && isFresh(refused) ? refused : undefined }
  })
  if (!known) return null
  // Who signs has just read what was found: it is not played, and paid, again.
  const now =
    (asked.signedReason && known.refused) ||
    (await evaluate(tenantId, assistantId, { of: 'draft', integrationId: null, why: 'publish', ...watched }))
  onEvaluated?.(now)
  const problems = problemsOf(now, known.before)
  const judged = { evaluationId: now.id, passed: now.passed, total: now.total }
  if (!problems.length) return { ...judged, signedReason: '' }
  if (asked.signedReason) return { ...judged, signedReason: asked.signedReason }
  throw new AppError('ERR_EVALUATION_FAILED', {
    message: `${problems.join(' ')} Corrija o assistente, ou publique assinando o motivo.`,
    details: { evaluationId: now.id, failed: now.total - now.passed, total: now.total },
  })
}

const freshMs = 60 * 60_000
const isFresh = ({ createdAt }: AssistantEvaluation) => Date.now() - Date.parse(createdAt) < freshMs
const mostTold = 5

const problemsOf = (now: AssistantEvaluation, before: AssistantEvaluation | undefined): string[] => {
  const failed = now.results.filter(({ isPassed }) => !isPassed)
  const compared = before && comparedTo(before, now)
  const lost = new Set(compared?.lost.map(({ caseId }) => caseId))
  const told = failed.slice(0, mostTold).map(({ name, problems }) => `${name}: ${problems[0] ?? ''}`)
  return [
    ...(failed.length
      ? [`${failed.length} de ${counted(now.total, 'caso', 'casos')} não ${failed.length > 1 ? 'passaram' : 'passou'}.`]
      : []),
    ...(lost.size ? [`${counted(lost.size, 'passava', 'passavam')} na versão publicada.`] : []),
    ...told,
    ...(compared?.isDearer ? [costWords(compared)] : []),
    ...(compared?.isSlower ? [timeWords(compared)] : []),
  ]
}
