import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import pg from 'pg'
import { migrateDatabase } from '../apps/server/src/db/migrate.ts'
import { firstNames, lastNames } from '../apps/server/src/demo/people.ts'
import { say } from './report.ts'
import { phrases, rareWords } from './words.ts'

export const tenantId = 1
export const waba = {
  accessToken: 'bench-token-bench-token-0001',
  appSecret: 'bench-app-secret-0001',
  verifyToken: 'bench-verify',
  wabaId: '900100',
  phoneNumberId: '900200',
}
export const agents = 200

const sizeOf = (scale: number) => ({
  contacts: Math.max(400, Math.round(100_000 * scale)),
  phrases: 5_000,
  long: Math.max(2_000, Math.round(100_000 * scale)),
})

/**
 * The company the benchmark works in: 100,000 contacts with a ticket each (5 % open, 5 % pending) and 1,000,000
 * messages at scale 1, and one conversation of 100,000. Kept between runs while this file and the migrations it was made
 * with stay as they are; newer migrations are applied to it.
 */
export const seedOnce = async (options: { dir: string; ownerUrl: string; secret: string; scale: number }) => {
  const stamp = path.join(options.dir, 'seeded')
  const files = sourcesOf(options.scale)
  const kept = readIfThere(stamp).split('\n').filter(Boolean)
  const isKept = kept.length > 0 && kept.every((one) => files.includes(one))
  if (isKept && kept.length === files.length) return
  fs.rmSync(stamp, { force: true })
  if (!isKept) await emptyDatabase(options.ownerUrl)
  await migrateDatabase(options.ownerUrl, options.secret)
  if (!isKept) await seed(options)
  fs.writeFileSync(stamp, files.join('\n'))
}
const seed = async (options: { ownerUrl: string; scale: number }) => {
  const startedAt = Date.now()
  say('seeding; a few minutes, once')
  const client = new pg.Client({ connectionString: options.ownerUrl })
  await client.connect()
  try {
    for (const [label, text, values] of steps(sizeOf(options.scale))) {
      const stepAt = Date.now()
      await client.query(text, values)
      say(`  ${label} ${((Date.now() - stepAt) / 1000).toFixed(1)} s`)
    }
  } finally {
    await client.end()
  }
  say(`seeded in ${Math.round((Date.now() - startedAt) / 1000)} s`)
}

/** What the data is made by: this file at that size, and each migration. */
const sourcesOf = (scale: number): string[] => {
  const migrations = path.resolve(import.meta.dirname, '../apps/server/src/db/migrations')
  const files = fs.readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  return [import.meta.filename, ...files.map((name) => path.join(migrations, name))].map((file) =>
    createHash('sha256').update(`${scale}`).update(fs.readFileSync(file)).digest('hex'),
  )
}

const readIfThere = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')

const emptyDatabase = async (ownerUrl: string) => {
  const url = new URL(ownerUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.toString() })
  await client.connect()
  await client.query(`drop database if exists "${name}" with (force)`)
  await client.query(`create database "${name}"`)
  await client.end()
}

type Step = [label: string, text: string, values?: unknown[]]

