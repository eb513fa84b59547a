import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../test/kit.ts'
import { sealFor } from '../test/sealed.ts'

const { ownerUrl, withPlatform, schema } = await startTestApp()
const main = fileURLToPath(new URL('./main.ts', import.meta.url))

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})
/** A server of its own process; resolves once it says where it listens. */
const open = async () => {
  const env = {
    ...process.env,
    DATABASE_URL: ownerUrl,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'balcao-start-')),
    PORT: '0',
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  let said = ''
  for await (const chunk of child.stdout) {
    said += chunk
    const port = /aberto em http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
    if (port) return { child, port: Number(port) }
  }
  throw new Error(`It ended before it opened: ${said}`)
}

test('two open at once on one database; told to stop, each finishes the request it has in hand and goes', async () => {
  const [one, other] = await Promise.all([open(), open()])
  const body = JSON.stringify({ email: 'ninguem@loja.com.br', password: 'x' })
  const socket = connect(one.port, '127.0.0.1')
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 5)}`,
  )
  await once(socket, 'connect')
  // Answered behind the half request: the server has read that too.
  expect((await fetch(`http://127.0.0.1:${one.port}/ready`)).status).toBe(200)

  const ended = [once(one.child, 'exit'), once(other.child, 'exit')]
  one.child.kill('SIGTERM')
  other.child.kill('SIGTERM')
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${one.port}/ready`).then(
          (reply) => reply.status,
          () => 'refused',
        ),
      { timeout: 4_000 },
    )
    .not.toBe(200)
  socket.write(body.slice(5))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 (401|422) /)
  expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0])
})

test('a first start makes nobody: no account of ours or of the demo comes in (T10)', async () => {
  const { child, port } = await open()
  const api = `http://127.0.0.1:${port}/api`
  const key = await (await fetch(`${api}/publicEncryptionKey`)).text()
  const headers = { 'content-type': 'application/json' }
  for (const [email, password] of guesses) {
    const body = JSON.stringify({ email, password: sealFor(key, password) })
    expect((await fetch(`${api}/auth/login/`, { method: 'POST', headers, body })).status).toBe(401)
  }
  expect(await withPlatform('test', ({ db }) => db.select().from(schema.users))).toEqual([])
  child.kill('SIGTERM')
  await once(child, 'exit')
})
/** The demo's, and what products of this kind are delivered with. */
const guesses = [
  ['super@balcao.local', 'balcao-demo'],
  ['admin@aurora.local', 'balcao-demo'],
  ['admin@admin.com', 'admin'],
  ['admin@admin.com', '123456'],
  ['superadmin@superadmin.com', '123456'],
] as const

test('told to stop while it opens, it leaves no database running', { timeout: 120_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-start-'))
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, PORT: '0' }
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' })
  children.push(child)
  const running = join(dataDir, 'postgres', 'pgdata', 'postmaster.pid')
  await expect.poll(() => existsSync(running), { timeout: 60_000, interval: 10 }).toBe(true)
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect([code, existsSync(running)]).toEqual([0, false])
})
