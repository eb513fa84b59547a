import { type Prepared, platformRows } from '../../../db/database.ts'
import { storage } from '../../../kit/storage.ts'

/** Uploads that were attached to nothing go away, row and bytes: the team's after two days, a stranger's after two hours. */
export const sweepUploads = async (): Promise<number> => {
  const gone = await platformRows<{ key: string; thumbKey: string | null }>(statement, [])
  if (gone.length)
    await (await storage()).remove(gone.flatMap(({ key, thumbKey }) => (thumbKey ? [key, thumbKey] : [key])))
  return gone.length
}

/** The foreign keys guard what is attached meanwhile. */
const statement: Prepared = {
  name: 'old_uploads',
  text: `delete from files d using (
      select f.tenant_id, f.id from files f where f.created_at < now() - case when f.user_id is null then interval '2 hours' else interval '2 days' end
        and not exists (select from messages m where m.tenant_id = f.tenant_id and m.media_id = f.id)
        and not exists (select from quick_messages q where q.tenant_id = f.tenant_id and q.media_id = f.id)
        and not exists (select from schedules s where s.tenant_id = f.tenant_id and s.media_id = f.id)
        and not exists (select from tenants t where t.id = f.tenant_id and t.logo_media_id = f.id)
      limit 500) old
    where d.tenant_id = old.tenant_id and d.id = old.id returning d.key, d.thumb_key as "thumbKey"`,
}
