import { type ChildProcess, spawn } from 'node:child_process'
import { constants, createPublicKey, publicEncrypt, randomInt } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionAnswer } from '@balcao/contract/people/auth.ts'
import pg from 'pg'
import { inject } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
export const password = 'senha-de-teste-1'

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
/** Below the ports that the system hands out to whoever asks for any: nobody takes it before it is used. */
export const freePort = () =>
  until('a free port', async () => {
    const port = randomInt(20_000, 32_000)
    return (await isFree(port)) && port
  })

const asOwner = async (ownerUrl: string, statement: string) => {
  const admin = new pg.Client({ connectionString: ownerUrl })
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}

const createDatabase = async (ownerUrl: string) => {
  const name = `journey_${process.pid}_${Date.now()}`
  await asOwner(ownerUrl, `create database ${name}`)
  const url = new URL(ownerUrl)
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    drop: () => asOwner(ownerUrl, `drop database if exists ${name} with (force)`),
  }
}

/**
 * The product as a person starts it: the real process on a database of its own. `DATABASE_URL: ''` lets it bring its
 * embedded PostgreSQL.
 */
export const startServer = async (settings: Record<string, string> = {}, ownerUrl = inject('ownerUrl')) => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const database = settings.DATABASE_URL === undefined ? await createDatabase(ownerUrl) : undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-journey-data-'))
  const log = `${dataDir}.log`
  const environment = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: database?.url,
    APP_SECRET: 'segredo-das-jornadas-segredo-das-jornadas', // servers on one cluster share its roles, and so their passwords
    EGRESS_ALLOW: '127.0.0.1,localhost',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const output = () => readFileSync(log, 'utf8')
  let process_: ChildProcess | undefined
  const start = async () => {
    const file = openSync(log, 'a')
    const stdio = ['ignore', file, file] as const
    const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
      cwd: root,
      env: environment,
      stdio: [...stdio],
    })
    closeSync(file)
    process_ = child
    await until('the server is ready', async () => {
      if (child.exitCode !== null) throw new Error(`The server stopped:\n${output()}`)
      return fetch(`${url}/ready`).then(
        (reply) => reply.ok,
        () => false,
      )
    })
  }
  const end = (signal: 'SIGTERM' | 'SIGKILL') =>
    new Promise<void>((resolve) => {
      if (!process_ || process_.exitCode !== null) return resolve()
      process_.once('exit', () => resolve())
      process_.kill(signal)
    })
  await start()
  return {
    url,
    port,
    dataDir,
    databaseUrl: database?.url ?? '',
    start,
    stop: async () => {
      await end('SIGTERM')
      await database?.drop()
      for (const left of [dataDir, log]) rmSync(left, { recursive: true, force: true })
    },
    kill: () => end('SIGKILL'),
    log,
    output,
    pid: () => process_?.pid,
  }
}
export type OwnServer = Awaited<ReturnType<typeof startServer>>
/** What a journey needs of a server, whoever started it. */
export type Server = Pick<OwnServer, 'url' | 'port' | 'databaseUrl' | 'output'>

/** Waits for what a user would wait for; no fixed sleeps. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T> | T,
  timeoutMs = 60_000,
): Promise<Exclude<T, false | null | undefined>> => {
  const giveUpAt = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer as Exclude<T, false | null | undefined>
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const encrypt = async (url: string, plain: string) => {
  const key = await fetch(`${url}/api/publicEncryptionKey`).then((reply) => reply.text())
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  return publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(plain),
  ).toString('base64')
}

/** Calls the API as somebody; throws what the server said when it refuses. */
export const client = (url: string, token?: string) => {
  const call = async <T = unknown>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }
  return {
    get: <T = unknown>(path: string) => call<T>('GET', path),
    post: <T = unknown>(path: string, body: unknown = {}) => call<T>('POST', path, body),
    put: <T = unknown>(path: string, body: unknown = {}) => call<T>('PUT', path, body),
    delete: <T = unknown>(path: string) => call<T>('DELETE', path),
  }
}

export type Api = ReturnType<typeof client>

export type Login = SessionAnswer & { refreshToken: string }

/** Logs in over the API; the refresh token is what a browser would keep in its cookie. */
export const logIn = async (url: string, email: string, plain = password): Promise<Login> => {
  const reply = await fetch(`${url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: await encrypt(url, plain) }),
  })
  const answer = (await reply.json()) as SessionAnswer
  if (!reply.ok) throw new Error(`${email} cannot log in: ${JSON.stringify(answer)}`)
  return { ...answer, refreshToken: reply.headers.getSetCookie().join() }
}

/** The API as somebody who is logged in. */
export const as = (server: Server, login: Login) => client(server.url, login.token)

const superadmin = 'super@teste.local'
/** Who takes care of the whole installation. */
export const logInToPlatform = (server: Server) => logIn(server.url, superadmin)

/** First run: the one-time link makes the superadmin and the company "Loja Teste" with its administrator. */
export const setUp = async (server: Server) => {
  const tokenSetup = await until('the setup link', () => /tokenSetup=([\w-]+)/.exec(server.output())?.[1])
  const encrypted = await encrypt(server.url, password)
  await client(server.url).post('/masterkey/setup', {
    tokenSetup,
    company: 'Loja Teste',
    name: 'Superadministração',
    email: superadmin,
    password: encrypted,
    admin: { name: 'Marina Prado', email: 'marina@teste.local', password: encrypted },
  })
  const session = await logIn(server.url, 'marina@teste.local')
  return { session, api: client(server.url, session.token) }
}

/** A company more, as the platform makes it, with its administrator. */
export const foundCompany = async (server: Server) => {
  const [platform, adminPassword] = await Promise.all([logInToPlatform(server), encrypt(server.url, password)])
  const adminName = 'Marina Prado'
  const adminEmail = addressOf(adminName)
  await as(server, platform).post('/tenants', {
    name: 'Loja Teste',
    maxConnections: 100,
    adminName,
    adminEmail,
    adminPassword,
  })
  const session = await logIn(server.url, adminEmail)
  return { session, api: client(server.url, session.token) }
}

let addresses = 0
/** An e-mail address that nobody has had yet, in no company. */
export const addressOf = (name: string) => {
  addresses += 1
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\W+/g, '.')
  return `${plain}.${process.pid}.${addresses}@teste.local`
}

type NewAgent = {
  name: string
  email?: string
  queueIds?: string[]
  profile?: 'user' | 'super'
  menuPermissions?: Record<string, boolean>
}
export const createAgent = async (server: Server, adminToken: string, agent: NewAgent) => {
  const { email = addressOf(agent.name), ...fields } = agent
  const sealed = await encrypt(server.url, password)
  await client(server.url, adminToken).post('/users', { profile: 'user', ...fields, email, password: sealed })
  // Journeys that are about something else neither wait for what may be taken back nor are led on to the next one.
  return prefer(server, await logIn(server.url, email), { undoSend: false, opensNext: false })
}

/** The same person with other preferences. */
export const prefer = async (server: Server, login: Login, changes: Partial<Login['configs']>): Promise<Login> => {
  const configs = await client(server.url, login.token).put<Login['configs']>(`/users/${login.userId}/configs`, changes)
  return { ...login, configs }
}
