import type {
  AssistantAccounts,
  AssistantRun,
  TicketAssistants,
} from '@balcao/contract/automation/assistants/assistants.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { assistantsFor, getDirectory } from '../../core/directory/directory.ts'
import { botOfKind } from './assistants.rows.ts'

/** What assistants did in a conversation this person sees, newest first. */
export const readRuns = (actor: Actor, ticketId: string): Promise<AssistantRun[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisibleTicket(tx, actor, ticketId)
    type Row = Omit<AssistantRun, 'startedAt' | 'endedAt'> & { startedAt: Date; endedAt: Date | null }
    const rows = await tx.rows<Row>(runs, [tx.tenantId, ticketId])
    return rows.map((row) => ({
      ...row,
      startedAt: row.startedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    }))
  })

/** Who may answer this conversation by itself. */
export const readAssistants = async (actor: Actor, ticketId: string): Promise<TicketAssistants> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const ticket = await getVisibleTicket(tx, actor, ticketId)
    const here = assistantsFor(directory, {
      ...{ connectionId: ticket.whatsappId, queueId: ticket.queueId, wallets: ticket.contact.wallets },
    })
    const [session] = await tx.rows<{ assistantId: string | null }>(sessionOf, [tx.tenantId, ticketId])
    const those = here.filter(({ bot }) => bot === ticket.bot)
    const answering = those.find(({ id }) => id === session?.assistantId) ?? those[0]
    return {
      items: here.flatMap(({ id, name, bot }) => (bot ? { id, name, bot, isAnswering: id === answering?.id } : [])),
    }
  })
}

/** What assistants remember of these conversations, but for who answers: how many had something to forget. */
export const forgetTalks = async (tx: Tx, ticketIds: readonly string[]): Promise<number> =>
  (await tx.rows(forget, [tx.tenantId, ticketIds])).length

const sessionOf: Prepared = {
  name: 'assistant_of_ticket',
  text: 'select assistant_id as "assistantId" from assistant_sessions where tenant_id = $1 and ticket_id = $2',
}
const forget: Prepared = {
  name: 'assistant_sessions_forget',
  text: `insert into assistant_sessions as s (tenant_id, ticket_id, from_seq, heard_seq)
    select $1, t, coalesce(m.seq, 0), coalesce(m.seq, 0) from unnest($2::uuid[]) t
      left join lateral (select seq from messages where tenant_id = $1 and ticket_id = t order by seq desc limit 1) m on true
    on conflict (tenant_id, ticket_id) do update set from_seq = excluded.from_seq, turns = 0, bot_session = null,
      vars = '{}', pending = null
    where s.from_seq < excluded.from_seq or s.bot_session is not null or s.pending is not null
    returning ticket_id`,
}
const runs: Prepared = {
  name: 'assistant_runs_of_ticket',
  text: `select r.id, jsonb_build_object('id', a.id, 'name', a.name) as assistant, v.number as version,
      r.created_at as "startedAt", r.ended_at as "endedAt", r.asked, r.answer, r.outcome, r.hand_over as "handOver", r.passages, r.steps,
      r.cost_micros::float8 as "costMicros", r.ms, r.problem
    from assistant_runs r join assistants a on a.tenant_id = r.tenant_id and a.id = r.assistant_id
      join assistant_versions v on v.tenant_id = r.tenant_id and v.id = r.version_id
    where r.tenant_id = $1 and r.ticket_id = $2 order by r.created_at desc, r.id desc limit 50`,
}

/** Accounts that can answer, models and bots, and calendars, in the order they were added. */
export const readAccounts = (actor: Actor): Promise<AssistantAccounts> =>
  withTenant(actor.tenantId, async (tx) => {
    type Row = { id: string; name: string; kind: string; family: string; embeds: boolean }
    const rows = await tx.rows<Row>(accounts, [tx.tenantId])
    const of = (wanted: string) => rows.filter(({ family }) => family === wanted)
    return {
      items: of('assistant').map(({ id, name, kind }) => ({ id, name, kind, bot: botOfKind(kind) })),
      embedders: rows.filter(({ embeds }) => embeds).map(({ id, name }) => ({ id, name })),
      calendars: of('calendar').map(({ id, name }) => ({ id, name })),
    }
  })
const accounts: Prepared = {
  name: 'assistant_accounts',
  text: `select id, name, kind, family, coalesce(config ->> 'embeddingModel', '') <> '' as embeds from integrations
    where tenant_id = $1 and family in ('assistant', 'calendar') order by created_at, id`,
}
