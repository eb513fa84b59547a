import type { TicketsFilter, ticketCounters } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { prepare } from './ticket-rows.ts'
import { filters, isNotSent, isStanding, isWithBot, notPaused } from './tickets.list.ts'
import { isWorked, viewerOf, visibleTickets } from './tickets.policy.ts'

type Counters = z.output<typeof ticketCounters>

/** More than this is told as this: nobody counts further, and the database need not. */
const countUpTo = 1_000
/** A company that closes nothing must not make every glance dear: of others' tickets the newest of each status are looked at. */
const newest = 5_000

const facts =
  't.status, t.is_hidden, t.paused_at, t.not_sent, t.unread_messages, t.is_group, t.user_id, t.bot, t.chat_flow_id, t.shared_with'

/**
 * How many tickets each view holds for this person within a filter: one pass over the active ones, the rest by their own
 * indexes. Closed ones, which have no end, are not counted through a filter. Statements: begin, counters, commit.
 */
export const countTickets = async (actor: Actor, filter: TicketsFilter): Promise<Counters> => {
  const viewer = viewerOf(await getDirectory(actor.tenantId), actor.userId)
  const { values, bind } = binding()
  const tenant = bind(actor.tenantId)
  const me = bind(actor.userId)
  const narrowing = filters(viewer, filter, tenant, bind)
  const isVisible = `${isWorked} and ${visibleTickets(viewer, filter, bind)}`
  const visible = [isVisible, ...narrowing].join(' and ')
  const upTo = (some: string) => `(select count(*) from (select ${some} limit ${countUpTo}) z)`
  const among = (condition: string) => `least(count(*) filter (where ${condition}), ${countUpTo})`
  const ofMine = (table: string, which: string) =>
    upTo(`distinct t.id from ${table} k join tickets t on t.tenant_id = k.tenant_id and t.id = k.ticket_id
      where k.tenant_id = ${tenant} and k.user_id = ${me} and ${which} and ${visible}`)
  const looked = (statuses: string) => `(select ${facts} from tickets t
      where t.tenant_id = ${tenant} and t.user_id = ${me} and t.status = any('{${statuses}}'::text[]) and ${visible}
    union all
    select ${facts} from unnest('{${statuses}}'::text[]) s(status) cross join lateral (select * from tickets t
      where ${[`t.tenant_id = ${tenant}`, isWorked, 't.status = s.status', `t.user_id is distinct from ${me}`, ...narrowing].join(' and ')}
      order by coalesce(t.last_message_at, t.created_at) desc, t.id desc limit ${newest}) t where ${isVisible})`
  const text = `select ${among(`t.status = 'open' and ${notPaused}`)} as open, ${among(`t.status = 'pending' and ${notPaused}`)} as pending,
      ${among('t.unread_messages > 0')} as unread, ${among('t.is_group')} as groups, ${among(isWithBot)} as bot,
      ${among(`not (${notPaused})`)} as paused, ${among(`${me} = any(t.shared_with)`)} as shared, ${among(isNotSent)} as "notSent",
      ${narrowing.length ? 'null::int' : upTo(`from ${looked('closed')} t`)} as closed,
      ${upTo(`distinct t.id from schedules z join tickets t on t.tenant_id = z.tenant_id and t.connection_id = z.connection_id
        and t.contact_id = z.contact_id and t.status <> 'closed' where z.tenant_id = ${tenant} and z.state = 'pending' and ${visible}`)} as scheduled,
      ${ofMine('ticket_marks', 'k.is_followed')} as followed, ${ofMine('mentions', `k.read_at is null and ${isStanding}`)} as mentions
    from ${looked('open,pending')} t`
  const statement = narrowing.length ? { name: '', text } : prepare(text)
  const [row] = await withTenant(actor.tenantId, (tx) => tx.rows<Counters>(statement, values))
  if (!row) throw new Error('An aggregate answers one row')
  return row
}
