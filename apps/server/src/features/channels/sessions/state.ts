import { type Prepared, withTenant } from '../../../db/database.ts'
import { seal, unseal } from '../../../kit/crypto.ts'

/** What a session keeps, by name; null takes it away. */
export type StateChanges = Record<string, string | null>

const contextOf = (connectionId: string, name: string) => `${connectionId} ${name}`

/** The provider's state of a connection, by the start of its names, or of these very names. */
export const readState = async (
  tenantId: number,
  connectionId: string,
  names: string | readonly string[] = '',
): Promise<Map<string, string>> => {
  const rows = await withTenant(tenantId, (tx) =>
    typeof names === 'string'
      ? tx.rows<Kept>(select, [tenantId, connectionId, `${names.replace(/[\\%_]/g, '\\$&')}%`])
      : tx.rows<Kept>(selectNamed, [tenantId, connectionId, [...names]]),
  )
  return new Map(rows.map(({ name, value }) => [name, unseal(value, contextOf(connectionId, name))]))
}
type Kept = { name: string; value: string }
const selectNamed: Prepared = {
  name: 'session_state_named',
  text: 'select name, value from session_state where tenant_id = $1 and connection_id = $2 and name = any($3::text[])',
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

/** Ends a login for good: nothing of it may be found again. Only by the process that owns the session. */
export const forgetState = (tenantId: number, connectionId: string, owner: string) =>
  withTenant(tenantId, (tx) => tx.rows(forget, [tenantId, connectionId, owner]))
const forget: Prepared = {
  name: 'session_state_forget',
  text: `delete from session_state where tenant_id = $1 and connection_id = $2
    and exists (select from connection_leases where tenant_id = $1 and connection_id = $2 and owner = $3)`,
}

/** What was journalled under a key, while the journal keeps it. */
export const recallPiece = async (tenantId: number, connectionId: string, key: string): Promise<unknown> => {
  const [row] = await withTenant(tenantId, (tx) => tx.rows<{ payload: unknown }>(recall, [tenantId, connectionId, key]))
  return row?.payload
}
const recall: Prepared = {
  name: 'session_recall',
  text: 'select payload from journal where tenant_id = $1 and connection_id = $2 and event_key = $3',
}
