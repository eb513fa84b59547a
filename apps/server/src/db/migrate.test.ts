import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded.ts'
import { migrateDatabase, migrationsFolder, roleUrls } from './migrate.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'balcao-migrate-'))
const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => {} })
afterAll(async () => {
  await server.stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})
const ask = async (url: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const text of statements) ({ rows } = await client.query(text))
    return rows
  } finally {
    await client.end()
  }
}

test('an owner who is no superuser migrates, twice and by two processes at once, and the runtime roles get no more than theirs', async () => {
  await ask(server.ownerUrl, `create role dono login createrole password 'dono'`, 'create database externa owner dono')
  const url = new URL(server.ownerUrl)
  Object.assign(url, { username: 'dono', password: 'dono', pathname: '/externa' })
  const secret = 'um segredo de teste com bastante tamanho'

  await Promise.all([migrateDatabase(url.href, secret), migrateDatabase(url.href, secret)])
  await migrateDatabase(url.href, secret)

  const { appUrl, platformUrl } = roleUrls(url.href, secret)
  expect(await ask(appUrl, `set app.tenant_id = '1'`, `select * from find_contacts(null, '%', 1)`)).toEqual([])
  await expect(ask(appUrl, 'select * from contacts')).rejects.toThrow(/app\.tenant_id/)
  await expect(ask(appUrl, 'create table public.x (a int)')).rejects.toThrow(/permission denied/)
  await expect(ask(platformUrl, 'create table public.x (a int)')).rejects.toThrow(/permission denied/)
  await expect(ask(platformUrl, 'drop table contacts')).rejects.toThrow(/must be owner/)
  await ask(platformUrl, `insert into tenants (id, name) values (1, 'Loja')`)
  // A migration that changes rows changes those of every company.
  expect(await ask(url.href, `update tenants set name = 'Loja Aurora' returning name`)).toEqual([
    { name: 'Loja Aurora' },
  ])
})

test('databases of one cluster are migrated at the same moment, though they share its roles', async () => {
  const urls = await Promise.all(
    ['uma', 'duas', 'tres'].map(async (name) => {
      await ask(server.ownerUrl, `create database ${name} template template0`)
      return Object.assign(new URL(server.ownerUrl), { pathname: `/${name}` }).href
    }),
  )
  const secret = 'um segredo de teste com bastante tamanho'
  await Promise.all(urls.map((url) => migrateDatabase(url, secret)))
  for (const url of urls) {
    const { appUrl } = roleUrls(url, secret)
    expect(await ask(appUrl, `set app.tenant_id = '1'`, 'select * from contacts')).toEqual([])
  }
})

test('a process that starts neither waits for another one’s work nor stops it', async () => {
  await ask(server.ownerUrl, 'create database ocupada')
  const url = new URL(server.ownerUrl)
  url.pathname = '/ocupada'
  await migrateDatabase(url.href, 'um segredo de teste com bastante tamanho')
  const busy = new pg.Client({ connectionString: url.href })
  await busy.connect()
  try {
    const tables = await ask(url.href, `select tablename as name from pg_tables where schemaname = 'public'`)
    await busy.query('begin')
    for (const { name } of tables) await busy.query(`lock table "${name}" in row exclusive mode`)
    await migrateDatabase(url.href, 'um segredo de teste com bastante tamanho')
  } finally {
    await busy.end()
  }
})

test('a migration that finds its table in use keeps nobody else from it for longer than a second (T60)', async () => {
  await ask(server.ownerUrl, 'create database em_uso')
  const url = Object.assign(new URL(server.ownerUrl), { pathname: '/em_uso' }).href
  const secret = 'um segredo de teste com bastante tamanho'
  await migrateDatabase(url, secret)
  const report = new pg.Client({ connectionString: url })
  await report.connect()
  try {
    await report.query('begin')
    await report.query('select from messages')
    let isDone = false
    const migrating = migrateDatabase(url, secret, folderWith('alter table messages add column nova text')).then(() => {
      isDone = true
    })
    const waits: number[] = []
    const endAt = Date.now() + 4_000
    while (Date.now() < endAt) {
      const before = Date.now()
      await ask(url, 'select from messages limit 1')
      waits.push(Date.now() - before)
    }
    expect(isDone).toBe(false)
    expect(Math.max(...waits)).toBeLessThan(2_000)
    await report.query('rollback')
    await migrating
    expect(await ask(url, `select nova from messages`)).toEqual([])
  } finally {
    await report.end()
  }
})

test('a migration that fails leaves those before it, and nothing of itself', async () => {
  await ask(server.ownerUrl, 'create database quebrada')
  const url = Object.assign(new URL(server.ownerUrl), { pathname: '/quebrada' }).href
  const secret = 'um segredo de teste com bastante tamanho'
  const folder = folderWith('create table meia (a int);--> statement-breakpoint\nselect 1 / 0')
  await expect(migrateDatabase(url, secret, folder)).rejects.toThrow(/division by zero/)
  expect(
    await ask(url, `select to_regclass('meia') as table, to_regclass('messages') is not null as "isBefore"`),
  ).toEqual([{ table: null, isBefore: true }])
  await migrateDatabase(url, secret)
})

/** The migrations, and one more. */
const folderWith = (sql: string) => {
  const folder = fs.mkdtempSync(path.join(dataDir, 'migrations-'))
  fs.cpSync(migrationsFolder, folder, { recursive: true })
  const file = path.join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(fs.readFileSync(file, 'utf8'))
  journal.entries.push({ ...journal.entries.at(-1), when: Date.now() * 2, tag: '9999_nova' })
  fs.writeFileSync(file, JSON.stringify(journal))
  fs.writeFileSync(path.join(folder, '9999_nova.sql'), sql)
  return folder
}
