import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded.ts'
import { migrateDatabase, roleUrls } from './migrate.ts'

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
