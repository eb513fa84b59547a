import type { HelpArticle } from '@balcao/contract/intake/webchat.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'

/** What everybody in the company answers with and the company shows to whoever visits its site, by title. */
export const readHelp = (tenantId: number): Promise<HelpArticle[]> =>
  withTenant(tenantId, (tx) => tx.rows<HelpArticle>(articles, [tenantId]))

/** Enough to search in, and no more than a window takes at once. */
const articles: Prepared = {
  name: 'quick_messages_help',
  text: `select id, help_title as title, left(message, 4000) as text from quick_messages
    where tenant_id = $1 and help_title is not null and scope = 'everyone' and is_active
    order by help_title, id limit 100`,
}
