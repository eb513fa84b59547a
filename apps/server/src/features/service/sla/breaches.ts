import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { commitTicketChanges, type TicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import { canSee, viewerOf } from '../../conversations/tickets/tickets.policy.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import { type Directory, getDirectory, type Person } from '../../core/directory/directory.ts'

/** Marks every promise whose time has passed, once, and tells of it. Two processes may look: each row has one marker. */
export const markBreaches = async (): Promise<void> => {
  const late = await platformRows<{ tenantId: number }>(companiesWithLate, [])
  for (const { tenantId } of late) while ((await markBatch(tenantId)) === batch);
}

const batch = 100

const markBatch = async (tenantId: number): Promise<number> => {
  const directory = await getDirectory(tenantId)
  return withTenant(tenantId, async (tx) => {
    const late = await tx.rows<Late>(lockLate, [tenantId, batch])
    const kindsOf = new Map(late.map(({ id, isFirst, isResolve }) => [id, breachesOf(isFirst, isResolve)]))
    const before = await findTickets(tx, [...kindsOf.keys()])
    const changes = before.map((ticket) => breached(directory, ticket, kindsOf.get(ticket.id) ?? []))
    await commitTicketChanges(tx, changes, byRule('Prazo'))
    return late.length
  })
}

const firstAnswer = {
  deadline: 'firstAnswer' as const,
  set: { slaFirstBreachedAt: 'now' },
  log: 'Primeira resposta',
  told: 'O prazo da primeira resposta venceu.',
}
const resolution = {
  deadline: 'resolution' as const,
  set: { slaResolveBreachedAt: 'now' },
  log: 'Resolução',
  told: 'O prazo de resolução venceu.',
}
type Breach = typeof firstAnswer | typeof resolution
const breachesOf = (isFirst: boolean, isResolve: boolean): Breach[] => [
  ...(isFirst ? [firstAnswer] : []),
  ...(isResolve ? [resolution] : []),
]

const breached = (directory: Directory, before: Ticket, breaches: Breach[]): TicketChange => ({
  before,
  set: Object.assign({}, ...breaches.map(({ set }) => set)),
  logs: breaches.map(({ deadline, log }) => ({
    type: 'slaBreach',
    queueId: before.queueId,
    note: log,
    to: { deadline },
  })),
  notices: [
    {
      kind: 'slaBreach',
      text: `${breaches.map(({ told }) => told).join(' ')} Conversa com ${before.name}.`,
      userIds: concerned(directory, before),
    },
  ],
  cause: { kind: 'deadline' },
})

/** Whoever has it, else the people of its queue who are there; and who leads the team, while online. */
const concerned = (directory: Directory, ticket: Ticket): string[] => {
  const facts = factsOf(ticket)
  const isConcerned = (person: Person) => {
    if (ticket.userId === person.id) return true
    if (!person.isOnline) return false
    const isOfQueue = !ticket.userId && ticket.queueId !== null && person.queueIds.includes(ticket.queueId)
    return isOfQueue || person.permissions.has('users.supervise')
  }
  return [...directory.people.values()]
    .filter((person) => !person.isBlocked && person.permissions.has('tickets.read') && isConcerned(person))
    .filter((person) => canSee(viewerOf(directory, person.id), facts))
    .map((person) => person.id)
}

/** Late, and nobody said so yet; what was put away is late for nobody. */
const isNewlyLate = `t.paused_at is null and (
  (t.first_answered_at is null and t.sla_first_due_at <= now() and t.sla_first_breached_at is null)
  or (t.sla_resolve_due_at <= now() and t.sla_resolve_breached_at is null))`
/** Down the index tickets_sla of one company, as far as now. */
const lateOf = (tenant: string, columns: string) => `unnest('{open,pending}'::text[]) s(status) cross join lateral (
    select ${columns} from tickets t where t.tenant_id = ${tenant} and t.status = s.status
      and coalesce(t.sla_due_at, 'infinity'::timestamptz) <= now() and ${isNewlyLate}`

const companiesWithLate: Prepared = {
  name: 'sla_companies_with_late',
  text: `select x.id as "tenantId" from tenants x where x.status = 'active'
    and exists (select from ${lateOf('x.id', 't.id')} limit 1) z)`,
}
type Late = { id: string; isFirst: boolean; isResolve: boolean }
const lockLate: Prepared = {
  name: 'sla_late',
  text: `select t.id, t.first_answered_at is null and coalesce(t.sla_first_due_at <= now(), false) and t.sla_first_breached_at is null as "isFirst",
      coalesce(t.sla_resolve_due_at <= now(), false) and t.sla_resolve_breached_at is null as "isResolve"
    from tickets t where t.tenant_id = $1 and t.status in ('open', 'pending')
      and coalesce(t.sla_due_at, 'infinity'::timestamptz) <= now() and ${isNewlyLate}
    limit $2 for no key update of t skip locked`,
}
