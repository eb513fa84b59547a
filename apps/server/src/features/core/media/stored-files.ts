import type { Prepared } from '../../../db/database.ts'

const columns = `f.id, f.kind, f.name, f.mime, f.size, f.width, f.height, f.duration_ms as "durationMs", f.thumb_key as "thumbKey"`
/** Her own uploads, and what the quick messages she may use send. */
const maySend = `(f.user_id = $3 or exists (select from quick_message_parts p
      join quick_messages k on k.tenant_id = p.tenant_id and k.id = p.quick_message_id
      where p.tenant_id = f.tenant_id and p.media_id = f.id and (k.user_id = $3 or k.scope = 'everyone' or k.queue_id = any($4::uuid[]))))`

/** A file this person may send. */
export const sendableFile: Prepared = {
  name: 'file_sendable',
  text: `select ${columns} from files f where f.tenant_id = $1 and f.id = $2 and ${maySend}`,
}
/** Which of these this person may send. */
export const sendableFiles: Prepared = {
  name: 'files_sendable',
  text: `select ${columns} from files f where f.tenant_id = $1 and f.id = any($2::uuid[]) and ${maySend}`,
}
/** Stored files as a message shows them. */
export const filesByIds: Prepared = {
  name: 'files_by_ids',
  text: `select ${columns} from files f where f.tenant_id = $1 and f.id = any($2::uuid[])`,
}
