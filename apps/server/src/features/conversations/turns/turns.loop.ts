import { cutText } from '@balcao/contract/core/cut-text.ts'
import { type Prepared, platformRows, withTenant, withTenantAfter } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { type TurnOwner, thinkingOwners } from '../../../db/schema/conversations/turns.ts'
import { bySystem } from '../../../kit/actor.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findTicket } from '../tickets/ticket-rows.ts'
import { writeLines } from '../timeline/lines.ts'
import { type Alarm, ownerWork, type TakenTurn, type Turn } from './owners.ts'
import { thinkingS } from './thinking.ts'

const batch = 100
/** Turns of one company that share a transaction: a few statements for all, and conversations held for milliseconds. */
const together = 20
const leaseS = 60
/** Pauses before each further attempt, in seconds; after the last it has failed, and the team reads so. */
const pausesS = [5, 30, 120, 600]
/** Transactions at one time: people's requests need the database too. */
const inTurn = createLimit(2)

const thinkingLeaseS = thinkingS + 60
/** Thinking is waiting for somebody else: so many at once cost sockets, not the database. */
const thoughtsAtOnce = 200

const thinkers = thinkingOwners.map((owner) => `'${owner}'`).join(', ')
const dueNow = `state = 'waiting' and due_at <= now()`
const isQuick = `owner not in (${thinkers})`
const isThinking = `owner in (${thinkers})`
export const isTurnDue = `select from turns where ${dueNow} and ${isQuick}`
export const isThoughtDue = `select from turns where ${dueNow} and ${isThinking}`

/** A turn as it was taken: another version, or another attempt, is somebody else's. */
type Taken = TakenTurn & { owner: TurnOwner }

/** Does what is due about conversations by itself. Several processes may do so: each turn is taken by one. */
export const runDueTurns = async (): Promise<Round> => {
  const taken = await platformRows<Taken>(take, [batch, leaseS])
  const lots = [...Map.groupBy(taken, ({ tenantId }) => tenantId).values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / together) }, (_, n) => all.slice(n * together, (n + 1) * together)),
  )
  await Promise.all(lots.map((lot) => inTurn(() => attemptAll(lot))))
  return { did: taken.length, isMore: taken.length === batch }
}

/** Those who call somebody else first: taken as there is room, each done as it comes back. */
export const createThinker = (atOnce = thoughtsAtOnce) => {
  const inHand = new Set<Promise<void>>()
  const claim = async (again: () => void): Promise<Round> => {
    const room = atOnce - inHand.size
    if (room <= 0) return { did: 0 }
    const taken = await platformRows<Taken>(takeThinking, [Math.min(room, batch), thinkingLeaseS])
    for (const one of taken) {
      const done = think(one).finally(() => {
        inHand.delete(done)
        again()
      })
      inHand.add(done)
    }
    return { did: taken.length, isMore: taken.length === Math.min(room, batch) }
  }
  const finish = async () => {
    await Promise.all(inHand)
  }
  return { claim, finish }
}

const think = async (one: Taken) => {
  const { tenantId, ticketId, attempts } = one
  try {
    await ownerWork(one.owner)?.thinks?.(one)
  } catch (error) {
    log.warn({ err: error, tenantId, ticketId, attempts }, 'turn not thought through')
    await giveBack(one, error)
    return
  }
  await inTurn(() => attemptAll([one]))
}

/** What is wrong with one must not hold the others up: each is then done alone. */
const attemptAll = async (lot: Taken[]) => {
  const [first] = lot
  if (!first) return
  try {
    await work(first.tenantId, lot)
  } catch (error) {
    const { tenantId, ticketId, attempts } = first
    if (lot.length > 1) {
      log.warn({ err: error, tenantId, turns: lot.length }, 'turns not done together')
      for (const one of lot) await attemptAll([one])
      return
    }
    log.error({ err: error, tenantId, ticketId, attempts }, 'turn not done')
    await giveBack(first, error)
  }
}

