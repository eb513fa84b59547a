import { type Prepared, readTenant } from '../../../db/database.ts'
import { searchKnowledge } from './search.ts'

type Asked = { tenantId: number; query: string; limit: number }

/** What the company knows about a question, for somebody of the team who answers it: from every base it keeps. */
export const knowledgeForPeople = async ({ tenantId, query, limit }: Asked) => {
  const [bases = []] = await readTenant(tenantId, [allBases, [tenantId]])
  const baseIds = (bases as { id: string }[]).map(({ id }) => id)
  const found = await searchKnowledge({ tenantId, baseIds, question: query })
  return found.slice(0, limit).map(({ body, source }) => ({ text: body, source }))
}

const allBases: Prepared = { name: 'knowledge_all_bases', text: 'select id from knowledge_bases where tenant_id = $1' }
