import type { Passage } from '@balcao/contract/automation/assistants/assistants.ts'
import { mostWithoutPgvector } from '@balcao/contract/automation/assistants/knowledge.ts'
import type { Prepared, readTenant } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import type { AssistantBudget } from '../../core/limits/reserve-spending.ts'
import { embedTexts } from '../models/embed.ts'
import { floorOf, scaleOf } from './embedding-scale.ts'

/** A customer waits for the answer: later than this words have to do. */
const timeoutMs = 4_000
const mostPassages = 6
/** How far a passage stands above what has nothing to do with the question, of the way to its answer: to answer alone, and beside what words found. */
const sure = 0.75
const near = 0.5

/** An account, and the bases that are searched by what it says. */
export type Embedder = { integrationId: string; baseIds: string[] }
type Asked = {
  tenantId: number
  asked: readonly string[]
  /** Words found something. */
  isKnown: boolean
  assistant?: AssistantBudget
  ticketId?: string
  key?: string | undefined
  read: typeof readTenant
}

/** Passages that say what is asked in other words: as near to it as questions are to their answers in the model's own scale. */
export const searchByMeaning = async (
  { integrationId, baseIds }: Embedder,
  { tenantId, asked, isKnown, read, ...more }: Asked,
): Promise<Passage[]> => {
  try {
    const { embeddings, by } = await embedTexts({ ...more, tenantId, integrationId, texts: asked, timeoutMs })
    const scale = await scaleOf({ tenantId, integrationId, by, timeoutMs })
    if (!scale) return []
    const least = isKnown ? near : sure
    const asks = embeddings.map((question): Ask => {
      const values = [tenantId, baseIds, by, question, floorOf(question, scale), scale.span, least]
      return [byMeaning, [...values, mostPassages, mostWithoutPgvector]]
    })
    return (await read(tenantId, ...asks)).flat() as Passage[]
  } catch (error) {
    if (!(error instanceof ModelProblem || error instanceof AppError)) throw error
    log.warn({ err: error, tenantId, integrationId }, 'knowledge not searched by meaning')
    return []
  }
}

export const embeddersOf: Prepared = {
  name: 'knowledge_embedders',
  text: `select integration_id as "integrationId", array_agg(id) as "baseIds" from knowledge_bases
    where tenant_id = $1 and id = any($2::uuid[]) and integration_id is not null group by integration_id`,
}
/** Without pgvector each comparison costs: a large base is not compared at all, rather than slowly. */
export const byMeaning: Prepared = {
  name: 'knowledge_search_by_meaning',
  text: `with mine as (
      select id, source_id, embedding, count(*) over () as count from knowledge_chunks
      where tenant_id = $1 and base_id = any($2::uuid[]) and embedded_by = $3
    ), near as (
      select id, source_id, (cosine_similarity(embedding, $4::real[]) - $5) / $6 as score from mine
      where count <= $9 or exists (select from pg_extension where extname = 'vector')
    )
    select n.id as "chunkId", k.name as source, c.heading, c.body, n.score
    from near n join knowledge_chunks c on c.tenant_id = $1 and c.id = n.id
      join knowledge_sources k on k.tenant_id = $1 and k.id = n.source_id
    where n.score >= $7 order by n.score desc, n.id limit $8`,
}
