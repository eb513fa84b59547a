import type { Prepared, Tx } from '../../../db/database.ts'
import type { Erased } from '../contacts/erase.ts'

/** What imports say of somebody who is to be forgotten, also in rows that never became a contact. */
export const eraseImported = async (tx: Tx, { contactIds, keys }: Erased) => {
  await tx.rows(erase, [tx.tenantId, contactIds, keys])
}
const erase: Prepared = {
  name: 'import_erase',
  text: `update contact_import_rows set cells = '{}', fields = null, keys = null, before = null, after = null, contact_id = null, is_written = false
    where tenant_id = $1 and (contact_id = any($2::uuid[]) or keys && $3::text[])`,
}
