import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded.ts'

let dataDir: string
const options = () => ({ dataDir, settings: { fsync: 'off' }, log: () => {} })
const postmasterFile = () => path.join(dataDir, 'postgres', 'pgdata', 'postmaster.pid')
const postmasterPid = () => Number(fs.readFileSync(postmasterFile(), 'utf8').split('\n')[0])

beforeAll(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'balcao-embedded-'))
})

afterAll(async () => {
  await stopEmbeddedPostgres(dataDir)
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test('starts with the extensions we need and understands accented text', async () => {
  const database = await startEmbeddedPostgres(options())
  onTestFinished(() => database.stop())

  const sql = `create extension pg_trgm; create extension unaccent; create extension btree_gin;
    create table kept as select unaccent(lower('AÇÃO')) as word, cardinality(show_trgm('ção')) as trigrams`
  await query(database.ownerUrl, sql)

  expect(await query(database.ownerUrl, 'select * from kept')).toEqual([{ word: 'acao', trigrams: 4 }])
  expect(fs.statSync(path.join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600)
})

test('keeps its data and its address over a restart, and stops when its last user leaves', async () => {
  const first = await startEmbeddedPostgres(options())
  const second = await otherProcess()
  expect(second.ownerUrl).toBe(first.ownerUrl)

  await first.stop()
  expect(await query(second.ownerUrl, 'select word from kept')).toEqual([{ word: 'acao' }])

  await second.end('SIGTERM')
  expect(fs.existsSync(postmasterFile())).toBe(false)
})

test('joins the database of a killed process, and stops it', async () => {
  const killed = await otherProcess()
  await killed.end('SIGKILL')

  const heir = await startEmbeddedPostgres(options())
  expect(heir.ownerUrl).toBe(killed.ownerUrl)
  await heir.stop()
  expect(fs.existsSync(postmasterFile())).toBe(false)
})

test('starts over the files of a crashed server, though its pid is a stranger’s by now', async () => {
  const home = path.join(dataDir, 'postgres')
  const { uid, gid } = fs.statSync(path.join(home, 'pgdata'))
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/', stdio: 'ignore' })
  onTestFinished(() => void stranger.kill())
  const port = fs.readFileSync(path.join(home, 'port'), 'utf8')
  fs.writeFileSync(postmasterFile(), `${stranger.pid}\n/elsewhere\n1\n5432\n\n127.0.0.1\n0 0\nready\n`)
  fs.writeFileSync(path.join(home, 'pgdata', `.s.PGSQL.${port}.lock`), `${stranger.pid}\n`)

  const database = await startEmbeddedPostgres(options())
  onTestFinished(() => database.stop())

  expect(await query(database.ownerUrl, 'select word from kept')).toEqual([{ word: 'acao' }])
})

test.runIf(process.platform === 'linux')(
  'is reached by its socket, and by the network where its folder is too deep',
  async () => {
    const hostOf = async (folder: string) => {
      const database = await startEmbeddedPostgres({ ...options(), dataDir: folder })
      try {
        await query(database.ownerUrl, 'select 1')
      } finally {
        await database.stop()
      }
      return decodeURIComponent(new URL(database.ownerUrl).hostname)
    }
    expect(await hostOf(dataDir)).toBe(path.join(dataDir, 'postgres', 'pgdata'))
    expect(await hostOf(path.join(dataDir, 'x'.repeat(100)))).toBe('127.0.0.1')
  },
)

test('starts a killed server again at the same address', async () => {
  const database = await startEmbeddedPostgres(options())
  onTestFinished(() => database.stop())

  process.kill(postmasterPid(), 'SIGKILL')

  const ask = () => query(database.ownerUrl, 'select word from kept')
  await expect.poll(() => ask().catch(() => undefined), { timeout: 15_000 }).toEqual([{ word: 'acao' }])
})

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const result = await client.query(sql)
    return result.rows
  } finally {
    await client.end()
  }
}

/** Another Node process on the same folder; SIGTERM ends it in good order. */
async function otherProcess() {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
    const database = await startEmbeddedPostgres({ ...${JSON.stringify(options())}, log() {} })
    process.once('SIGTERM', () => database.stop().then(() => process.exit()))
    console.log(database.ownerUrl)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout, 'data')
  return {
    ownerUrl: String(output).trim(),
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}
