import { type Prepared, platformRows, withTenant, withTenantAfter } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import type { TurnOwner } from '../../../db/schema/conversations/turns.ts'
import { bySystem } from '../../../kit/actor.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findTicket } from '../tickets/ticket-rows.ts'
import { writeLines } from '../timeline/lines.ts'
import { ownerWork, type Turn } from './owners.ts'

const batch = 100
const leaseS = 60
/** Pauses before each further attempt, in seconds; after the last it has failed, and the team reads so. */
const pausesS = [5, 30, 120, 600]
/** Transactions at one time: people's requests need the database too. */
const inTurn = createLimit(2)

const dueNow = `state = 'waiting' and due_at <= now()`
export const isTurnDue = `select from turns where ${dueNow}`

/** A turn as it was taken: another version, or another attempt, is somebody else's. */
type Taken = { tenantId: number; ticketId: string; version: number; attempts: number }

/** Does what is due about conversations by itself. Several processes may do so: each turn is taken by one. */
export const runDueTurns = async (): Promise<Round> => {
  const taken = await platformRows<Taken>(take, [batch, leaseS])
  await Promise.all(taken.map((one) => inTurn(() => attempt(one))))
  return { did: taken.length, isMore: taken.length === batch }
}

const attempt = async (taken: Taken) => {
  const { tenantId, ticketId } = taken
  try {
    const directory = await getDirectory(tenantId)
    // The conversation first, as whoever writes in it or takes it: they wait for us, or we find the turn gone.
    const locks: Ask[] = [
      [lockTicket, [tenantId, ticketId]],
      [hold, keyOf(taken)],
    ]
    await withTenantAfter(tenantId, locks, async (tx, [, held]) => {
      const [turn] = held as Turn[]
      if (!turn) return
      const alarm = await ownerWork(turn.owner)?.run(tx, { ...turn, ticketId }, directory)
      if (alarm) tx.late(keep, [...keyOf(taken), alarm.dueAt, JSON.stringify(alarm.payload)])
      else tx.late(finish, keyOf(taken))
    })
  } catch (error) {
    log.error({ err: error, tenantId, ticketId, attempts: taken.attempts }, 'turn not done')
    await giveBack(taken, error)
  }
}

/** Tried again after a while; when it never will be, the team reads it in the conversation. */
const giveBack = async (taken: Taken, error: unknown) => {
  const { tenantId, ticketId, attempts } = taken
  const told = error instanceof Error ? error.message : String(error)
  await withTenant(tenantId, async (tx) => {
    const pauseS = pausesS[attempts - 1] ?? null
    const [kept] = await tx.rows<{ owner: TurnOwner }>(postpone, [...keyOf(taken), told.slice(0, 500), pauseS])
    if (!kept || pauseS !== null) return
    const ticket = await findTicket(tx, ticketId)
    const body = `${turnOwnerLabels[kept.owner]}: não foi possível, depois de ${attempts} tentativas. Responda você ao cliente.`
    if (ticket) await writeLines(tx, bySystem, [{ ticket, lines: [{ type: 'system', body }] }])
    await ownerWork(kept.owner)?.giveUp?.(tx, { ticketId }, await getDirectory(tenantId))
  }).catch((again) => {
    // Its lease ends by itself.
    log.error({ err: again, tenantId, ticketId }, 'turn not given back')
  })
}

/** As the team reads of it. */
const turnOwnerLabels: Record<TurnOwner, string> = {
  customer: 'Encerramento pedido pelo cliente',
  assistant: 'Assistente',
  flow: 'Fluxo',
  autoReply: 'Resposta automática',
  absence: 'Mensagem de ausência',
}

const keyOf = ({ tenantId, ticketId, version, attempts }: Taken) => [tenantId, ticketId, version, attempts]
const mine = 'tenant_id = $1 and ticket_id = $2 and version = $3 and attempts = $4'

const take: Prepared = {
  name: 'conversation_turns_take',
  text: takeDue({
    table: 'turns',
    key: ['tenant_id', 'ticket_id'],
    where: dueNow,
    order: 'due_at',
    set: leased('due_at'),
    returning: 'q.tenant_id as "tenantId", q.ticket_id as "ticketId", q.version, q.attempts',
  }),
}
const lockTicket: Prepared = {
  name: 'turn_lock_ticket',
  text: 'select from tickets where tenant_id = $1 and id = $2 for no key update',
}
const hold: Prepared = {
  name: 'turn_hold',
  text: `select owner, owner_id as "ownerId", payload from turns where ${mine} for update`,
}
const finish: Prepared = { name: 'turn_finish', text: `delete from turns where ${mine}` }
const keep: Prepared = {
  name: 'turn_keep',
  text: `update turns set due_at = $5, payload = $6::jsonb, attempts = 0, error = null where ${mine}`,
}
const postpone: Prepared = {
  name: 'turn_postpone',
  text: `update turns set error = $5, state = case when $6::int is null then 'failed' else 'waiting' end,
      due_at = now() + make_interval(secs => coalesce($6::int, 0))
    where ${mine} returning owner`,
}
