import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { keepFileUses } from './file-uses.ts'

export const appRole = 'balcao_app'
export const platformRole = 'balcao_platform'
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
const lockKey = 7_220_001

/** Addresses of the two runtime roles on the database of `ownerUrl`; passwords follow from the installation's secret. */
export const roleUrls = (ownerUrl: string, secret: string) => {
  const as = (role: string) => {
    const url = new URL(ownerUrl)
    url.username = role
    url.password = passwordOf(role, secret)
    return url.toString()
  }
  return { appUrl: as(appRole), platformUrl: as(platformRole) }
}
const passwordOf = (role: string, secret: string) =>
  createHmac('sha256', secret).update(`postgres:${role}`).digest('hex')

/**
 * Brings the database to the present: roles, extensions, migrations, policies, grants. Safe to run from many
 * processes at once (advisory lock) and again (everything is idempotent).
 */
export const migrateDatabase = async (ownerUrl: string, secret: string, folder = migrationsFolder) => {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await prepareRoles(client, secret)
    await client.query(`set lock_timeout = ${longestWaitMs}`)
    await migrateTables(client, folder)
    await whenFree(client, () => client.query(secure))
    await whenFree(client, () => client.query(keepFileUses))
  } finally {
    await client.end()
  }
}

/** As drizzle-kit keeps them, but each in a transaction of its own: no table is kept from others until the last is done. */
const migrateTables = async (client: pg.Client, migrationsFolder: string) => {
  await client.query('create schema if not exists drizzle')
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  const { rows } = await client.query<{ last: string | null }>(
    'select max(created_at) as last from drizzle.__drizzle_migrations',
  )
  const last = Number(rows[0]?.last ?? 0)
  for (const { sql, hash, folderMillis } of readMigrationFiles({ migrationsFolder })) {
    if (folderMillis <= last) continue
    await whenFree(client, async () => {
      for (const statement of sql) await client.query(statement)
      await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
        hash,
        folderMillis,
      ])
    })
  }
}

/**
 * The version before is at work meanwhile. Whoever waits for a table that is in use, by a long report for one, makes
 * everybody who comes after wait as well: so nothing here waits longer than this, and what found no room goes again.
 */
const longestWaitMs = 1_000
const mostTries = 150
const whenFree = async (client: pg.Client, work: () => Promise<unknown>, triesLeft = mostTries): Promise<void> => {
  try {
    await client.query('begin')
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if (!(error instanceof pg.DatabaseError && error.code === lockNotAvailable) || triesLeft === 0) throw error
    await sleep(longestWaitMs)
    await whenFree(client, work, triesLeft - 1)
  }
}
const lockNotAvailable = '55P03'

/** The databases of one cluster share its roles, and no lock reaches across them: who meets another goes again. */
const prepareRoles = async (client: pg.Client, secret: string, attemptsLeft = 5): Promise<void> => {
  try {
    await client.query(prepare(secret))
  } catch (error) {
    const isMeeting =
      error instanceof Error && /tuple concurrently updated|pg_authid|already exists/.test(error.message)
    if (!isMeeting || attemptsLeft === 0) throw error
    await sleep(100 * Math.random())
    await prepareRoles(client, secret, attemptsLeft - 1)
  }
}

export const prepare = (secret: string) => `
  create extension if not exists pg_trgm;
  create extension if not exists unaccent;
  create extension if not exists btree_gin;
  -- PL/pgSQL costs half of SQL here: unaccent is only stable, so an immutable function around it is never inlined.
  create or replace function norm(value text) returns text language plpgsql immutable parallel safe strict
    as $$ begin return lower(public.unaccent('public.unaccent', value)); end $$;
  -- Where the server has pgvector it compares embeddings, some twenty times faster than SQL does. A server may get it later.
  do $$ begin
    if exists (select from pg_available_extensions where name = 'vector') then create extension if not exists vector; end if;
  exception when insufficient_privilege then null;
  end $$;
  do $$ begin
    if exists (select from pg_extension where extname = 'vector') then
      create or replace function cosine_similarity(a real[], b real[]) returns float8 language sql immutable parallel safe
        as 'select case when cardinality(a) = cardinality(b) then nullif(1 - (a::vector <=> b::vector), ''NaN'') end';
    else
      create or replace function cosine_similarity(a real[], b real[]) returns float8 language sql immutable parallel safe
        as 'select case when cardinality(a) = cardinality(b) then
          (select sum(x * y) / nullif(sqrt(sum(x * x) * sum(y * y)), 0) from unnest(a, b) as pair(x, y)) end';
    end if;
  end $$;
  do $$ begin
    if not exists (select from pg_roles where rolname = '${appRole}') then create role ${appRole} login; end if;
    if not exists (select from pg_roles where rolname = '${platformRole}') then create role ${platformRole} login; end if;
  end $$;
  alter role ${appRole} password '${passwordOf(appRole, secret)}';
  alter role ${platformRole} password '${passwordOf(platformRole, secret)}';
  -- What is running, and how far a replica is behind, is told to whoever runs the platform; an owner who may not give that
  -- leaves them with the statements of their own role.
  do $$ begin
    if not pg_has_role('${platformRole}', 'pg_read_all_stats', 'member') then grant pg_read_all_stats to ${platformRole}; end if;
  exception when insufficient_privilege or unique_violation then null;
  end $$;
  -- An owner who is no superuser gives the functions of search to the platform role, and works across companies by it.
  do $$ begin
    if not (select rolsuper from pg_roles where rolname = current_user) then
      grant ${platformRole} to current_user;
      grant create on schema public to ${platformRole};
    end if;
  end $$;
`

/**
 * Every table with a tenant_id is locked the same way; a new one needs nothing. What is as it should be is not altered:
 * that would stop, or end in a deadlock with, another process at work.
 */
const secure = `
  do $$ declare t record; begin
    for t in select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as is_forced from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
    loop
      if not t.is_forced then
        execute format('alter table %I enable row level security', t.name);
        execute format('alter table %I force row level security', t.name);
      end if;
      continue when t.name = 'tenants';
      if not exists (select from pg_policies where schemaname = 'public' and tablename = t.name and policyname = 'tenant_only') then
        execute format('create policy tenant_only on %I to ${appRole} using (tenant_id = current_setting(''app.tenant_id'')::int) with check (tenant_id = current_setting(''app.tenant_id'')::int)', t.name);
      end if;
      if not exists (select from pg_policies where schemaname = 'public' and tablename = t.name and policyname = 'platform_all') then
        execute format('create policy platform_all on %I to ${platformRole} using (true) with check (true)', t.name);
      end if;
      execute format('grant select, insert, update, delete on %I to ${appRole}', t.name);
    end loop;
    execute format('grant create, connect on database %I to ${platformRole}', current_database());
    -- The role may be gone or new: the tenant's own row is readable and nothing else of the platform is.
    if not exists (select from pg_policies where tablename = 'tenants' and policyname = 'tenant_only') then
      create policy tenant_only on tenants to ${appRole} using (id = current_setting('app.tenant_id')::int) with check (id = current_setting('app.tenant_id')::int);
    end if;
    if not exists (select from pg_policies where tablename = 'tenants' and policyname = 'platform_all') then
      create policy platform_all on tenants to ${platformRole} using (true) with check (true);
    end if;
    grant select, update on tenants to ${appRole};
    revoke create on schema public from ${platformRole};
    grant usage on all sequences in schema public to ${appRole}, ${platformRole};
    grant select, insert, update, delete on all tables in schema public to ${platformRole};
  end $$;
`
