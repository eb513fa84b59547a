import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, createUser, seedTenant, withPlatform, withTenant, schema } = await startTestApp()
const { sendDueMails } = await import('../../people/mail/mail.loop.ts')
const { queueMail } = await import('../../people/mail/outbox.ts')

const taken: { from: string; to: string }[] = []
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    password === 'senha-do-servidor' ? done(null, { user: username }) : done(new Error('senha errada')),
  onData: (stream, { envelope }, done) => {
    for (const { address } of envelope.rcptTo)
      taken.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', to: address })
    stream.resume().on('end', () => done())
  },
})
server.on('error', () => {})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

test('the installation has one account of its own: mails of companies without one leave by it', async () => {
  await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
  const root = as(await createUser(0, { profile: 'superadmin' }))
  const { tenantId, admin } = await seedTenant()
  const byEmail = async () => (await app.inject('/api/auth/reset-help')).json().byEmail
  expect((await root.get('/tenantsSmtp')).body).toEqual({ account: null, hasOther: false })
  expect(await byEmail()).toBe(false)
  expect((await root.post('/tenantsSmtp/test')).status).toBe(404)
  expect((await root.put('/tenantsSmtp', { config: { host: 'smtp.exemplo.com' } })).body.details).toContainEqual(
    expect.objectContaining({ path: 'config.from' }),
  )

  const config = {
    ...{ from: 'balcao@plataforma.example', host: '127.0.0.1', port: (server.server.address() as AddressInfo).port },
    ...{ security: 'none', hasLogin: true, user: 'balcao', password: 'errada' },
  }
  const saved = await root.put('/tenantsSmtp', { config })
  expect(saved).toMatchObject({ status: 200, body: { account: { state: 'unchecked', config: { password: true } } } })
  expect(await byEmail()).toBe(true)
  expect((await root.post('/tenantsSmtp/test')).body).toMatchObject({ ok: false })
  expect((await root.get('/tenantsSmtp')).body).toMatchObject({ account: { state: 'broken' } })
  // What is left out stays: only the password is another.
  await root.put('/tenantsSmtp', { config: { password: 'senha-do-servidor' } })
  expect((await root.post('/tenantsSmtp/test')).body).toMatchObject({ ok: true })
  const itself = { from: 'balcao@plataforma.example', to: 'balcao@plataforma.example' }
  expect(taken).toEqual([itself])

  const mail = { kind: 'invite', to: 'rita@mail.local', userId: crypto.randomUUID(), livesMs: 3_600_000 } as const
  await withTenant(tenantId, (tx) => queueMail(tx, { ...mail, subject: 'Convite', paragraphs: ['Venha.'] }))
  await sendDueMails()
  expect(taken).toEqual([itself, { from: 'balcao@plataforma.example', to: 'rita@mail.local' }])

  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const)
    expect(
      (await as(admin).send(method, `/tenantsSmtp${path}`, method === 'PUT' ? { config } : undefined)).status,
    ).toBe(403)
  expect((await root.delete('/tenantsSmtp')).status).toBe(204)
  expect(await byEmail()).toBe(false)
  const audit = await withPlatform('test', (tx) => tx.db.select().from(schema.platformAudit))
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['mailServer.updated', 'mailServer.deleted']),
  )
  expect(JSON.stringify(audit)).not.toContain('senha-do-servidor')
})
