import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test, vi } from 'vitest'

/** A mail server of our own; `refusals` are answered first, one per attempt. */
const mails: { to: string[]; text: string }[] = []
const refusals: number[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) => {
    const code = refusals.shift()
    done(code ? Object.assign(new Error('refused'), { responseCode: code }) : null)
  },
  onData: (stream, session, done) => {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      mails.push({ to: session.envelope.rcptTo.map((one) => one.address), text: Buffer.concat(parts).toString('utf8') })
      done()
    })
  },
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const bound = server.server.address()
process.env.SMTP_URL = `smtp://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

const { startTestApp } = await import('../../../../test/kit.ts')
const { sealFor } = await import('../../../../test/sealed.ts')
const { app, as, seedTenant, createUser, schema, withTenant, statementCount } = await startTestApp()
const { hashPassword } = await import('./passwords.ts')
const { isMailDue, sendDueMails } = await import('../mail/mail.loop.ts')
const { startWorkers } = await import('../../../kit/workers.ts')
const startMailer = () =>
  startWorkers([
    { name: 'mail', role: 'worker', everyMs: 1_000, due: isMailDue, wakesOn: ['mail.queued'], run: sendDueMails },
  ])
let mailer = startMailer()
afterAll(() => mailer.stop())
const { issueResetToken } = await import('./reset.service.ts')
const { eq } = await import('drizzle-orm')

const key = (await app.inject({ url: '/api/publicEncryptionKey' })).body
const seal = (text: string) => sealFor(key, text)
const passwordHash = await hashPassword('senha-esquecida')
let address = 0
const newAddress = () => `10.2.0.${++address}`
const post = (url: string, payload: object, remoteAddress = newAddress()) =>
  app.inject({ method: 'POST', url: `/api${url}`, payload, remoteAddress })
const mailTo = (email: string) =>
  vi.waitFor(() => mails.find((mail) => mail.to.includes(email)) ?? Promise.reject(new Error('no mail')), {
    timeout: 20_000,
  })
const tokenIn = (mail: { text: string }) => {
  const [, token = ''] = /\/reset\/([\w.-]+)/.exec(mail.text.replace(/=\r\n/g, '').replaceAll('=3D', '=')) ?? []
  return token
}
const reset = (token: string, password = 'senha-bem-nova') =>
  post('/reset-password', { token, password: seal(password) })
const logIn = (email: string, password: string) => post('/auth/login/', { email, password: seal(password) })

test('a forgotten password is replaced by a link in an e-mail, and every session ends', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'nina@reset.local', passwordHash })
  const session = await logIn('nina@reset.local', 'senha-esquecida')
  expect((await app.inject({ url: '/api/auth/reset-help' })).json()).toEqual({ byEmail: true })
  const asked = await post('/password-reset', { email: ' Nina@Reset.local' })
  expect([asked.statusCode, asked.json()]).toEqual([200, { message: 'E-mail de recuperação de senha enviado.' }])

  const mail = await mailTo('nina@reset.local')
  expect(mail.text).toMatch(/^Auto-Submitted: auto-generated/m)
  expect(mail.text).toMatch(/^Message-ID: <[\w-]+@localhost>/m)
  expect(mail.text).toContain('text/html')
  expect(mail.text).toContain('text/plain')
  const token = tokenIn(mail)
  const stored = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.resetTokens))
  expect(JSON.stringify(stored)).not.toContain(token.split('.')[1])

  const check = async (link: string) => (await post('/reset-password/check', { token: link })).json()
  expect([await check(token), await check(`${token}x`)]).toEqual([
    { isValid: true, account: { name: user.name, email: 'nina@reset.local', company: `Empresa ${tenant.tenantId}` } },
    { isValid: false, account: null },
  ])

  const done = await reset(token)
  expect(await check(token)).toEqual({ isValid: false, account: null }) // told before anything is filled in
  expect([done.statusCode, done.json()]).toEqual([200, { message: 'Senha redefinida com sucesso!' }])
  expect((await as({ token: session.json().token }).get('/auth/me')).status).toBe(401)
  expect((await logIn('nina@reset.local', 'senha-esquecida')).statusCode).toBe(401)
  expect((await logIn('nina@reset.local', 'senha-bem-nova')).statusCode).toBe(200)
  const audited = await as(tenant.admin).get(`/audit?entity=user&entityId=${user.id}`)
  expect(audited.body.items[0]).toMatchObject({ action: 'password.reset', before: null, after: null })
})

test('an unknown e-mail gets the same answer and no mail; neither does a blocked person', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'bloqueada@reset.local', passwordHash })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ isBlocked: true }).where(eq(schema.users.id, user.id)),
  )
  await createUser(tenant.tenantId, { email: 'depois@reset.local', passwordHash })
  for (const email of ['ninguem@reset.local', 'bloqueada@reset.local', 'depois@reset.local']) {
    const asked = await post('/password-reset', { email })
    expect([asked.statusCode, asked.json()]).toEqual([200, { message: 'E-mail de recuperação de senha enviado.' }])
  }
  await mailTo('depois@reset.local')
  expect(mails.some((mail) => ['ninguem@reset.local', 'bloqueada@reset.local'].includes(mail.to[0] ?? ''))).toBe(false)
  expect((await post('/password-reset', { email: 'isto não é' })).statusCode).toBe(422)
})

test('the answer comes after the same work whether the e-mail is known or not, and waits for no mail', async () => {
  const tenant = await seedTenant()
  const { email } = await createUser(tenant.tenantId, { email: 'olga@reset.local', passwordHash })
  const workOf = async (asked: string) => {
    const before = statementCount()
    const reply = await post('/password-reset', { email: asked })
    return { reply: reply.json(), statements: statementCount() - before, mails: mails.length }
  }
  await mailer.stop() // its rounds are statements too
  await workOf('primeira@reset.local') // what is read once and kept is read now
  const unknown = await workOf('ninguem@reset.local')
  expect(await workOf(email)).toEqual(unknown)
  mailer = startMailer()
  await mailTo(email)
})

test('T13: a link works once, for an hour, for its own user, and dies when a newer one is made', async () => {
  const tenant = await seedTenant()
  const other = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'link@reset.local', passwordHash })
  const issue = () => withTenant(tenant.tenantId, (tx) => issueResetToken(tx, user.id))

  const older = await issue()
  const token = await issue()
  const stored = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.resetTokens))
  expect(stored.length).toBeGreaterThan(0)
  for (const one of [older, token]) expect(JSON.stringify(stored)).not.toContain(one.split('.')[1])
  expect((await reset(older)).json()).toMatchObject({ error: 'ERR_RESET_TOKEN' })
  const [, random = ''] = token.split('.')
  for (const strange of ['', 'x', 'undefined-undefined', `${other.tenantId}.${random}`, `${token}x`, random]) {
    expect([strange, (await reset(strange)).statusCode]).toEqual([strange, 422])
  }
  expect((await reset(token, 'curta')).json()).toMatchObject({ error: 'ERR_PASSWORD_WEAK' })
  expect((await post('/reset-password', { token, password: 'em-claro-em-claro' })).json()).toMatchObject({
    error: 'ERR_PASSWORD_PLAIN',
  })

  const both = await Promise.all([reset(token, 'primeira-senha'), reset(token, 'segunda-senha')])
  expect(both.map((reply) => reply.statusCode).sort()).toEqual([200, 422])
  expect((await reset(token)).statusCode).toBe(422)

  const late = await issue()
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.resetTokens).set({ expiresAt: new Date(Date.now() - 1) }),
  )
  expect((await reset(late)).json()).toMatchObject({ error: 'ERR_RESET_TOKEN' })

  const beforeChange = await issue()
  expect((await as(tenant.admin).put(`/users/${user.id}`, { password: seal('senha-do-admin') })).status).toBe(200)
  expect((await reset(beforeChange)).statusCode).toBe(422)
})

test('one account is sent few mails, one address may ask only so often', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'muitas@reset.local', passwordHash })
  for (let n = 0; n < 6; n += 1)
    expect((await post('/password-reset', { email: 'muitas@reset.local' })).statusCode).toBe(200)
  await vi.waitFor(() => expect(mails.filter((mail) => mail.to.includes('muitas@reset.local'))).toHaveLength(3), {
    timeout: 20_000,
  })
  const asked = await Promise.all(
    Array.from({ length: 25 }, (_, n) => post('/password-reset', { email: `a${n}@reset.local` }, '10.3.0.1')),
  )
  expect(asked.filter((reply) => reply.statusCode === 429)).toHaveLength(5)
  expect(mails.filter((mail) => mail.to.includes('muitas@reset.local'))).toHaveLength(3)
})

test('a mail server that is busy for the moment is asked again', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'ocupado@reset.local', passwordHash })
  refusals.push(421)
  await post('/password-reset', { email: 'ocupado@reset.local' })
  expect(tokenIn(await mailTo('ocupado@reset.local'))).not.toBe('')
})

test('a reset opens an account whose guesses were used up', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'travada@reset.local', passwordHash })
  for (let n = 0; n < 20; n += 1) await logIn(user.email, 'errada-errada')
  expect((await logIn(user.email, 'senha-esquecida')).statusCode).toBe(429)
  const done = await reset(await withTenant(tenant.tenantId, (tx) => issueResetToken(tx, user.id)), 'senha-destravada')
  expect((await logIn(user.email, 'senha-destravada')).statusCode).toBe(200)
  const known = done.cookies.find((one) => one.name.startsWith('jdv_'))
  for (let n = 0; n < 25; n += 1) await logIn(user.email, 'errada-errada')
  expect((await logIn(user.email, 'senha-destravada')).statusCode).toBe(429)
  const fromKnown = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: user.email, password: seal('senha-destravada') },
    cookies: { [known?.name ?? '']: known?.value ?? '' },
  })
  expect(fromKnown.statusCode).toBe(200)
})

test('a person whose password is being guessed is told by mail, once a day', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'adivinhada@reset.local', passwordHash })
  for (let n = 0; n < 8; n += 1)
    for (const ip of ['10.4.0.1', '10.4.0.2'])
      await post('/auth/login/', { email: 'adivinhada@reset.local', password: seal('errada-errada') }, ip)
  const mail = await mailTo('adivinhada@reset.local')
  expect(mail.text).toContain('Tentativas de entrar na sua conta')
  await post('/password-reset', { email: 'adivinhada@reset.local' })
  await vi.waitFor(() => expect(mails.filter(({ to }) => to.includes('adivinhada@reset.local'))).toHaveLength(2), {
    timeout: 20_000,
  })
})

test('somebody who was invited by link and mail chooses their own name and password, once', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'convidada@reset.local', name: 'convidada', passwordHash })
  const invite = () => as(tenant.admin).post(`/users/${user.id}/invite`)
  expect((await as(tenant.supervisor).post(`/users/${user.id}/invite`)).status).toBe(403)
  const stranger = await seedTenant()
  expect((await as(stranger.admin).post(`/users/${user.id}/invite`)).status).toBe(404)

  const old = (await invite()).body
  const { body } = await invite()
  expect(body).toEqual({ link: expect.stringMatching(/\/reset\/[\w.-]+\?convite$/), isMailed: true })
  await vi.waitFor(() => expect(mails.some((mail) => mail.to.includes(user.email))).toBe(true))
  const accept = ({ link }: { link: string }, name: string) =>
    post('/reset-password', {
      token: /\/reset\/([\w.-]+)\?/.exec(link)?.[1] ?? '',
      password: seal('senha-que-escolhi'),
      name,
    })
  expect((await accept(old, 'Tarde Demais')).json()).toMatchObject({ error: 'ERR_RESET_TOKEN' })
  const both = await Promise.all([accept(body, 'Rita Alves'), accept(body, 'Rita Alves')])
  expect(both.map((reply) => reply.statusCode).toSorted()).toEqual([200, 422])
  expect((await accept(body, 'Outra Pessoa')).json()).toMatchObject({ error: 'ERR_RESET_TOKEN' })
  expect((await logIn(user.email, 'senha-que-escolhi')).json()).toMatchObject({ username: 'Rita Alves' })

  expect((await invite()).status).toBe(409)
  const later = await withTenant(tenant.tenantId, (tx) => issueResetToken(tx, user.id))
  await accept({ link: `/reset/${later}?` }, 'Nome Trocado')
  expect((await logIn(user.email, 'senha-que-escolhi')).json()).toMatchObject({ username: 'Rita Alves' })
})
