import type { Prepared, Tx } from '../../../db/database.ts'
import type { Erased } from '../../contacts/contacts/erase.ts'

/** What was mailed to somebody who is no user of ours. */
export const eraseMails = async (tx: Tx, { keys }: Erased) => {
  const addresses = keys.flatMap((key) => /^email:(.+)/.exec(key)?.[1] ?? [])
  if (addresses.length) await tx.rows(erase, [tx.tenantId, addresses])
}
const erase: Prepared = {
  name: 'mail_erase',
  text: `delete from mails where tenant_id = $1 and user_id is null and lower("to") = any($2::text[])`,
}
