import { type PlatformSummary, platformSummary } from '@balcao/contract/platform/platform.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import type { Routes } from '../../../kit/http.ts'
import { freeBytes, isBucket } from '../../../kit/storage.ts'
import { readBuild, readVersion } from '../../../kit/version.ts'

/** The installation at a glance, for its superadmin. */
export const summaryRoutes: Routes = (app) => {
  app.get(
    '/platform/summary',
    {
      config: { can: 'platform.read', summary: 'Ler a visão geral da instalação' },
      schema: { response: { 200: platformSummary } },
    },
    readSummary,
  )
}

const readSummary = async (): Promise<PlatformSummary> => {
  const startedAt = performance.now()
  await platformRows(ping, [])
  const databaseMs = Math.round(performance.now() - startedAt)
  const [rows, free] = await Promise.all([platformRows<Row>(figures, []), freeBytes()])
  const [row] = rows
  if (!row) throw new Error('The figures answered no row')
  return {
    version: readVersion(),
    build: readBuild(),
    address: env.PUBLIC_URL,
    node: process.versions.node,
    postgres: row.postgres,
    licence: { state: 'none' },
    companies: { active: row.activeCompanies, inactive: row.companies - row.activeCompanies },
    users: row.users,
    connections: { total: row.connections, connected: row.connected },
    databaseBytes: row.databaseBytes,
    storage: { kind: isBucket ? 's3' : 'folder', files: row.files, bytes: row.fileBytes, freeBytes: free },
    health: {
      uptimeS: Math.round(process.uptime()),
      databaseMs,
      inbound: { waiting: row.inbound, oldestS: row.inboundS },
      outbound: { waiting: row.outbound, oldestS: row.outboundS },
    },
  }
}

type Row = Record<
  | 'companies'
  | 'activeCompanies'
  | 'users'
  | 'connections'
  | 'connected'
  | 'databaseBytes'
  | 'files'
  | 'fileBytes'
  | 'inbound'
  | 'inboundS'
  | 'outbound'
  | 'outboundS',
  number
> & { postgres: string }

const ping: Prepared = { name: 'platform_ping', text: 'select 1' }

/** A message that waits for its turn (`next_attempt_at` in the future) is not late. */
const figures: Prepared = {
  name: 'platform_summary',
  text: `select split_part(current_setting('server_version'), ' ', 1) as postgres,
      t.*, u.*, c.*, pg_database_size(current_database())::bigint as "databaseBytes", f.*, i.*, o.*
    from (select count(*)::int as companies, count(*) filter (where status = 'active')::int as "activeCompanies"
        from tenants where id > 0 and status <> 'closed') t,
      (select count(*)::int as users from users where tenant_id > 0 and deleted_at is null) u,
      (select count(*)::int as connections, count(*) filter (where status = 'CONNECTED')::int as connected
        from connections where deleted_at is null) c,
      (select count(*)::int as files, coalesce(sum(size), 0)::bigint as "fileBytes" from files) f,
      (select count(*)::int as inbound, ${ageS('min(received_at)')} as "inboundS" from journal where state = 'received') i,
      (select count(*)::int as outbound, ${ageS('min(coalesce(next_attempt_at, created_at))')} as "outboundS"
        from messages where status in ('queued', 'sending')) o`,
}

/** Seconds since a moment; none, or one still to come, is 0. */
function ageS(moment: string) {
  return `coalesce(greatest(0, extract(epoch from now() - ${moment})), 0)::int`
}
