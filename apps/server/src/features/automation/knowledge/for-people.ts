import { type Prepared, withTenant } from '../../../db/database.ts'
import { searchKnowledge } from './search.ts'

type Asked = { tenantId: number; query: string; limit: number }

/** What the company knows about a question, for somebody of the team who answers it: from every base it keeps. */
export const knowledgeForPeople = ({ tenantId, query, limit }: Asked) =>
  withTenant(tenantId, async (tx) => {
    const bases = await tx.rows<{ id: string }>(allBases, [tenantId])
    const found = await searchKnowledge(
      tx,
      bases.map(({ id }) => id),
      query,
    )
    return found.slice(0, limit).map(({ body, source }) => ({ text: body, source }))
  })

const allBases: Prepared = { name: 'knowledge_all_bases', text: 'select id from knowledge_bases where tenant_id = $1' }
