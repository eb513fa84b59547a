import { type Prepared, withTenant } from '../../../db/database.ts'
import { seal, unseal } from '../../../kit/crypto.ts'

/** What a session keeps, by name; null takes it away. */
export type StateChanges = Record<string, string | null>

const contextOf = (connectionId: string, name: string) => `${connectionId} ${name}`

/** The provider's state of a connection, by the start of its names. */
export const readState = async (tenantId: number, connectionId: string, prefix = ''): Promise<Map<string, string>> => {
  const rows = await withTenant(tenantId, (tx) =>
    tx.rows<{ name: string; value: string }>(select, [tenantId, connectionId, `${prefix.replace(/[\\%_]/g, '\\$&')}%`]),
  )
  return new Map(rows.map(({ name, value }) => [name, unseal(value, contextOf(connectionId, name))]))
}
const select: Prepared = {
  name: 'session_state_read',
  text: 'select name, value from session_state where tenant_id = $1 and connection_id = $2 and name like $3',
}

/** Sealed, as the statement that writes them takes them. */
export const sealedChanges = (connectionId: string, changes: StateChanges) => {
  const kept = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [[name, seal(value, contextOf(connectionId, name))] as const],
  )
  return {
    names: kept.map(([name]) => name),
    values: kept.map(([, value]) => value),
    dropped: Object.keys(changes).filter((name) => changes[name] === null),
  }
}

/** Ends a login for good: nothing of it may be found again. */
export const forgetState = (tenantId: number, connectionId: string) =>
  withTenant(tenantId, (tx) => tx.rows(forget, [tenantId, connectionId]))
const forget: Prepared = {
  name: 'session_state_forget',
  text: 'delete from session_state where tenant_id = $1 and connection_id = $2',
}
