import type { Prepared, Tx } from '../../../db/database.ts'
import type { Erased } from '../../contacts/contacts/erase.ts'

/** Files that conversations of somebody became, and whose they were. */
export const eraseExports = async (tx: Tx, { contactIds }: Erased) => {
  await tx.rows(erase, [tx.tenantId, contactIds])
}
const erase: Prepared = {
  name: 'export_erase',
  text: `update bulk_jobs set subject = null, has_result = false, result_file_id = null
    where tenant_id = $1 and kind = 'exportConversation' and params ->> 'ticketId' in (
      select id::text from tickets where tenant_id = $1 and contact_id = any($2::uuid[]))`,
}
