import { Readable } from 'node:stream'
import {
  type AssistantEvaluation,
  type evaluationJobBody,
  evaluationJobParams,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { v5 } from 'uuid'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, csvBody, csvHead } from '../../../kit/csv.ts'
import { AppError } from '../../../kit/errors.ts'
import { defineMaking } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { countCases, evaluate } from './evaluate.ts'
import { requireAsGood } from './publish-gate.ts'
import { findAssistant, isPublishedAs, publishDraft } from './versions.ts'

const kind = 'evaluateAssistant'
const can = 'assistants.write'

/** Asks for cases to be played, and for the draft to be published upon them. Throws ERR_CONFLICT where it is another by now. */
export const enqueueEvaluation = (
  actor: Actor,
  assistantId: string,
  { candidates, publish }: z.output<typeof evaluationJobBody>,
): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const { name, version } = await findAssistant(tx, assistantId)
    if (publish && publish.version !== version) throw new AppError('ERR_CONFLICT', { details: { version } })
    const cases = await countCases(tx, assistantId)
    if (!cases && !publish)
      throw new AppError('ERR_VALIDATION', { message: 'Crie um caso primeiro: uma conversa e o que se espera dela.' })
    const total = cases * (publish ? 1 : candidates.length)
    const params = { assistantId, candidates, publish }
    const audit = { action: 'assistant.evaluated', entity: 'assistant', entityId: assistantId, after: { name, total } }
    return enqueueJob(tx, actor, { kind, params, total, subject: name, audit })
  })

/** Plays the cases of an assistant, however long that takes, and publishes its draft where that was asked and it is as good. */
export const evaluationJob = defineMaking({
  ...{ kind, can, params: evaluationJobParams },
  make: async ({ jobId, actor, params: { assistantId, candidates, publish }, signal, tell }) => {
    const { tenantId } = actor
    const cases = await withTenant(tenantId, (tx) => countCases(tx, assistantId))
    const total = cases * (publish ? 1 : candidates.length)
    let done = 0
    const onPlayed = () => {
      done += 1
      tell(done, total)
    }
    const played: AssistantEvaluation[] = []
    const idOf = (place: number) => v5(String(place), jobId)
    if (publish) {
      // A process died right after: it is published already.
      if (await withTenant(tenantId, (tx) => isPublishedAs(tx, assistantId, publish.version))) return fileOf(played)
      const judged = await requireAsGood(
        actor,
        assistantId,
        { version: publish.version, signedReason: '' },
        { id: idOf(0), signal, onPlayed, onEvaluated: (one) => played.push(one) },
      )
      signal.throwIfAborted()
      await publishDraft({ ...actor, impersonatorId: null }, assistantId, publish, judged)
    } else
      for (const [place, { versionId, integrationId }] of candidates.entries())
        played.push(
          await evaluate(tenantId, assistantId, {
            ...{ id: idOf(place), of: 'draft', versionId: versionId ?? undefined, integrationId, why: 'hand' },
            ...{ signal, onPlayed },
          }),
        )
    tell(total, total)
    return fileOf(played)
  },
})

type Line = AssistantEvaluation['results'][number] & { of: AssistantEvaluation }
const columns: CsvColumn<Line>[] = [
  { label: 'O quê', value: ({ of }) => (of.version ? `Versão ${of.version.number}` : 'Rascunho') },
  { label: 'Caso', value: ({ name }) => name },
  { label: 'Passou', value: ({ isPassed }) => (isPassed ? 'Sim' : 'Não') },
  { label: 'Problemas', value: ({ problems }) => problems },
  { label: 'Respostas', value: ({ answers }) => answers },
  { label: 'Custo (R$)', value: ({ costMicros }) => (costMicros / 1_000_000).toFixed(6).replace('.', ',') },
  { label: 'Tempo (s)', value: ({ ms }) => (ms / 1_000).toFixed(1).replace('.', ',') },
]
const fileOf = (played: readonly AssistantEvaluation[]) => {
  const lines = played.flatMap((of) => of.results.map((one) => ({ ...one, of })))
  return { name: 'avaliacao.csv', stream: Readable.from([csvHead(columns), csvBody(columns, lines)]) }
}
