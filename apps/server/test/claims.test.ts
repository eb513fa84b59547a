import pg from 'pg'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { Prepared } from '../src/db/database.ts'
import { claimWanted } from '../src/features/conversations/messages/media-fetcher.ts'
import { paces } from '../src/features/conversations/messages/pace.ts'
import { claimQueued } from '../src/features/conversations/messages/sender.queries.ts'
import { claimDue } from '../src/features/core/deliveries/deliveries.queries.ts'
import { claim as claimJournal } from '../src/features/intake/inbound/journal.ts'
import { feedable } from '../src/features/operations/audience/audience.queries.ts'
import { claimForgotten as claimOutbox } from '../src/realtime/relay.ts'
import { startTestApp } from './kit.ts'

const kit = await startTestApp()
const tenant = await kit.seedTenant()
const connectionId = await kit.createConnection(tenant)
const ticketId = await kit.createTicket(tenant, { connectionId, userId: tenant.agent.id })
const consumerId = v7()
const contactId = await kit.createContact(tenant)

const many = 5_000
const of = `${tenant.tenantId}, gen_random_uuid(), '${connectionId}'`
const message = (columns: string, values: string) => `
  insert into messages (tenant_id, id, connection_id, ticket_id, contact_id, from_me, type, status, timestamp, ${columns})
  select ${of}, '${ticketId}', '${contactId}', true, 'text', ${values} from generate_series(1, ${many}) n`

type Backlog = {
  table: string
  taken: number
  claim: Prepared
  types: string
  values: string
  fill: string
  /** Pages it may look at for each that waits. */
  most?: number
}
/** Each claim, and a backlog of it that is one conversation, one lane or one connection. */
const claims: Record<string, Backlog> = {
  journal: {
    table: 'journal',
    taken: 500,
    claim: claimJournal,
    types: 'int',
    values: '500',
    fill: `insert into journal (tenant_id, id, connection_id, event_key, conversation, payload, received_at)
      select ${of}, n::text, (n % 50)::text, '{}', now() - interval '1 hour' from generate_series(1, ${many}) n`,
  },
  deliveries: {
    table: 'deliveries',
    taken: 4,
    claim: claimDue,
    types: 'int, uuid[], int[], int[]',
    values: `50, '{}', '{}', '{}'`,
    fill: `insert into deliveries (tenant_id, consumer_id, topic, lane, is_latest_only, payload, due_at)
      select ${tenant.tenantId}, '${consumerId}', 'message.created', (n % 50)::text, false, '{}', now() - interval '1 minute' from generate_series(1, ${many}) n`,
  },
  'messages to send': {
    table: 'messages',
    taken: 1,
    claim: claimQueued,
    types: 'text, uuid[], int, jsonb, text, bool',
    values: `'me', '{}', 20, '${paces}', 'me', false`,
    fill: message('seq', `'queued', now(), n`),
    // They are passed by: none but the first two is asked whether it is the first.
    most: 2,
  },
  'files to fetch': {
    table: 'messages',
    taken: 4,
    claim: claimWanted,
    types: 'int',
    values: '4',
    fill: message('media_state', `'received', now(), 'fetching'`),
  },
  audience: {
    table: 'audience',
    // What a channel that sends eighty a second needs for the next five.
    taken: 400,
    claim: feedable,
    types: 'jsonb',
    values: `'${paces}'`,
    fill: `insert into audience (tenant_id, id, connection_id, contact_id, body, purpose, created_by, attempt_at)
      select ${of}, '${contactId}', 'Olá', 'service', '${tenant.agent.id}', 'epoch' from generate_series(1, ${many})`,
  },
  outbox: {
    table: 'outbox',
    taken: 500,
    claim: claimOutbox,
    types: 'bigint[]',
    values: `'{}'`,
    fill: `insert into outbox (tenant_id, name, payload, audience, due_at)
      select ${tenant.tenantId}, 'ticket.updated', '{}', '{"kind": "users", "userIds": []}', now() - interval '1 minute'
      from generate_series(1, ${many})`,
  },
}

const howPlanned = ['force_generic_plan', 'force_custom_plan']
const cases = Object.entries(claims).flatMap(([name, one]) => howPlanned.map((plan) => ({ name, plan, ...one })))

/** What a claim would be planned by in a quiet hour: the table is measured while nothing waits, then much comes at once. */
test.each(cases)(
  'a backlog costs a claim its walk and no more: $name, $plan',
  async ({ claim, plan, most = 10, ...one }) => {
    const db = new pg.Client({ connectionString: kit.ownerUrl })
    await db.connect()
    await db.query(`analyze ${one.table}`)
    await db.query(`set plan_cache_mode = '${plan}'`)
    await db.query('begin')
    await db.query(`insert into consumers (tenant_id, id, kind, topics, rests_until)
    values (${tenant.tenantId}, '${consumerId}', 'test', '{}', 'epoch')`)
    await db.query(`prepare claim (${one.types}) as ${claim.text}`)
    const run = async () => {
      const { rows } = await db.query(
        `explain (analyze, buffers, timing off, format json) execute claim (${one.values})`,
      )
      const [{ Plan: top }] = rows[0]['QUERY PLAN']
      return { taken: top['Actual Rows'], buffers: top['Shared Hit Blocks'] + top['Shared Read Blocks'] }
    }
    expect((await run()).taken).toBe(0)
    await db.query(one.fill)
    const { taken, buffers } = await run()
    await db.query('rollback')
    await db.end()
    expect(taken).toBe(one.taken)
    expect(buffers).toBeLessThan(most * many)
  },
)
