import { newRun } from '@balcao/contract/automation/flows/engine.ts'
import { blankGraph, blankNode, type FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import type pg from 'pg'
import { tenantId } from './seed.ts'
import { v7 } from './uuid.ts'
import type { Customer } from './webhook.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const at = { x: 0, y: 0 }
const part = (body: string) => ({ kind: 'text' as const, body, mediaId: null, interactive: null })
/** Counts what a customer says and answers each word, for ever: a question, a computed variable, a condition, two messages. */
const nodes = (body: string): FlowNode[] => [
  { ...blankNode('start', 'start', at), next: { next: 'q' } },
  { ...blankNode('ask', 'q', at), data: { ...blankNode('ask', 'q', at).data, variable: 'dito' }, next: { next: 's' } },
  { ...blankNode('set', 's', at), data: { sets: [{ name: 'n', as: 'number', value: 'n + 1' }] }, next: { next: 'c' } },
  {
    ...blankNode('condition', 'c', at),
    data: {
      branches: [{ id: 'b', label: '', match: 'all', tests: [{ on: 'variable', name: 'n', op: 'above', value: '0' }] }],
    },
    next: { b: 'm', else: 'q' },
  },
  {
    ...blankNode('message', 'm', at),
    data: { parts: [part(body), part('Escreva, ou diga “sair”.')] },
    next: { next: 'q' },
  },
]

export type Flow = { flowId: string; versionId: string }
/** A version of the flow that new conversations begin with; `body` is what it answers. */
export const publish = async (
  db: pg.Pool,
  { flowId = v7(), number = 1, body = '{{primeiro_nome}}, já são {{var.n}}. Mais alguma coisa?' } = {},
): Promise<Flow> => {
  const versionId = v7()
  const { settings } = blankGraph()
  await db.query(flowRows, [
    ...[tenantId, flowId, versionId, JSON.stringify(nodes(body)), JSON.stringify(settings), number],
  ])
  return { flowId, versionId }
}

/** These conversations are the flow's, at its question. */
export const lead = async (db: pg.Pool, { flowId, versionId }: Flow, ticketIds: string[]) => {
  const state = { ...newRun(versionId, { n: '0' }), nodeId: 'q', wait: { for: 'answer', warnAt: null, until: null } }
  await db.query(leads, [tenantId, flowId, versionId, JSON.stringify(state), ticketIds])
}

/** People with a conversation that nobody has accepted. */
export const newCustomers = async (db: pg.Pool, [like]: Customer[], count: number): Promise<Customer[]> => {
  if (!like) return []
  const given = [tenantId, count, like.connectionId]
  const { rows } = await db.query<Pick<Customer, 'number' | 'name' | 'ticketId' | 'contactId'>>(people, given)
  return rows.map((row) => ({ ...like, ...row }))
}

/** Until every word that was said has had its turn. */
export const drained = async (db: pg.Pool) => {
  const left = `select count(*)::int as count from turns where tenant_id = $1 and due_at <= now() + interval '2 minutes'`
  for (let n = 0; n < 240; n += 1) {
    const { rows } = await db.query<{ count: number }>(left, [tenantId])
    if (!rows[0]?.count) return
    await pause(500)
  }
}

/** Takes away what these measurements added. */
export const clear = async (db: pg.Pool) => {
  await db.query('update tickets set chat_flow_id = null where tenant_id = $1 and chat_flow_id is not null', [tenantId])
  await db.query('delete from turns where tenant_id = $1', [tenantId])
  await db.query('delete from chat_flow_runs where tenant_id = $1', [tenantId])
  await db.query('delete from chat_flows where tenant_id = $1', [tenantId])
  await db.query(`delete from messages where tenant_id = $1 and status = 'queued'`, [tenantId])
  const ours = `select id from contacts where tenant_id = $1 and name = 'Cliente de fluxo'`
  await db.query(`delete from messages where tenant_id = $1 and contact_id in (${ours})`, [tenantId])
  await db.query(`delete from tickets where tenant_id = $1 and contact_id in (${ours})`, [tenantId])
  await db.query(`delete from contacts where tenant_id = $1 and name = 'Cliente de fluxo'`, [tenantId])
}
const people = `with c as (
    insert into contacts (tenant_id, id, name, number)
      select $1, gen_random_uuid(), 'Cliente de fluxo', '5599' || (900000000 + n) from generate_series(1, $2::int) n returning id, number, name
  ), i as (
    insert into contact_identities (tenant_id, kind, value, contact_id) select $1, 'phone', number, id from c
  )
  insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, last_inbound_at)
    select $1, gen_random_uuid(), 'F' || c.number, 'pending', c.id, $3, now() from c
    returning id as "ticketId", contact_id as "contactId", 'Cliente de fluxo' as name, (select number from c where c.id = contact_id) as number`
const flowRows = `with flow as (
    insert into chat_flows (tenant_id, id, name, settings, published_id) values ($1, $2, 'Medição', $5::jsonb, $3)
      on conflict (tenant_id, id) do update set published_id = excluded.published_id returning id)
  insert into chat_flow_versions (tenant_id, id, flow_id, number, nodes, settings, revision)
    select $1, $3, id, $6::int, $4::jsonb, $5::jsonb, 1 from flow`
const leads = `with led as (
    update tickets set chat_flow_id = $2, chat_flow_at = now(), status = case status when 'open' then 'pending' else status end, user_id = null
    where tenant_id = $1 and id = any($5::uuid[]) returning id)
  insert into chat_flow_runs (tenant_id, id, ticket_id, flow_id, version_id, started_by, state, heard_seq)
    select $1, gen_random_uuid(), id, $2, $3, 'hand', $4::jsonb,
      coalesce((select max(seq) from messages m where m.tenant_id = $1 and m.ticket_id = led.id), 0) from led`
