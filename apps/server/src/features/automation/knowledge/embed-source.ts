import { cutText } from '@balcao/contract/core/cut-text.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { embedderNamed, embedTexts } from '../models/embed.ts'

const batch = 64
const timeoutMs = 60_000

type Source = { tenantId: number; id: string; baseId: string }
/**
 * Asks what the passages of a source mean, where its base wants that and nobody has. What was read is found by its words
 * meanwhile, and stays so where the account does not answer or the money is spent: it is tried again in an hour.
 */
export const embedSource = async (source: Source): Promise<void> => {
  const { tenantId, id, baseId } = source
  try {
    const [base] = await withTenant(tenantId, (tx) =>
      tx.rows<{ integrationId: string | null }>(choice, [tenantId, baseId]),
    )
    const integrationId = base?.integrationId
    const by = integrationId && (await embedderNamed(tenantId, integrationId))
    if (!integrationId || !by) return
    for (;;) {
      const chunks = await withTenant(tenantId, (tx) => tx.rows<Chunk>(missing, [tenantId, id, by, batch]))
      if (!chunks.length) return
      const texts = chunks.map(({ heading, body }) => [heading, body].filter(Boolean).join('\n'))
      const embedded = await embedTexts({ tenantId, integrationId, texts, timeoutMs })
      const rows = chunks.map((chunk, at) => ({ id: chunk.id, embedding: embedded.embeddings[at] }))
      await withTenant(tenantId, (tx) => tx.rows(keep, [tenantId, id, embedded.by, JSON.stringify(rows)]))
    }
  } catch (error) {
    if (!(error instanceof ModelProblem || error instanceof AppError)) throw error
    log.warn({ err: error, tenantId, sourceId: id }, 'passages not embedded')
    const told = `Por enquanto só as palavras são buscadas. ${error.message}`
    await withTenant(tenantId, (tx) => tx.rows(postpone, [tenantId, id, cutText(told, 300)]))
  }
}
type Chunk = { id: string; heading: string; body: string }

const choice: Prepared = {
  name: 'knowledge_base_choice',
  text: 'select integration_id as "integrationId" from knowledge_bases where tenant_id = $1 and id = $2',
}
const missing: Prepared = {
  name: 'knowledge_chunks_missing',
  text: `select id, heading, body from knowledge_chunks
    where tenant_id = $1 and source_id = $2 and embedded_by is distinct from $3 order by position limit $4`,
}
const keep: Prepared = {
  name: 'knowledge_chunks_embedded',
  text: `update knowledge_chunks c set embedding = e.embedding, embedded_by = $3
    from jsonb_to_recordset($4::jsonb) as e(id uuid, embedding real[])
    where c.tenant_id = $1 and c.source_id = $2 and c.id = e.id`,
}
const postpone: Prepared = {
  name: 'knowledge_source_postpone',
  text: `update knowledge_sources set problem = $3, due_at = least(due_at, now() + interval '1 hour')
    where tenant_id = $1 and id = $2`,
}
