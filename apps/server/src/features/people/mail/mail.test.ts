import net from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, expect, test } from 'vitest'

/** A mail server of our own. What is scripted is answered first, one per recipient; `hang` never answers. */
const taken: { to: string; id: string }[] = []
const script: (number | 'hang' | 'cut')[] = []
const sockets = new Set<net.Socket>()
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) => {
    const next = script.shift()
    if (next === 'hang') return
    if (next === 'cut') for (const socket of sockets) socket.destroy()
    else done(next ? Object.assign(new Error(`answer ${next}`), { responseCode: next }) : null)
  },
  onData: (stream, session, done) => {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      const id = /^Message-ID: (.*)$/m.exec(Buffer.concat(parts).toString('utf8'))?.[1]?.trim() ?? ''
      for (const { address } of session.envelope.rcptTo) taken.push({ to: address, id })
      done()
    })
  },
})
server.server.on('connection', (socket: net.Socket) => {
  sockets.add(socket)
  socket.on('error', () => {}).on('close', () => sockets.delete(socket))
})
server.on('error', () => {})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const portOf = (listening: { address: () => unknown }) => (listening.address() as net.AddressInfo).port
process.env.SMTP_URL = `smtp://127.0.0.1:${portOf(server.server)}?timeout=0.3`
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

const { startTestApp } = await import('../../../../test/kit.ts')
const { as, schema, seedTenant, withPlatform, withTenant } = await startTestApp()
const { env } = await import('../../../env.ts')
const { sendDueMails } = await import('./mail.loop.ts')
const { queueMail } = await import('./outbox.ts')

beforeEach(async () => {
  script.length = 0
  await withPlatform('test', (tx) => tx.db.delete(schema.mails))
})

const put = (tenantId: number, to: string, more: { livesMs?: number } = {}) =>
  withTenant(tenantId, (tx) =>
    queueMail(tx, {
      kind: 'invite',
      to,
      userId: crypto.randomUUID(),
      livesMs: more.livesMs ?? 3_600_000,
      subject: 'Convite',
      paragraphs: ['Venha.'],
      link: { label: 'Entrar', url: 'http://localhost/reset/segredo-do-link' },
      closing: 'Até já.',
    }),
  )
const rowOf = async (to: string) => {
  const [row] = await withPlatform('test', (tx) => tx.db.select().from(schema.mails).where(eq(schema.mails.to, to)))
  if (!row) throw new Error('no such mail')
  return row
}
const letTimePass = (seconds: number) =>
  withPlatform('test', (tx) =>
    tx.db.update(schema.mails).set({ attemptAt: sql`attempt_at - make_interval(secs => ${seconds})` }),
  )
const receivedBy = (to: string) => taken.filter((mail) => mail.to === to)

test('a mail leaves with its transaction, once, and its link is kept nowhere', async () => {
  const { tenantId } = await seedTenant()
  await put(tenantId, 'rita@mail.local')
  expect((await rowOf('rita@mail.local')).content).not.toContain('segredo')
  await withTenant(tenantId, async (tx) => {
    await tx.db.delete(schema.mails) // what did not commit is not sent
    throw new Error('refused')
  }).catch(() => {})
  await Promise.all([sendDueMails(), sendDueMails(), sendDueMails()])
  expect(receivedBy('rita@mail.local')).toHaveLength(1)
  expect(await rowOf('rita@mail.local')).toMatchObject({ state: 'sent', content: null, attempts: 1 })
})

test.each([
  ['busy for the moment', 451],
  ['silent', 'hang'],
  ['cut off in the middle', 'cut'],
] as const)('a server that is %s is asked again later, with the same message', async (_name, trouble) => {
  const { tenantId } = await seedTenant()
  const to = `${trouble}@mail.local`
  await put(tenantId, to)
  script.push(trouble)
  await sendDueMails()
  const waiting = await rowOf(to)
  expect(waiting).toMatchObject({ state: 'queued', attempts: 1, error: expect.any(String) })
  await sendDueMails() // not yet
  expect(receivedBy(to)).toHaveLength(0)
  await letTimePass(6)
  await sendDueMails()
  expect(receivedBy(to)).toEqual([{ to, id: waiting.messageId }])
  expect(await rowOf(to)).toMatchObject({ state: 'sent', error: null, attempts: 2 })
})

test('pauses grow, and nothing is lost while the server is dead, nor told as lost before its time is over', async () => {
  const { tenantId } = await seedTenant()
  const everybody = ['a', 'b', 'c'].map((name) => `${name}@morto.local`)
  for (const to of everybody) await put(tenantId, to)
  const closed = net.createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const deadPort = portOf(closed)
  await new Promise((resolve) => closed.close(resolve))
  const alive = env.SMTP_URL
  Object.assign(env, { SMTP_URL: `smtp://127.0.0.1:${deadPort}?timeout=0.3` })
  const pauses: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const before = Date.now()
    await sendDueMails()
    const { attemptAt } = await rowOf('a@morto.local')
    pauses.push(Math.round((attemptAt.getTime() - before) / 1_000))
    await letTimePass(700)
  }
  Object.assign(env, { SMTP_URL: alive })
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other))
  expect(pauses.at(-1)).toBeGreaterThan(500)
  for (const to of everybody) expect(await rowOf(to)).toMatchObject({ state: 'queued', attempts: 4 })
  await sendDueMails()
  for (const to of everybody) expect(receivedBy(to)).toHaveLength(1)
})

test('an address that is refused for good is told at once; a link that died in the queue is not sent any more', async () => {
  const { tenantId, admin } = await seedTenant()
  await put(tenantId, 'nao-existe@mail.local')
  script.push(550)
  await sendDueMails()
  expect(await rowOf('nao-existe@mail.local')).toMatchObject({ state: 'refused', content: null })
  await put(tenantId, 'tarde@mail.local', { livesMs: -1 })
  await sendDueMails()
  expect(await rowOf('tarde@mail.local')).toMatchObject({ state: 'failed', content: null, attempts: 0 })
  expect(receivedBy('tarde@mail.local')).toEqual([])

  const shown = (await as(admin).get('/mails?state=refused&state=failed')).body
  expect(shown.items.map((mail: { to: string; state: string }) => [mail.to, mail.state])).toEqual([
    ['tarde@mail.local', 'failed'],
    ['nao-existe@mail.local', 'refused'],
  ])
  expect(shown.items[1].error).toContain('550')
  expect(JSON.stringify(shown)).not.toContain('segredo')
})

test('administrators see the mails of their company alone, page by page, and can ask for another attempt', async () => {
  const [one, two] = [await seedTenant(), await seedTenant()]
  for (const to of ['a@lista.local', 'b@lista.local', 'c@lista.local']) await put(one.tenantId, to)
  script.push(421)
  await sendDueMails()
  const first = (await as(one.admin).get('/mails?limit=2')).body
  const rest = (await as(one.admin).get(`/mails?limit=2&cursor=${first.nextCursor}`)).body
  expect([...first.items, ...rest.items]).toHaveLength(3)
  expect((await as(two.admin).get('/mails')).body.items).toEqual([])
  expect((await as(one.agent).get('/mails')).status).toBe(403)

  const [waiting] = (await as(one.admin).get('/mails?state=queued')).body.items
  expect((await as(two.admin).post(`/mails/${waiting.id}/retry`)).status).toBe(404)
  expect((await as(one.admin).post(`/mails/${waiting.id}/retry`)).status).toBe(200)
  await sendDueMails()
  expect(receivedBy(waiting.to)).toHaveLength(1)
  expect((await as(one.admin).post(`/mails/${waiting.id}/retry`)).status).toBe(409)
})
