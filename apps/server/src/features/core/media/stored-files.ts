import type { Prepared } from '../../../db/database.ts'

/** A file this person may send: her own upload, or the attachment of a quick message she may use. */
export const sendableFile: Prepared = {
  name: 'file_sendable',
  text: `select f.id, f.kind, f.name, f.mime, f.size, f.width, f.height, f.duration_ms as "durationMs", f.thumb_key as "thumbKey"
    from files f where f.tenant_id = $1 and f.id = $2 and (f.user_id = $3 or exists (select from quick_messages k
      where k.tenant_id = f.tenant_id and k.media_id = f.id and (k.user_id = $3 or k.scope = 'everyone' or k.queue_id = any($4::uuid[]))))`,
}
/** Stored files as a message shows them. */
export const filesByIds: Prepared = {
  name: 'files_by_ids',
  text: `select f.id, f.kind, f.name, f.mime, f.size, f.width, f.height, f.duration_ms as "durationMs", f.thumb_key as "thumbKey"
    from files f where f.tenant_id = $1 and f.id = any($2::uuid[])`,
}
