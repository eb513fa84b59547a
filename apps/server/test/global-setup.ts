import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import { secret } from './secret.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection, from which suites make their own databases. */
    ownerUrl: string
    /** The migrated database that they are copies of. */
    template: string
  }
}

/** One PostgreSQL for the whole run, thrown away at its end; `TEST_DATABASE_URL` gives another. */
export default async function setup({ provide, vitest }: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  const own = given ? undefined : await startDatabase()
  const ownerUrl = own?.ownerUrl ?? given ?? ''
  provide('ownerUrl', ownerUrl)
  if (vitest.projects.some(({ name }) => name === 'shared' || name === 'unit'))
    provide('template', await migrateTemplate(ownerUrl))
  return own?.stop
}

const startDatabase = async () => {
  const dataDir = fs.mkdtempSync(path.join(roomiestFolder(), 'balcao-test-'))
  tidyUpAfterDeath(dataDir)
  const { ownerUrl, stop } = await startEmbeddedPostgres({
    dataDir,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_wal_size: '256MB',
      max_connections: '200',
    },
    log: () => {},
  })
  return {
    ownerUrl,
    stop: async () => {
      await stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** In memory where there is room: each file's database is a thousand small files, made and thrown away. */
const roomiestFolder = () => {
  const inMemory = '/dev/shm'
  if (!fs.existsSync(inMemory) || process.availableMemory() < 6 * gigabyte) return os.tmpdir()
  const { bavail, bsize } = fs.statfsSync(inMemory)
  return bavail * bsize > 3 * gigabyte ? inMemory : os.tmpdir()
}
const gigabyte = 2 ** 30

const migrateTemplate = async (ownerUrl: string) => {
  const template = 'balcao_template'
  const admin = new pg.Client({ connectionString: ownerUrl })
  await admin.connect()
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
  if (!rowCount) await admin.query(`create database ${template}`)
  await admin.end()
  const url = new URL(ownerUrl)
  url.pathname = `/${template}`
  await migrateDatabase(url.toString(), secret)
  return template
}

/** A run that is killed cannot tidy up: a bystander notices by the end of its input, and does. */
function tidyUpAfterDeath(dataDir: string) {
  const script = `
    import fs from 'node:fs'
    import { stopEmbeddedPostgres } from ${JSON.stringify(new URL('../src/db/embedded.ts', import.meta.url).href)}
    process.stdin.resume().once('end', async () => {
      await stopEmbeddedPostgres(${JSON.stringify(dataDir)})
      fs.rmSync(${JSON.stringify(dataDir)}, { recursive: true, force: true })
    })`
  spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  }).unref()
}
