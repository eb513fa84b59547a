import type { Prepared, Tx } from '../../../db/database.ts'
import { type Erased, phonesOf } from '../../contacts/contacts/erase.ts'

/** Calls to and from somebody in no conversation: that there was one stays, and what is told of it late changes nothing. */
export const eraseCalls = async (tx: Tx, erased: Erased) => {
  const phones = phonesOf(erased)
  if (phones.length) await tx.rows(erase, [tx.tenantId, phones])
}
const erase: Prepared = {
  name: 'voice_call_erase',
  text: `update voice_calls set name = '', number = '', summary = '', transcript = '', has_recording = false, recording_media_id = null,
      is_whole = true, due_at = null, told_at = coalesce(told_at, now()), version = version + 1
    where tenant_id = $1 and ltrim(number, '+') = any($2::text[])`,
}
