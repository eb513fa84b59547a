import type { AiCall, AiSpending, aiCallsQuery } from '@balcao/contract/automation/models.ts'
import type { Page } from '@balcao/contract/common.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { z } from 'zod'
import { type Prepared, readTenant, withReport } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { beyondAll, readCursor, toPage } from '../../../kit/cursor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { monthOf } from './usage.ts'

const mostDays = 366
const mostTickets = 20
const usualPage = 50

type Days = Omit<AiSpending['days'][number], 'assistantId'> & { assistantId: string }
const nobody = '00000000-0000-0000-0000-000000000000'

/** What models cost in these days, and what the month that runs has used of its budget. */
export const readSpending = async (actor: Actor, { from, to }: { from: string; to: string }): Promise<AiSpending> => {
  const { tenantId } = actor
  if (to < from || daysBetween(from, to) > mostDays)
    throw fieldErrors({ path: 'to', message: 'Escolha um período de até um ano.' })
  const { timezone, settings } = await getDirectory(tenantId)
  const month = monthOf(wallTimeOf(new Date(), timezone).slice(0, 10))
  return withReport(actor, async (tx) => {
    const days = await tx.rows<Days>(daysIn, [tenantId, from, to])
    const [sum] = await tx.rows<{ used: number }>(usedSince, [tenantId, month])
    const tickets = await tx.rows<AiSpending['tickets'][number]>(dearest, [tenantId, from, to, mostTickets])
    const assistants = await tx.rows<AiSpending['assistants'][number]>(assistantsIn, [
      tenantId,
      from,
      to,
      month,
      nobody,
    ])
    const accounts = await tx.rows<AiSpending['accounts'][number]>(accountsIn, [tenantId, from, to])
    return {
      days: days.map((one) => ({ ...one, assistantId: one.assistantId === nobody ? null : one.assistantId })),
      month: { from: month, costMicros: sum?.used ?? 0, budgetCents: settings.aiBudgetCents },
      tickets,
      assistants,
      accounts,
    }
  })
}
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

const daysIn: Prepared = {
  name: 'ai_days_in',
  text: `select to_char(day, 'YYYY-MM-DD') as day, purpose, assistant_id as "assistantId", integration_id as "integrationId", calls, failures,
      input_tokens as "inputTokens", output_tokens as "outputTokens", cost_micros as "costMicros"
    from ai_days where tenant_id = $1 and day between $2::date and $3::date order by day, purpose`,
}
const usedSince: Prepared = {
  name: 'ai_days_since',
  text: 'select coalesce(sum(cost_micros), 0)::bigint as used from ai_days where tenant_id = $1 and day >= $2::date',
}
const dearest: Prepared = {
  name: 'ai_dearest_tickets',
  text: `select t.id as "ticketId", t.protocol, c.name as contact, u.calls, u.cost as "costMicros" from (
      select ticket_id, count(*)::int as calls, sum(cost_micros)::bigint as cost from ai_usage
      where tenant_id = $1 and ticket_id is not null and day between $2::date and $3::date
        and created_at >= $2::date - interval '1 day' and created_at < $3::date + interval '2 days'
      group by ticket_id order by cost desc, ticket_id limit $4) u
    join tickets t on t.tenant_id = $1 and t.id = u.ticket_id join contacts c on c.tenant_id = $1 and c.id = t.contact_id
    order by u.cost desc, t.id`,
}
/** Those that are there, and those that spent in these days; the budget that holds is the published one. */
const assistantsIn: Prepared = {
  name: 'ai_assistants_in',
  text: `with spent as (
      select assistant_id as id, coalesce(sum(cost_micros) filter (where day >= $4::date), 0)::bigint as month,
        bool_or(day between $2::date and $3::date) as is_asked
      from ai_days where tenant_id = $1 and day >= least($2::date, $4::date) and assistant_id <> $5::uuid group by 1)
    select coalesce(a.id, s.id) as id, coalesce(a.name, '') as name, coalesce(s.month, 0) as "monthMicros",
      (coalesce(v.config, a.config) ->> 'budgetCents')::int as "budgetCents"
    from assistants a full join spent s on s.id = a.id and a.tenant_id = $1
    left join assistant_versions v on v.tenant_id = a.tenant_id and v.id = a.published_id
    where (a.tenant_id = $1 or a.id is null) and (a.id is not null or s.is_asked or s.month > 0)
    order by 3 desc, lower(coalesce(a.name, '')), 1`,
}
const accountsIn: Prepared = {
  name: 'ai_accounts_in',
  text: `select distinct on (d.integration_id) d.integration_id as id, coalesce(i.name, '') as name, coalesce(i.kind, u.kind) as kind
    from ai_days d left join integrations i on i.tenant_id = d.tenant_id and i.id = d.integration_id
    left join lateral (select kind from ai_usage u where u.tenant_id = d.tenant_id and u.integration_id = d.integration_id limit 1) u on i.id is null
    where d.tenant_id = $1 and d.day between $2::date and $3::date and coalesce(i.kind, u.kind) is not null`,
}

type CallRow = Omit<AiCall, 'createdAt'> & { createdAt: Date }
/** Calls to models, newest first. */
export const listCalls = async (
  { tenantId }: Actor,
  { cursor, limit = usualPage, purpose, ticketId }: z.output<typeof aiCallsQuery>,
): Promise<Page<AiCall>> => {
  const [at, id] = cursor ? readCursor(cursor, callKey) : [beyondAll.moment, beyondAll.id]
  const values = [tenantId, at, id, limit + 1, purpose ?? null, ticketId ?? null]
  const [rows = []] = await readTenant(tenantId, [newestCalls, values])
  const { items, ...page } = toPage(rows as CallRow[], limit, (row) => [row.createdAt.toISOString(), row.id])
  return { ...page, items: items.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) }
}
const callKey = z.tuple([z.iso.datetime(), z.uuid()])
const newestCalls: Prepared = {
  name: 'ai_calls_newest',
  text: `select id, kind, model, purpose, state, problem, integration_id as "integrationId", assistant_id as "assistantId",
      ticket_id as "ticketId", user_id as "userId", input_tokens as "inputTokens", output_tokens as "outputTokens",
      cost_micros as "costMicros", ms, created_at as "createdAt" from ai_usage
    where tenant_id = $1 and (created_at, id) < ($2::timestamptz, $3::uuid) and ($5::text is null or purpose = $5)
      and ($6::uuid is null or ticket_id = $6) order by created_at desc, id desc limit $4`,
}
