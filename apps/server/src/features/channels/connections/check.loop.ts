import type { ConnectionHealth } from '@balcao/contract/channels/connections.ts'
import { abilitiesOf, type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { markConnection } from './connections.service.ts'
import { channelConfig, findConnection, type OpenConnection } from './context.ts'

const atOnce = 20
const dueNow = `check_due_at <= now() and deleted_at is null and status = 'CONNECTED'`
export const isCheckDue = `select from connections where ${dueNow}`

type Due = { tenantId: number; id: string; kind: ChannelKind; config: Record<string, unknown> }
/** Asks every provider how its account is, each connection every 45 seconds or so, whichever process has the time. */
export const checkDue = async (): Promise<Round> => {
  const due = await platformRows<Due>(claim, [atOnce])
  await Promise.all(
    due.map((row) => check(row).catch((error) => log.warn({ err: error, connectionId: row.id }, 'not checked'))),
  )
  return { did: due.length, isMore: due.length === atOnce }
}
const claim: Prepared = {
  name: 'connection_check_claim',
  text: takeDue({
    table: 'connections',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'check_due_at',
    set: 'check_due_at = now() + make_interval(secs => 35 + random() * 20)',
    returning: 'q.tenant_id as "tenantId", q.id, q.kind, q.config',
  }),
}

const check = async (row: Due) => {
  const connection = await findConnection(row.id)
  if (!connection) return
  const { problem, ...health } = await ask(connection)
  const told = Object.keys(health).length ? health : null
  await keep(row, told)
  if (problem) await markConnection(row.tenantId, row.id, 'ERROR', problem)
}

type Told = ConnectionHealth & { problem: string | null }
const ask = async <K extends ChannelKind>({ adapter, context }: OpenConnection<K>): Promise<Told> => {
  try {
    return (await adapter.check?.(context)) ?? { problem: null }
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    return { problem: error.isConnectionBroken ? error.forAdmin.text : null }
  }
}

/** With what a connection can do: a newer version of the product may know more of it than the one that wrote it. */
const keep = ({ tenantId, id, kind, config }: Due, health: ConnectionHealth | null) => {
  const abilities = abilitiesOf(
    kind,
    channels[kind].config.partial().safeParse(channelConfig[kind].read(id, config)).data ?? {},
  )
  return withTenant(tenantId, (tx) => tx.rows(store, [tenantId, id, JSON.stringify(health), JSON.stringify(abilities)]))
}
const store: Prepared = {
  name: 'connection_check_store',
  text: `update connections set health = nullif($3::jsonb, 'null'::jsonb), abilities = $4::jsonb
    where tenant_id = $1 and id = $2 and (health, abilities) is distinct from (nullif($3::jsonb, 'null'::jsonb), $4::jsonb)`,
}
