import pg from 'pg'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/kit.ts'
import { roleUrls } from './migrate.ts'

const { ownerUrl, seedTenant, createContact, createConnection, createTicket, schema, withTenant, withPlatform } =
  await startTestApp()

const asOwner = async <Row extends object>(text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<Row>(text)
  await client.end()
  return rows
}

/** Looked up before the tenant is known, so unique across companies. */
const installationWide = ['users_email', 'connections_external', 'connections_channel_key', 'consumers_endpoint']
/** What is due, of all companies at once: the loop's question, asked every second. */
const acrossTenants = [
  'assistants_evaluate',
  'bulk_jobs_todo',
  'calendar_syncs_due',
  'campaigns_due',
  'chat_flow_calls_due',
  'contact_imports_old',
  'deliveries_due',
  'file_uses_ending',
  'funnel_action_runs_waiting',
  'group_logs_due',
  'groups_to_ask',
  'knowledge_sources_due',
  'mails_due',
  'message_streams_due',
  'messages_sending',
  'outbox_due',
  'pictures_due',
  'pipeline_actions_due',
  'report_views_due',
  'schedules_waiting',
  'ticket_actions_due',
  'ticket_undos_due',
  'tickets_to_wake',
  'turns_due',
]
/** Its numbers are each of one company, and what reads it (`contacts_with`) asks for the company besides. */
const numberedByCompany = ['contact_facets_all']
/** Lists of the platform's own people, over every company. */
const ofThePlatform = ['connections_of_all', 'mails_of_all']

test('every table with a tenant has forced row-level security and both policies', async () => {
  const open = await asOwner(`
    select c.relname from pg_class c join information_schema.columns i on i.table_name = c.relname and i.table_schema = 'public'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and i.column_name = 'tenant_id'
      and (not c.relrowsecurity or not c.relforcerowsecurity
        or (select count(*) from pg_policies p where p.tablename = c.relname and p.policyname in ('tenant_only', 'platform_all')) <> 2)`)
  expect(open).toEqual([])
})

test('every key and index of tenant data begins with the tenant', async () => {
  const odd = await asOwner<{ name: string }>(`
    select x.relname as name from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = t.oid and a.attname = 'tenant_id'
    where t.relnamespace = 'public'::regnamespace and i.indkey[0] <> a.attnum`)
  const known = [...installationWide, ...acrossTenants, ...numberedByCompany, ...ofThePlatform]
  expect(odd.map((row) => row.name).sort()).toEqual(known.sort())
  const loose = await asOwner(`
    select k.conname from pg_constraint k join pg_class t on t.oid = k.conrelid
    join pg_attribute a on a.attrelid = t.oid and a.attname = 'tenant_id'
    where k.contype = 'f' and k.conkey[1] <> a.attnum`)
  expect(loose).toEqual([])
})

test('the runtime role owns nothing, bypasses nothing and reads only its tenant of the platform', async () => {
  const [role] = await asOwner<{ super: boolean; bypass: boolean; owned: string }>(`
    select rolsuper as super, rolbypassrls as bypass, (select count(*) from pg_class where relowner = r.oid) as owned
    from pg_roles r where rolname = 'balcao_app'`)
  expect(role).toEqual({ super: false, bypass: false, owned: 0 })
})

test('as the runtime role: another tenant cannot be read, written or referred to, and no setting means no rows', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  const contactOfB = await createContact(b)
  const connectionOfA = await createConnection(a)

  const seen = await withTenant(a.tenantId, (tx) => tx.db.select().from(schema.contacts))
  expect(seen).toEqual([])
  const changed = await withTenant(a.tenantId, (tx) => tx.db.update(schema.contacts).set({ name: 'x' }).returning())
  expect(changed).toEqual([])
  await expect(
    withTenant(a.tenantId, (tx) => tx.db.insert(schema.contacts).values({ tenantId: b.tenantId, name: 'Intruso' })),
  ).rejects.toThrow()
  await expect(createTicket(a, { contactId: contactOfB, connectionId: connectionOfA })).rejects.toThrow()

  const bare = new pg.Client({ connectionString: roleUrls(ownerUrl, process.env.APP_SECRET ?? '').appUrl })
  await bare.connect()
  await expect(bare.query('select * from contacts')).rejects.toThrow(/app\.tenant_id/)
  await expect(bare.query('select * from one_time_tokens')).rejects.toThrow(/permission denied/)
  await expect(bare.query('set role balcao_platform')).rejects.toThrow(/permission denied/)
  await bare.end()

  const all = await withPlatform('test', (tx) => tx.db.select().from(schema.contacts))
  expect(all).toHaveLength(1)
})