const work = async (tenantId: number, lot: Taken[]) => {
  const directory = await getDirectory(tenantId)
  const ids = lot.map(({ ticketId }) => ticketId).toSorted()
  const owners = [...Map.groupBy(lot, ({ owner }) => owner)].map(([owner, those]) => ({
    owner,
    asks: ownerWork(owner)?.reads?.(
      tenantId,
      those.map(({ ticketId }) => ticketId),
    ),
  }))
  // The conversations first, as whoever writes in one or takes it: they wait for us, or we find the turn gone.
  const asks: Ask[] = [[lockTickets, [tenantId, ids]], [hold, keysOf(lot)], ...owners.flatMap(({ asks = [] }) => asks)]
  await withTenantAfter(tenantId, asks, async (tx, [, held = [], ...answers]) => {
    const turns = new Map((held as Turn[]).map((turn) => [turn.ticketId, turn]))
    const read = new Map<TurnOwner, object[][]>()
    for (const { owner, asks = [] } of owners) read.set(owner, answers.splice(0, asks.length))
    const kept: { one: Taken; alarm: Alarm }[] = []
    const finished: Taken[] = []
    for (const one of lot) {
      const turn = turns.get(one.ticketId)
      if (!turn) continue
      const alarm = await ownerWork(turn.owner)?.run(tx, turn, directory, read.get(turn.owner) ?? [])
      if (alarm) kept.push({ one, alarm })
      else finished.push(one)
    }
    if (finished.length) tx.late(finish, keysOf(finished))
    if (kept.length)
      tx.late(keep, [
        ...keysOf(kept.map(({ one }) => one)),
        kept.map(({ alarm }) => alarm.dueAt.toISOString()),
        kept.map(({ alarm }) => JSON.stringify(alarm.payload)),
      ])
  })
}

/** Tried again after a while; when it never will be, the team reads it in the conversation. */
const giveBack = async (taken: Taken, error: unknown) => {
  const { tenantId, ticketId, attempts } = taken
  const told = error instanceof Error ? error.message : String(error)
  await withTenant(tenantId, async (tx) => {
    const pauseS = pausesS[attempts - 1] ?? null
    const [kept] = await tx.rows<{ owner: TurnOwner }>(postpone, [...keyOf(taken), cutText(told, 500), pauseS])
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
/** The same of several turns of one company. */
const keysOf = (lot: Taken[]) => [
  lot[0]?.tenantId,
  lot.map(({ ticketId }) => ticketId),
  lot.map(({ version }) => version),
  lot.map(({ attempts }) => attempts),
]
const keys = 'unnest($2::uuid[], $3::int[], $4::int[]'
const ours = `q.tenant_id = $1 and q.ticket_id = any($2::uuid[])
      and q.ticket_id = k.ticket_id and q.version = k.version and q.attempts = k.attempts`

const taking = (whose: string) =>
  takeDue({
    table: 'turns',
    key: ['tenant_id', 'ticket_id'],
    where: `${dueNow} and ${whose}`,
    order: 'due_at',
    set: leased('due_at'),
    returning:
      'q.tenant_id as "tenantId", q.ticket_id as "ticketId", q.version, q.attempts, q.owner, q.owner_id as "ownerId", q.payload',
  })
const take: Prepared = { name: 'conversation_turns_take', text: taking(isQuick) }
const takeThinking: Prepared = { name: 'conversation_turns_take_thinking', text: taking(isThinking) }
const lockTickets: Prepared = {
  name: 'turn_lock_tickets',
  text: 'select from tickets where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update',
}
const hold: Prepared = {
  name: 'turn_hold',
  text: `select q.ticket_id as "ticketId", q.owner, q.owner_id as "ownerId", q.payload
    from turns q, ${keys}) as k(ticket_id, version, attempts) where ${ours} for update of q`,
}
const finish: Prepared = {
  name: 'turn_finish',
  text: `delete from turns q using ${keys}) as k(ticket_id, version, attempts) where ${ours}`,
}
const keep: Prepared = {
  name: 'turn_keep',
  text: `update turns q set due_at = k.due_at, payload = k.payload, attempts = 0, error = null
    from ${keys}, $5::timestamptz[], $6::jsonb[]) as k(ticket_id, version, attempts, due_at, payload) where ${ours}`,
}
const postpone: Prepared = {
  name: 'turn_postpone',
  text: `update turns set error = $5, state = case when $6::int is null then 'failed' else 'waiting' end,
      due_at = now() + make_interval(secs => coalesce($6::int, 0))
    where ${mine} returning owner`,
}