/** Statements in order. Foreign keys rest meanwhile, and indexes are built at the end: five times faster. */
const steps = (size: { contacts: number; phrases: number; long: number }): Step[] => [
  [
    'settings',
    `set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '256MB';
     set synchronous_commit = off; select setseed(0.42)`,
  ],
  [
    'without indexes',
    `create temp table ix as select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename = any($1)
       and indexname not in (select conname from pg_constraint)`,
    [
      [
        'contacts',
        'contact_identities',
        'contact_words',
        'contact_activity',
        'contact_summary',
        'contact_facets',
        'tickets',
        'messages',
      ],
    ],
  ],
  [
    'indexes dropped',
    "do $$ declare i record; begin for i in select indexname from ix loop execute format('drop index %I', i.indexname); end loop; end $$",
  ],
  ['company', "insert into tenants (id, name) values (0, 'Plataforma'), (1, 'Empresa de medição')"],
  [
    'queues',
    `insert into queues (tenant_id, id, name, color) select 1, uuidv7(), 'Fila ' || n, '#0b7a75' from generate_series(1, 10) n;
     insert into tags (tenant_id, id, name, color) select 1, uuidv7(), 'Etiqueta ' || n, '#4f46e5' from generate_series(1, 30) n`,
  ],
  [
    'people',
    `insert into users (tenant_id, id, name, email, password_hash, profile, is_online)
       select 1, uuidv7(), ($1::text[])[1 + n % ${firstNames.length}] || ' ' || ($2::text[])[1 + n * 7 % ${lastNames.length}],
         'agente' || n || '@medicao.local', 'x', case n when 0 then 'admin' when 1 then 'super' else 'user' end, n > 1
       from generate_series(0, ${agents + 1}) n`,
    [firstNames, lastNames],
  ],
  [
    'members',
    `with u as (select id, row_number() over (order by id) as n from users where tenant_id = 1 and profile = 'user'),
       q as (select id, row_number() over (order by id) as n from queues where tenant_id = 1)
     insert into queue_members (tenant_id, user_id, queue_id)
       select 1, u.id, q.id from u join q on q.n = 1 + u.n % 10 or q.n = 1 + (u.n + 1) % 10`,
  ],
  [
    'connections',
    `insert into connections (tenant_id, id, kind, name, status, external_id, config, abilities, hook_secret, queue_id)
       select 1, uuidv7(), 'waba', 'WhatsApp ' || n, 'CONNECTED', '${waba.phoneNumberId}' || n,
         $1::jsonb || jsonb_build_object('phoneNumberId', '${waba.phoneNumberId}' || n), $2::jsonb, 'bench-hook',
         (select id from queues where tenant_id = 1 order by id limit 1)
       from generate_series(1, 3) n`,
    [JSON.stringify({ ...waba, baseUrl: 'http://127.0.0.1:9' }), JSON.stringify(abilitiesOf('waba', {}))],
  ],
  [
    'contacts',
    `create temp table c as select n, uuidv7(interval '-370 days' + interval '1 second' * n) as id from generate_series(1, ${size.contacts}) n`,
  ],
  [
    'contacts, stored',
    `insert into contacts (tenant_id, id, name, number, email, created_at)
       select 1, id, ($1::text[])[1 + floor(random() * ${firstNames.length})::int] || ' ' || ($2::text[])[1 + floor(random() * ${lastNames.length})::int]
           || ' ' || ($2::text[])[1 + floor(random() * ${lastNames.length})::int],
         '55' || (array['11', '21', '31', '41', '51', '61', '71', '81', '85', '92'])[1 + n % 10] || '9' || lpad(((70000000 + n::bigint * 7919) % 100000000)::text, 8, '0'),
         case when n % 3 = 0 then 'cliente' || n || '@exemplo.local' end, now() - interval '370 days' + interval '1 second' * n
       from c`,
    [firstNames, lastNames],
  ],
  [
    'identities, tags, owners',
    `insert into contact_identities (tenant_id, kind, value, contact_id) select 1, 'phone', number, id from contacts where tenant_id = 1;
     create temp table g as select id, row_number() over (order by id) as n from tags where tenant_id = 1;
     create temp table u as select id, row_number() over (order by id) as n from users where tenant_id = 1 and profile = 'user';
     insert into contact_tags (tenant_id, contact_id, tag_id)
       select 1, c.id, g.id from c join g on g.n = 1 + c.n * 13 % 30 or (c.n % 4 = 0 and g.n = 1 + (c.n * 17 + 3) % 30) where c.n % 2 = 0
       on conflict do nothing;
     insert into contact_wallets (tenant_id, contact_id, user_id) select 1, c.id, u.id from c join u on u.n = 1 + c.n % ${agents} where c.n % 4 = 0`,
  ],
  [
    'tickets',
    `create temp table t as
       select n, contact_id, status, created_at, created_at + lasted as updated_at, uuidv7(created_at - now()) as id
       from (select n, id as contact_id, case n % 20 when 0 then 'open' when 1 then 'pending' else 'closed' end as status,
           case when n % 20 < 2 then now() - interval '1 second' * (3600 + n % 170000) else now() - interval '3 days' - interval '1 second' * (n * 300.0) end as created_at,
           case when n % 20 < 2 then interval '1 second' * (600 + n % 2900) else interval '1 second' * (3600 + n * 7 % 90000) end as lasted
         from c) x`,
  ],
  [
    'words of contacts, what is kept beside them',
    `insert into contact_words (tenant_id, contact_id, tail, word, search, heard)
       select c.tenant_id, c.id, w.tail, w.word, c.search, month_of(t.updated_at)
       from contacts c join t on t.contact_id = c.id, words_of_contact(c.name, c.email) w where c.tenant_id = 1;
     insert into contact_activity (tenant_id, contact_id, last_message_at)
       select 1, id, now() - interval '1 minute' * (n % 5000) from c;
     insert into contact_summary (tenant_id, contact_id, tickets, last_closed_at, is_tagged, is_owned)
       select 1, c.id, 1, case when t.status = 'closed' then t.updated_at else 'epoch' end, c.n % 2 = 0, c.n % 4 = 0
       from c join t on t.contact_id = c.id;
     insert into contact_facets (tenant_id, contact_id, facets) select c.tenant_id, c.id, f.facets from contacts c, facets_of_contact(c) f where c.tenant_id = 1`,
  ],
  [
    'phrases',
    'create temp table p as select (ord - 1)::int as n, text from unnest($1::text[]) with ordinality x(text, ord)',
    [phrases(size.phrases)],
  ],
  [
    'messages',
    `create temp table m as
       select t.n, k, k = total as is_last, t.created_at + (t.updated_at - t.created_at) * (k::float / total) as at, k % 2 = 0 as from_me,
         p1.text || ' ' || p2.text || case when x.serial % 1000 = 0 then ' ' || ($1::text[])[1 + (x.serial / 1000) % ${rareWords.length}] else '' end as body
       from (select t.n, t.total, k, row_number() over () as serial, floor(random() * ${size.phrases})::int as a, floor(random() * ${size.phrases})::int as b
         from (select n, case status when 'open' then 60 when 'pending' then 20 else 6 + least(n % 3, 1) end as total from t) t,
           lateral generate_series(1, t.total) k) x
       join t on t.n = x.n join p p1 on p1.n = x.a join p p2 on p2.n = x.b`,
    [rareWords],
  ],
  [
    'tickets, stored',
    `create temp table q as select id, row_number() over (order by id) as n from queues where tenant_id = 1;
     create temp table w as select id, row_number() over (order by id) as n from connections where tenant_id = 1;
     insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, queue_id, user_id, unread_messages, answered,
         last_message, last_message_at, last_inbound_at, waiting_since, started_at, closed_at, created_at, updated_at)
       select 1, t.id, to_char(t.created_at, 'YYYYMMDD') || lpad(t.n::text, 8, '0'), t.status, t.contact_id, w.id, q.id,
         case when t.status <> 'pending' then u.id end, case when t.status = 'closed' then 0 else t.n / 20 % 4 end, m.from_me, m.body, t.updated_at, t.updated_at,
         case when t.status <> 'closed' and not m.from_me then t.updated_at end, case when t.status <> 'pending' then t.created_at + interval '5 minutes' end,
         case when t.status = 'closed' then t.updated_at end, t.created_at, t.updated_at
       from t join q on q.n = 1 + t.n / 20 % 10 join w on w.n = 1 + t.n / 200 % 3 join m on m.n = t.n and m.is_last
         join lateral (select id from u where u.n % 10 = (q.n + 9) % 10 order by u.n offset (t.n / 200 % 20) limit 1) u on true
       order by t.created_at;
     insert into ticket_tags (tenant_id, ticket_id, tag_id)
       select 1, t.id, g.id from t join g on g.n = 1 + t.n * 7 % 30 or (t.n % 5 = 0 and g.n = 1 + (t.n * 11 + 1) % 30) where t.n % 2 = 0 on conflict do nothing;
     insert into ticket_logs (tenant_id, id, ticket_id, type, created_at) select 1, uuidv7(created_at - now()), id, 'create', created_at from t order by created_at`,
  ],
  [
    'messages, stored',
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, provider_id, user_id, timestamp, created_at)
       select 1, uuidv7(m.at - now()), t.id, t.contact_id, t.connection_id, m.from_me, 'text', m.body, case when m.from_me then 'read' else 'received' end,
         'wamid.seed' || m.n || '.' || m.k, case when m.from_me then t.user_id end, m.at, m.at
       from m join t s on s.n = m.n join tickets t on t.tenant_id = 1 and t.id = s.id order by m.at`,
  ],
  [
    'a conversation of years',
    `with long as (select t.* from tickets t where t.tenant_id = 1 and t.status = 'open' order by t.id limit 1)
     insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, provider_id, user_id, timestamp, created_at)
       select 1, uuidv7(x.at - now()), l.id, l.contact_id, l.connection_id, k % 2 = 0, 'text',
         p1.text || ' ' || p2.text,
         case when k % 2 = 0 then 'read' else 'received' end, 'wamid.long.' || k, case when k % 2 = 0 then l.user_id end, x.at, x.at
       from long l, generate_series(1, $2::int) k, p p1, p p2, lateral (select l.updated_at - interval '2 minutes' * ($2 - k) as at) x
         where p1.n = k * 7 % $1 and p2.n = k * 13 % $1 order by k`,
    [size.phrases, size.long],
  ],
  [
    'indexes',
    'do $$ declare i record; begin for i in select indexdef from ix loop execute i.indexdef; end loop; end $$',
  ],
  ['statistics', 'vacuum (analyze)'],
  ['checkpoint', 'checkpoint'],
]
