import { type Prepared, withPlatform } from '../../../db/database.ts'
import { storage } from '../../../kit/storage.ts'

/** Files whose hold has ended and that nothing uses go away, row and bytes. */
export const sweepFiles = async (): Promise<number> => {
  const gone = await withPlatform('sweep files', async (tx) => {
    const ended = await tx.rows<{ tenantId: number; fileId: string }>(endHolds, [])
    const { tenants, ids } = { tenants: ended.map((row) => row.tenantId), ids: ended.map((row) => row.fileId) }
    return ended.length ? tx.rows<{ key: string; thumbKey: string | null }>(removeUnused, [tenants, ids]) : []
  })
  if (gone.length)
    await (await storage()).remove(gone.flatMap(({ key, thumbKey }) => (thumbKey ? [key, thumbKey] : [key])))
  return gone.length
}

const endHolds: Prepared = {
  name: 'end_holds',
  text: `with d as (
      select tenant_id, file_id, entity, entity_id from file_uses where expires_at < now() order by expires_at limit 500 for update skip locked)
    delete from file_uses u using d
    where u.tenant_id = d.tenant_id and u.file_id = d.file_id and u.entity = d.entity and u.entity_id = d.entity_id
    returning u.tenant_id as "tenantId", u.file_id as "fileId"`,
}

/** The foreign keys guard what is taken into use meanwhile. */
const removeUnused: Prepared = {
  name: 'remove_unused_files',
  text: `delete from files f using unnest($1::int[], $2::uuid[]) as held (tenant_id, id)
    where f.tenant_id = held.tenant_id and f.id = held.id
      and not exists (select from file_uses u where u.tenant_id = f.tenant_id and u.file_id = f.id)
    returning f.key, f.thumb_key as "thumbKey"`,
}

const dayMs = 24 * 60 * 60_000

/** Bytes that no row names (a process ended between storing and writing down) go away after a day. */
export const sweepBytes = async (): Promise<number> => {
  const disk = await storage()
  const strangers = async (keys: string[]) => {
    const named = await withPlatform('sweep bytes', (tx) => tx.rows<{ key: string }>(namedKeys, [keys]))
    const known = new Set(named.map(({ key }) => key))
    const old = await Promise.all(
      keys.filter((key) => !known.has(key)).map(async (key) => ({ key, at: (await disk.stat(key))?.changedAt })),
    )
    return old.flatMap(({ key, at }) => (at && Date.now() - at.getTime() > dayMs ? [key] : []))
  }
  let removed = 0
  for await (const keys of disk.list('')) {
    const gone = await strangers(keys)
    if (gone.length) await disk.remove(gone)
    removed += gone.length
  }
  return removed
}

/** A key is `tenant/file`, or that with `-thumb`: the file is found by its id. */
const namedKeys: Prepared = {
  name: 'named_keys',
  text: `select k.key from (select key, split_part(key, '/', 1)::int as tenant_id, left(split_part(key, '/', 2), 36)::uuid as id
      from unnest($1::text[]) as key where key ~ '^\\d{1,9}/[0-9a-f-]{36}(-thumb)?$') k
    join files f on f.tenant_id = k.tenant_id and f.id = k.id and k.key in (f.key, f.thumb_key)`,
}
