import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { type BusinessDay, isOpenAt } from '@balcao/contract/core/business-hours.ts'
import type { Distribution } from '@balcao/contract/service/queues.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import { commitTicketChanges, type TicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import { type Directory, getDirectory, type Person, type QueueCard } from '../../core/directory/directory.ts'
import { type Candidate, choose } from './choose.ts'

/** So many of each queue at a time: a full or closed queue must not stand before the others. */
const batch = 100

/**
 * Hands the waiting conversations of a company to people of their queues: reserved (pending, with a person) until they
 * are accepted. One decision at a time per company, so that two processes share nobody's last free place. True when
 * more may be waiting.
 */
export const distributeTickets = async (tenantId: number): Promise<boolean> => {
  const directory = await getDirectory(tenantId)
  return withTenant(tenantId, async (tx) => {
    await tx.rows(takeTurn, [tenantId])
    const waiting = await tx.rows<Waiting>(readWaiting, [tenantId, batch])
    if (!waiting.length) return false
    const open = openQueues(directory, new Date())
    const teams = await readTeams(tx, directory, [...open.keys()])
    const moves = waiting.flatMap((ticket) => decide(ticket, open.get(ticket.queueId), teams.get(ticket.queueId)) ?? [])
    if (moves.length) await store(tx, moves)
    return moves.length > 0 && [...Map.groupBy(waiting, (one) => one.queueId).values()].some((of) => of.length >= batch)
  })
}

/** A conversation without a person, or with one who did not accept it, or who has gone. */
type Waiting = {
  id: string
  queueId: string
  /** Who has it reserved. */
  userId: string | null
  /** That person is still there for it: their time to accept has run out. */
  isHeld: boolean
  /** Whom it was last handed to. */
  previous: string | null
}
type Move = { ticket: Waiting; userId: string | null; hereSince: Date | null }

const decide = (ticket: Waiting, queue: QueueCard | undefined, team: Member[] = []): Move | undefined => {
  const way = queue?.distribution ?? 'none'
  const next = way === 'none' ? undefined : choose(way, team, ticket.previous)
  if (next && next.userId !== ticket.userId) {
    const old = team.find(({ userId }) => userId === ticket.userId)
    if (old) old.load -= 1
    next.load += 1
    next.lastAssignedAt = turn()
    return { ticket, userId: next.userId, hereSince: next.hereSince }
  }
  // Nobody else: it stays with whoever is still there, else it is everybody's again.
  return ticket.userId && !ticket.isHeld ? { ticket, userId: null, hereSince: null } : undefined
}

/** Offers a conversation that has just begun to wait in its queue, whatever the queue's own way; to nobody while it is closed. */
export const offerTicket = async (
  tx: Tx,
  directory: Directory,
  { id, queueId }: Pick<Ticket, 'id' | 'queueId'>,
  way: Exclude<Distribution, 'none'>,
) => {
  const queue = queueId ? directory.queues.get(queueId) : undefined
  if (!queueId || !queue?.isActive || !isQueueOpen(directory, queueId, new Date())) return
  await tx.rows(takeTurn, [tx.tenantId])
  const team = (await readTeams(tx, directory, [queueId])).get(queueId) ?? []
  const next = choose(way, team, null)
  const ticket = { id, queueId, userId: null, isHeld: false, previous: null }
  if (next) await store(tx, [{ ticket, userId: next.userId, hereSince: next.hereSince }])
}

/** Moments that never repeat, so that of many handed out at once each has its place. */
let lastTurn = 0
const turn = () => {
  lastTurn = Math.max(lastTurn + 1, Date.now())
  return new Date(lastTurn)
}

/** Queues that distribute and are open now. */
const openQueues = (directory: Directory, now: Date): ReadonlyMap<string, QueueCard> => {
  const open = [...directory.queues].filter(
    ([id, queue]) => queue.isActive && queue.distribution !== 'none' && isQueueOpen(directory, id, now),
  )
  return new Map(open)
}
const isQueueOpen = (directory: Directory, queueId: string, now: Date) => {
  const { hours, holidays, timeZone } = calendarOf(directory, { queueId, userId: null })
  return isOpenAt(hours, holidays, now, timeZone)
}

type Member = Candidate & {
  /** When they came, or came back from a pause. */
  hereSince: Date | null
}
type MemberRow = Member & { queueId: string; allowedHours: BusinessDay[] }

/** By queue, the people who may be handed something; one object per person, for their load is one in all queues. */
const readTeams = async (tx: Tx, directory: Directory, queueIds: string[]) => {
  const now = new Date()
  const members = await tx.rows<MemberRow>(readMembers, [tx.tenantId, queueIds])
  const able = members.filter(
    ({ userId, allowedHours }) =>
      takesOffers(directory.people.get(userId)) && isOpenAt(allowedHours, [], now, directory.timezone),
  )
  const loads = new Map(able.map(({ userId, load }) => [userId, { load }]))
  const teams = new Map<string, Member[]>()
  for (const { queueId, userId, capacity, lastAssignedAt, hereSince } of able) {
    const shared = loads.get(userId) ?? { load: 0 }
    const candidate: Member = {
      userId,
      capacity,
      lastAssignedAt,
      hereSince,
      get load() {
        return shared.load
      },
      set load(load) {
        shared.load = load
      },
    }
    teams.set(queueId, [...(teams.get(queueId) ?? []), candidate])
  }
  return teams
}

/** Who leads a team is online to look after it: they are handed something only where they asked for it. */
const takesOffers = (person: Person | undefined): boolean => {
  if (!person?.permissions.has('tickets.write')) return false
  return !person.permissions.has('users.supervise') || person.configs.takesOffers === true
}

