import type { ErrorCode } from '@balcao/contract/errors.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'

/** What a company's plan limits. */
export type Limit = 'users' | 'connections' | 'contacts' | 'storage'

const refusals: Record<Limit, ErrorCode> = {
  users: 'ERR_USER_LIMIT_USER_CREATION',
  connections: 'ERR_CONNECTION_LIMIT',
  contacts: 'ERR_CONTACT_LIMIT',
  storage: 'ERR_STORAGE_LIMIT',
}

/**
 * Room for `amount` more (bytes, of `storage`), or the refusal of that limit. The company's row is held until the
 * transaction ends, so that two who ask at once cannot both have the last place. What customers bring is never asked
 * about: nobody who writes is turned away.
 */
export const reserve = async (tx: Tx, limit: Limit, amount = 1) => {
  const [company] = await tx.rows<Record<Limit, number | null>>(lockLimits, [tx.tenantId])
  const most = company?.[limit]
  if (most === null || most === undefined) return
  const [row] = await tx.rows<{ used: number }>(usage[limit], [tx.tenantId])
  if ((row?.used ?? 0) + amount > most) throw new AppError(refusals[limit])
}

const lockLimits: Prepared = {
  name: 'limits_lock',
  text: `select max_users as users, max_connections as connections, max_contacts as contacts,
      max_storage_mb * 1048576::bigint as storage from tenants where id = $1 for no key update`,
}
const usage: Record<Limit, Prepared> = {
  users: {
    name: 'limit_users',
    text: 'select count(*)::int as used from users where tenant_id = $1 and deleted_at is null',
  },
  connections: {
    name: 'limit_connections',
    text: 'select count(*)::int as used from connections where tenant_id = $1 and deleted_at is null',
  },
  contacts: {
    name: 'limit_contacts',
    text: 'select count(*)::int as used from contacts where tenant_id = $1 and merged_into_id is null',
  },
  storage: {
    name: 'limit_storage',
    text: 'select coalesce(sum(size), 0)::bigint as used from files where tenant_id = $1',
  },
}
