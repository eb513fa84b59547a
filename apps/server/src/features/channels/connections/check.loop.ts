import type { ConnectionHealth } from '@balcao/contract/channels/connections.ts'
import { abilitiesOf, type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { ChannelError, type Health } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { testIntegration } from '../../core/integrations/integrations.service.ts'
import { connect, keepStanding, setStatus } from './connect.ts'
import { markConnection, requireRow } from './connections.service.ts'
import { channelConfig, findConnection, forgetConnections, type OpenConnection } from './context.ts'

const atOnce = 20
/** Trouble that came by itself is looked at until it is over; what somebody has to mend waits for them. */
const dueNow = `check_due_at <= now() and deleted_at is null and stopped_at is null
  and (status in ('CONNECTED', 'OPENING') or trouble_since is not null)`
export const isCheckDue = `select from connections where ${dueNow}`

/** A fault is told within a minute: found by the next look, believed when it is there ten seconds later. */
const seconds = { next: 20, spread: 8, inTrouble: 10 }

type Due = {
  tenantId: number
  id: string
  kind: ChannelKind
  config: Record<string, unknown>
  status: string
  statusText: string | null
  troubleSince: Date | null
  lostAt: Date | null
  proxyId: string | null
  nextAt: Date
}
/** Asks every provider how its account is, each connection every half minute, whichever process has the time. */
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
    set: `check_due_at = now() + make_interval(secs => ${seconds.next} + random() * ${seconds.spread})`,
    returning:
      'q.tenant_id as "tenantId", q.id, q.kind, q.config, q.status, q.status_text as "statusText", q.trouble_since as "troubleSince", q.lost_at as "lostAt", q.proxy_id as "proxyId", q.check_due_at as "nextAt"',
  }),
}

const check = async (row: Due) => {
  const connection = await findConnection(row.id)
  if (!connection) return
  const { trouble, problem, standing, ...health } = await ask(connection, awaitsPhone(row))
  // Its card tells the same as the channel's: when what goes through it stops, and when that is over.
  if (row.proxyId && (trouble || row.troubleSince)) await testIntegration(row.tenantId, row.proxyId)
  if (trouble) return inTrouble(row, trouble)
  await keep(row, Object.keys(health).length ? health : null)
  if (problem) await inProblem(row, problem)
  else if (standing) await keepStanding(row, standing)
  else if (row.troubleSince && row.status === 'ERROR')
    await connect(await withTenant(row.tenantId, (tx) => requireRow(tx, row.id)))
  // A session that does not come back tells nothing new while it tries.
  else if (row.status === 'OPENING' && row.lostAt)
    await markConnection(row.tenantId, row.id, row.status, row.statusText ?? '')
}

/** Trouble that came while its code was shown is none of the phone. */
const awaitsPhone = ({ status, lostAt }: Due) => status === 'OPENING' || (status === 'ERROR' && !lostAt)

/** `trouble`: what may pass by itself, in Portuguese. */
type Told = Health & { trouble?: string }
const ask = async <K extends ChannelKind>(
  { adapter, context }: OpenConnection<K>,
  isOpening: boolean,
): Promise<Told> => {
  let skewMs = 0
  const http: typeof context.http = async (...call) => {
    const answer = await context.http(...call)
    skewMs = Date.parse(answer.headers.date ?? '') - Date.now() || 0
    return answer
  }
  try {
    const told = (await adapter.check?.({ ...context, http }, isOpening)) ?? { problem: null }
    return Math.abs(skewMs) > mostSkewMs && !told.problem ? { ...told, trouble: wrongClock(skewMs) } : told
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    const { text } = error.forAdmin
    return error.isConnectionBroken ? { problem: text } : { problem: null, trouble: text }
  }
}

/** Signatures and codes of providers stop working beyond a few minutes. */
const mostSkewMs = 3 * 60_000
const wrongClock = (skewMs: number) =>
  `O relógio deste servidor está ${Math.round(Math.abs(skewMs) / 60_000)} minutos ${skewMs > 0 ? 'atrasado' : 'adiantado'}. Acerte a hora dele.`

/** Unless somebody has tried it meanwhile: what they were told is newer. */
const inProblem = async ({ tenantId, id, nextAt }: Due, text: string) => {
  await withTenant(tenantId, async (tx) => {
    const [mine] = await tx.rows(untried, [tenantId, id, nextAt])
    if (mine) await setStatus(tx, id, 'ERROR', text)
  })
  forgetConnections()
}
const untried: Prepared = {
  name: 'connection_check_untried',
  text: `select from connections where tenant_id = $1 and id = $2 and check_due_at = $3 for update`,
}

/** Told when it is still there at the second look. */
const inTrouble = async ({ tenantId, id, troubleSince }: Due, text: string) => {
  await withTenant(tenantId, (tx) => tx.rows(lookSoon, [tenantId, id]))
  if (troubleSince)
    await markConnection(tenantId, id, 'ERROR', `${text} O que vocês escreverem espera e sai quando isto passar.`)
}
const lookSoon: Prepared = {
  name: 'connection_check_trouble',
  text: `update connections set trouble_since = coalesce(trouble_since, now()),
      check_due_at = least(check_due_at, now() + make_interval(secs => ${seconds.inTrouble}))
    where tenant_id = $1 and id = $2`,
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
  text: `update connections set health = nullif($3::jsonb, 'null'::jsonb), abilities = $4::jsonb, trouble_since = null
    where tenant_id = $1 and id = $2
      and (health, abilities, trouble_since) is distinct from (nullif($3::jsonb, 'null'::jsonb), $4::jsonb, null::timestamptz)`,
}