/** Long enough for the round that finds somebody who has just come. */
const arrivingMs = 15_000
/** It waited already when they came: it is there to be found, and greets nobody. */
const isLeftover = (before: Ticket, hereSince: Date | null): boolean =>
  hereSince !== null &&
  Date.now() - hereSince.getTime() < arrivingMs &&
  new Date(before.waitingSince ?? before.createdAt) < hereSince

const store = async (tx: Tx, moves: Move[]) => {
  const given = moves.flatMap(({ ticket, userId }) => (userId ? { queueId: ticket.queueId, userId, at: turn() } : []))
  await tx.rows(noteTurns, [tx.tenantId, JSON.stringify(given)])
  const moveOf = new Map(moves.map((move) => [move.ticket.id, move]))
  const before = await findTickets(tx, [...moveOf.keys()])
  const changes = before.map((ticket) => offered(ticket, moveOf.get(ticket.id)))
  await commitTicketChanges(tx, changes, byRule('Distribuição'))
}

/** Reserved for a person, who is told; or for nobody any more. */
const offered = (before: Ticket, { userId, hereSince }: Pick<Move, 'userId' | 'hereSince'> = nobody): TicketChange => ({
  before,
  set: { userId, distributedAt: userId && 'now' },
  ...(userId && {
    logs: [{ type: 'distributed', userId, queueId: before.queueId }],
    notices: [
      {
        kind: 'distributed',
        text: `${before.name} espera por você${before.queue ? ` em ${before.queue.name}` : ''}.`,
        userIds: [userId],
        ...(isLeftover(before, hereSince) && { isQuiet: true }),
      },
    ],
  }),
  cause: { kind: 'distribution' },
})
const nobody = { userId: null, hereSince: null }

/** Held until the transaction ends. Whoever changes what decides does not need it: a lost change is seen next round. */
export const takeTurn: Prepared = {
  name: 'distribution_turn',
  text: `select pg_advisory_xact_lock(hashtext('distribution'), $1)`,
}

const isThere = 'u.is_online and u.away_since is null and not u.is_blocked and u.deleted_at is null'
/** Who has `t` reserved is still there, and of its queue. */
const isHeld = `exists (select from users u join queue_members m on m.tenant_id = u.tenant_id and m.user_id = u.id
  where u.tenant_id = t.tenant_id and u.id = t.user_id and m.queue_id = t.queue_id and ${isThere})`
/** Of `tickets t` in their `queues q`: without a person, not accepted in time, or with somebody who has gone. */
const isWaiting = `t.status = 'pending' and not t.is_group and t.paused_at is null and t.bot is null and t.chat_flow_id is null
  and not exists (select from turns b where b.tenant_id = t.tenant_id and b.ticket_id = t.id and b.owner = 'flow' and b.state = 'waiting')
  and case when t.user_id is null then q.distribution <> 'none' and q.is_active
    when t.distributed_at is null then false
    else t.distributed_at + make_interval(mins => q.accept_within) <= now() or not ${isHeld} end`

/** Companies where somebody could be handed something, or has to give something back. */
export const companiesWithWork: Prepared = {
  name: 'distribution_companies',
  text: `select x.id as "tenantId" from tenants x where x.status = 'active' and exists (
      select from queues q join tickets t on t.tenant_id = x.id and t.queue_id = q.id
      where q.tenant_id = x.id and ${isWaiting} and (t.user_id is not null or exists (
        select from queue_members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        where m.tenant_id = x.id and m.queue_id = q.id and ${isThere})))`,
}
const byUrgency = `array_position('{urgent,high,normal,low}'::text[], t.priority), coalesce(t.waiting_since, t.created_at), t.id`
/**
 * Urgent first, then who waits longest; where they are too many, those nobody has. Bots, groups and what was put away are
 * nobody's to hand out.
 */
const readWaiting: Prepared = {
  name: 'distribution_waiting',
  text: `select t.id, t.queue_id as "queueId", t.user_id as "userId",
      ${isHeld} as "isHeld",
      (select l.user_id from ticket_logs l where l.tenant_id = $1 and l.ticket_id = t.id and l.type = 'distributed'
        order by l.id desc limit 1) as previous
    from queues q cross join lateral (
      select t.* from tickets t where t.tenant_id = $1 and t.queue_id = q.id and ${isWaiting}
      order by t.user_id is not null, ${byUrgency} limit $2 for no key update of t skip locked) t
    where q.tenant_id = $1 order by ${byUrgency}`,
}
/** Left join: whoever has none is the first to get one. */
const readMembers: Prepared = {
  name: 'distribution_members',
  text: `with loads as (
      select u.id, count(t.id)::int as load from users u
      left join tickets t on t.tenant_id = $1 and t.user_id = u.id and t.status in ('open', 'pending')
      where u.tenant_id = $1 and ${isThere} group by u.id)
    select m.queue_id as "queueId", m.user_id as "userId", m.last_assigned_at as "lastAssignedAt", l.load,
      u.capacity, u.allowed_hours as "allowedHours", s.started_at as "hereSince"
    from queue_members m join loads l on l.id = m.user_id join users u on u.tenant_id = $1 and u.id = m.user_id
    left join agent_states s on s.tenant_id = $1 and s.user_id = m.user_id and s.ended_at is null
    where m.tenant_id = $1 and m.queue_id = any($2::uuid[])`,
}
const noteTurns: Prepared = {
  name: 'distribution_turns',
  text: `update queue_members m set last_assigned_at = n.at
    from (select "queueId", "userId", max(at) as at from jsonb_to_recordset($2::jsonb) as g("queueId" uuid, "userId" uuid, at timestamptz)
      group by 1, 2) n
    where m.tenant_id = $1 and m.queue_id = n."queueId" and m.user_id = n."userId"`,
}
