import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import { canSee, viewerOf } from '../../conversations/tickets/tickets.policy.ts'
import { factsOf } from '../../conversations/tickets/tickets.present.ts'
import { logTicket } from '../../conversations/tickets/tickets.service.ts'
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
    const marked = await tx.rows<Marked>(mark, [tenantId, batch])
    if (!marked.length) return 0
    const found = await findTickets(
      tx,
      marked.map(({ id }) => id),
    )
    const tickets = new Map(found.map((ticket) => [ticket.id, ticket]))
    const breaches = marked.flatMap(({ id, isFirst, isResolve }) => {
      const ticket = tickets.get(id)
      return ticket ? { ticket, kinds: [isFirst && firstAnswer, isResolve && resolution].filter((kind) => !!kind) } : []
    })
    await logTicket(
      tx,
      ...breaches.flatMap(({ ticket, kinds }) =>
        kinds.map((kind) => ({
          ticketId: ticket.id,
          type: 'slaBreach' as const,
          queueId: ticket.queueId,
          note: kind.log,
        })),
      ),
    )
    await emitAll(
      tx,
      breaches.flatMap(({ ticket, kinds }) => [
        {
          name: 'ticket.updated' as const,
          payload: ticket,
          audience: { kind: 'ticket' as const, facts: factsOf(ticket) },
        },
        {
          name: 'ticket.notice' as const,
          payload: {
            ticketId: ticket.id,
            kind: 'slaBreach' as const,
            text: `${kinds.map((kind) => kind.told).join(' ')} Conversa com ${ticket.name}.`,
            messageId: null,
          },
          audience: { kind: 'users' as const, userIds: concerned(directory, ticket) },
        },
      ]),
    )
    return marked.length
  })
}

const firstAnswer = { log: 'Primeira resposta', told: 'O prazo da primeira resposta venceu.' }
const resolution = { log: 'Resolução', told: 'O prazo de resolução venceu.' }

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
type Marked = { id: string; isFirst: boolean; isResolve: boolean }
const mark: Prepared = {
  name: 'sla_mark',
  text: `with late as materialized (
      select t.id, t.first_answered_at is null and t.sla_first_due_at <= now() and t.sla_first_breached_at is null as "isFirst",
        coalesce(t.sla_resolve_due_at <= now(), false) and t.sla_resolve_breached_at is null as "isResolve"
      from tickets t where t.tenant_id = $1 and t.status in ('open', 'pending')
        and coalesce(t.sla_due_at, 'infinity'::timestamptz) <= now() and ${isNewlyLate}
      limit $2 for no key update of t skip locked)
    update tickets t set version = t.version + 1,
      sla_first_breached_at = case when late."isFirst" then now() else t.sla_first_breached_at end,
      sla_resolve_breached_at = case when late."isResolve" then now() else t.sla_resolve_breached_at end
    from late where t.tenant_id = $1 and t.id = late.id
    returning t.id, coalesce(late."isFirst", false) as "isFirst", late."isResolve"`,
}
