import { type ChildProcess, spawn } from 'node:child_process'
import { constants, createPublicKey, publicEncrypt, randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionAnswer } from '@balcao/contract/people/auth.ts'
import chromium from '@sparticuz/chromium'
import pg from 'pg'
import { type Browser, type Locator, type Page, chromium as playwright } from 'playwright-core'
import { afterEach, inject } from 'vitest'
import { sessionEntries } from '../apps/web/src/kit/session.ts'

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

const asOwner = async (statement: string) => {
  const admin = new pg.Client({ connectionString: inject('ownerUrl') })
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}

const createDatabase = async () => {
  const name = `journey_${process.pid}_${Date.now()}`
  await asOwner(`create database ${name}`)
  const url = new URL(inject('ownerUrl'))
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    drop: () => asOwner(`drop database if exists ${name} with (force)`),
  }
}

/**
 * The product as a person starts it: the real process on a database of its own. `DATABASE_URL: ''` lets it bring its
 * embedded PostgreSQL.
 */
export const startServer = async (settings: Record<string, string> = {}) => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const database = settings.DATABASE_URL === undefined ? await createDatabase() : undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-journey-data-'))
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
  let process_: ChildProcess | undefined
  let output = ''
  const start = async () => {
    const child = spawn(process.execPath, ['apps/server/dist/main.js'], { cwd: root, env: environment })
    process_ = child
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    await until('the server is ready', async () => {
      if (child.exitCode !== null) throw new Error(`The server stopped:\n${output}`)
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
      rmSync(dataDir, { recursive: true, force: true })
    },
    kill: () => end('SIGKILL'),
    output: () => output,
    pid: () => process_?.pid,
  }
}
export type Server = Awaited<ReturnType<typeof startServer>>

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

/** First run: the one-time link makes the superadmin and the company "Loja Teste" with its administrator. */
export const setUp = async (server: Server) => {
  const tokenSetup = await until('the setup link', () => /tokenSetup=([\w-]+)/.exec(server.output())?.[1])
  const encrypted = await encrypt(server.url, password)
  await client(server.url).post('/masterkey/setup', {
    tokenSetup,
    company: 'Loja Teste',
    name: 'Superadministração',
    email: 'super@teste.local',
    password: encrypted,
    admin: { name: 'Marina Prado', email: 'marina@teste.local', password: encrypted },
  })
  const session = await logIn(server.url, 'marina@teste.local')
  return { session, api: client(server.url, session.token) }
}

type NewAgent = {
  name: string
  email: string
  queueIds?: string[]
  profile?: 'user' | 'super'
  menuPermissions?: Record<string, boolean>
}
export const createAgent = async (server: Server, adminToken: string, agent: NewAgent) => {
  const sealed = await encrypt(server.url, password)
  await client(server.url, adminToken).post('/users', { profile: 'user', ...agent, password: sealed })
  // Journeys that are about something else neither wait for what may be taken back nor are led on to the next one.
  return prefer(server, await logIn(server.url, agent.email), { undoSend: false, opensNext: false })
}

/** The same person with other preferences. */
export const prefer = async (server: Server, login: Login, changes: Partial<Login['configs']>): Promise<Login> => {
  const configs = await client(server.url, login.token).put<Login['configs']>(`/users/${login.userId}/configs`, changes)
  return { ...login, configs }
}

/**
 * Chromium from npm, without that package's own flags: they put everything in one process, which dies with its second
 * window, and turn off the very security of the web that the journeys rely on.
 */
export const openBrowser = async (more: readonly string[] = []): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-domain-reliability', '--no-pings', ...more],
    headless: true,
  })

const desktop = { width: 1440, height: 900 }
/** Longer than a person would wait: a shared machine may stand still for many seconds. */
const patienceMs = 45_000
/** Without motion: what has been closed is gone at once, and nothing moves away from under the mouse. */
const person = { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' } as const

/** A browser window of nobody in particular. */
export const openWindow = async (browser: Browser, url: string, viewport = desktop): Promise<Page> => {
  const context = await browser.newContext({ viewport, ...person })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** A browser window in which somebody is already logged in, as if they had come back the next morning. */
export const openAs = async (
  browser: Browser,
  url: string,
  login: Login,
  path: string,
  viewport = desktop,
): Promise<Page> => {
  const { refreshToken, ...session } = login
  const context = await browser.newContext({ viewport, ...person })
  context.setDefaultTimeout(patienceMs)
  const kept = refreshToken.matchAll(/(?:^|,)(?<name>[^=;,]+)=(?<value>[^;]*);[^,]*Path=(?<path>[^;,]*)/g)
  const cookies = [...kept].map(({ groups: { name = '', value = '', path: under = '/' } = {} }) => ({
    name,
    value,
    path: under,
  }))
  await context.addCookies(cookies.map((one) => ({ ...one, domain: 'localhost', httpOnly: true, sameSite: 'Lax' })))
  await context.addInitScript((entries: Record<string, string>) => {
    if (sessionStorage.getItem('journey') !== null) return // once: a reload finds what the product left
    sessionStorage.setItem('journey', '')
    for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text)
  }, sessionEntries(session))
  const page = await context.newPage()
  await page.goto(`${url}${path}`)
  return page
}

/** What a toast says, whatever else is on the screen. */
export const toast = (page: Page, text: string) => page.getByLabel('Avisos').getByText(text)

export const hasFocus = (one: Locator) =>
  one.evaluateAll((elements) => elements.some((element) => element === document.activeElement))

/** The choice that Enter takes. */
export const marked = (within: Locator, name: string) =>
  within.locator('[role=option][data-combobox-selected]').filter({ hasText: name })

/** By the arrows to an item of the menu that has just been opened. */
export const arrowTo = (page: Page, item: Locator) =>
  until('the arrows reach it', async () => {
    if (await hasFocus(item)) return true
    if (await hasFocus(page.getByRole('menu').locator(':focus'))) await page.keyboard.press('ArrowDown')
    return false
  })

/** Turns the wheel once; the next look finds the screen where it led. */
export const wheel = async (page: Page, pixels: number) => {
  await page.mouse.wheel(0, pixels)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/** Ends every journey with no window left open; of a failed one, with a picture of what each showed and the server's log. */
export const closeWindows = (browser: () => Browser | undefined, server: () => Server | undefined) =>
  afterEach(async ({ task }) => {
    const contexts = browser()?.contexts() ?? []
    const pages = contexts.flatMap((context) => context.pages())
    if (task.result?.state === 'fail') {
      const folder = join(tmpdir(), 'balcao-journeys')
      mkdirSync(folder, { recursive: true })
      for (const [n, page] of pages.entries()) {
        const path = join(folder, `${task.name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}-${n}.png`)
        await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined) // a window may be past drawing
        console.log(`${page.url()} → ${path}`)
      }
      console.log(server()?.output().slice(-3_000))
    }
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' }))) // a request may be on its way
    await Promise.all(contexts.map((context) => context.close()))
  })
