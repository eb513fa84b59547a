import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { cleanText } from '../../../kit/text.ts'
import { emitContact } from '../contacts/contacts.events.ts'

/** A name somebody of the team typed stays. An older notice finds that it has come too late. */
export const renameGroup = async (tx: Tx, contactId: string, subject: string, at: Date) => {
  const name = cutText(cleanText(subject).trim(), 120)
  const [renamed] = await tx.rows<{ id: string; name: string; profilePicUrl: string | null; version: number }>(
    saveName,
    [tx.tenantId, contactId, name, at],
  )
  if (renamed) await emitContact(tx, renamed)
}
const saveName: Prepared = {
  name: 'group_name',
  text: `update contacts set name = $3, name_told_at = $4, version = version + 1, updated_at = now()
    where tenant_id = $1 and id = $2 and is_group and not is_name_fixed and $3 <> ''
      and coalesce(name_told_at, '-infinity') <= $4 and (name, name_told_at) is distinct from ($3, $4)
    returning id, name, profile_pic_url as "profilePicUrl", version`,
}
