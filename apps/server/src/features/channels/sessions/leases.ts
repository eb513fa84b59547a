import { type Prepared, platformRows } from '../../../db/database.ts'

export type Leased = { tenantId: number; connectionId: string; version: number }

/** A process that could not renew for `ownerStops` stops by itself; nobody takes its place before `takerWaits`. */
export const leaseSeconds = { ownerStops: 10, takerWaits: 15 }

const isFree = (waitsS: string) => `c.uses_session and c.deleted_at is null and c.stopped_at is null
        and not exists (select from tenants t where t.id = c.tenant_id and t.status = 'closed')
        and (l.owner is null or l.renewed_at < now() - make_interval(secs => ${waitsS}))`
const ofConnection = 'connection_leases l on l.tenant_id = c.tenant_id and l.connection_id = c.id'
export const freeSession = `select from connections c left join ${ofConnection} where ${isFree(String(leaseSeconds.takerWaits))}`

/** Takes connections whose session nobody has, or whose owner has been silent for too long. */
export const takeLeases = (owner: string, most: number) =>
  platformRows<Leased>(take, [owner, leaseSeconds.takerWaits, most])
const take: Prepared = {
  name: 'session_take',
  text: `with free as (
      select c.tenant_id, c.id, c.version from connections c
      left join ${ofConnection} where ${isFree('$2')}
      order by c.tenant_id, c.id limit $3
    ), taken as (
      insert into connection_leases as l (tenant_id, connection_id, owner, renewed_at) select tenant_id, id, $1, now() from free
      on conflict (tenant_id, connection_id) do update set owner = excluded.owner, renewed_at = now()
        where l.renewed_at < now() - make_interval(secs => $2)
      returning l.tenant_id, l.connection_id
    )
    select t.tenant_id as "tenantId", t.connection_id as "connectionId", f.version
    from taken t join free f on f.tenant_id = t.tenant_id and f.id = t.connection_id`,
}

/** What is still ours, and still a session: what is missing has been lost, deleted, or receives by another way now. */
export const renewLeases = (owner: string) => platformRows<Leased>(renew, [owner])
const renew: Prepared = {
  name: 'session_renew',
  text: `update connection_leases l set renewed_at = now() from connections c
    where l.owner = $1 and c.tenant_id = l.tenant_id and c.id = l.connection_id and c.uses_session and c.deleted_at is null and c.stopped_at is null
    returning l.tenant_id as "tenantId", l.connection_id as "connectionId", c.version`,
}

/** Gives connections back: another process may have them at once. */
export const releaseLeases = (owner: string, connectionIds: string[]) => platformRows(release, [owner, connectionIds])
const release: Prepared = {
  name: 'session_release',
  text: 'delete from connection_leases where owner = $1 and connection_id = any($2::uuid[])',
}

/** Whether it is still ours to speak for: thrown out by the process that has it now, we would say so of a channel that works. */
export const holdsLease = async (owner: string, { tenantId, connectionId }: Omit<Leased, 'version'>) =>
  (await platformRows(holds, [tenantId, connectionId, owner, leaseSeconds.takerWaits])).length > 0
const holds: Prepared = {
  name: 'session_holds',
  text: `select 1 from connection_leases where tenant_id = $1 and connection_id = $2 and owner = $3
    and renewed_at > now() - make_interval(secs => $4)`,
}
