import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startOAuthSimulator } from '@balcao/simulators/oauth.ts'
import { startProxySimulator } from '@balcao/simulators/proxy.ts'
import { eq } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { certificate, certificateKey } from '../../../../test/certificate.ts'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, seedTenant, createUser, schema, withTenant } = await startTestApp()
const { accessTokenOf } = await import('./grants.ts')
const { requireIntegration, routeOf } = await import('./integrations.service.ts')
const { sendDueMails } = await import('../../people/mail/mail.loop.ts')

/** A company's mail server: a user with a password, or a token. */
const mails: { from: string; to: string[] }[] = []
const accepted = new Set(['ana:segredo-da-conta'])
const smtp = new SMTPServer({
  authMethods: ['PLAIN', 'XOAUTH2'],
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: (auth, _session, done) =>
    accepted.has(`${auth.username}:${auth.method === 'XOAUTH2' ? auth.accessToken : auth.password}`)
      ? done(null, { user: auth.username })
      : done(new Error('no')),
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('ninguem@') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
  onData: (stream, { envelope }, done) => {
    stream.resume().on('end', () => {
      mails.push({
        from: Object(envelope.mailFrom).address,
        to: envelope.rcptTo.map((one) => one.address),
      })
      done()
    })
  },
})
await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
const bound = smtp.server.address()
const port = typeof bound === 'object' && bound ? bound.port : 0
const oauth = await startOAuthSimulator()
afterAll(async () => {
  await oauth.close()
  await new Promise<void>((resolve) => void smtp.close(() => resolve()))
})

const mailAccount = (more: object = {}) => ({
  kind: 'smtp',
  name: 'E-mail da loja',
  config: {
    from: 'loja@loja.com.br',
    fromName: 'Loja',
    host: '127.0.0.1',
    port,
    security: 'none',
    user: 'ana',
    password: 'segredo-da-conta',
    ...more,
  },
})

test('an account is kept with its secret sealed, shown to nobody, changed, tested, recorded and deleted', async () => {
  const [{ admin, supervisor, tenantId }, other] = [await seedTenant(), await seedTenant()]
  expect((await as(supervisor).post('/integrations', mailAccount())).status).toBe(403)
  const made = await as(admin).post('/integrations', mailAccount())
  expect(made).toMatchObject({
    status: 201,
    body: { family: 'mail', state: 'unchecked', isAuthorized: null, config: { password: true, hasLogin: true } },
  })
  const path = `/integrations/${made.body.id}`
  const [stored] = await withTenant(tenantId, (tx) => tx.db.select().from(schema.integrations))
  expect(JSON.stringify(stored)).not.toContain('segredo-da-conta')
  expect(JSON.stringify((await as(admin).get('/audit?entity=integration')).body)).not.toContain('segredo-da-conta')
  expect((await as(other.admin).get(path)).status).toBe(404)
  expect((await as(other.admin).post(`${path}/test`)).status).toBe(404)

  expect((await as(admin).post(`${path}/test`)).body).toEqual({ ok: true, text: expect.stringContaining('aceitou') })
  expect((await as(admin).get(path)).body).toMatchObject({ state: 'working', checkedAt: expect.any(String) })
  const wrong = await as(admin).put(path, { config: { password: 'outra-senha' }, version: 1 })
  expect(wrong.body).toMatchObject({ state: 'unchecked', version: 2 })
  expect((await as(admin).post(`${path}/test`)).body).toMatchObject({
    ok: false,
    text: expect.stringContaining('senha'),
  })
  expect((await as(admin).put(path, { name: 'Outro', version: 1 })).status).toBe(409)
  expect((await as(admin).put(path, { kind: 'proxy' })).body.details).toMatchObject([{ path: 'kind' }])
  expect((await as(admin).delete(path)).status).toBe(204)
})

test('what is missing, what leads inside and a secret that would go elsewhere are refused at their field', async () => {
  const { admin } = await seedTenant()
  const refused = async (more: object) =>
    (await as(admin).post('/integrations', mailAccount(more))).body.details?.map((one: { path: string }) => one.path)
  expect(await refused({ user: undefined, password: undefined })).toEqual(['config.user', 'config.password'])
  expect(await refused({ host: '10.0.0.8' })).toEqual(['config.host'])
  expect(await refused({ port: 0 })).toEqual(['config.port'])
  const open = await as(admin).post('/integrations', mailAccount({ hasLogin: false }))
  expect(open.body.config).not.toHaveProperty('password')
  const { body } = await as(admin).post('/integrations', { ...mailAccount(), name: 'Outra' })
  const moved = await as(admin).put(`/integrations/${body.id}`, { config: { host: 'smtp.outro.com.br' } })
  expect(moved.body.details).toEqual([{ path: 'config.password', message: expect.stringContaining('mudou') }])
})

test("the company's people are written to by its own account; one that stops working says so", async () => {
  const { admin, tenantId } = await seedTenant()
  const { body } = await as(admin).post('/integrations', mailAccount({ from: 'avisos@aurora.com.br' }))
  const colleague = await createUser(tenantId, { email: 'nova@aurora.com.br' })
  expect((await as(admin).post(`/users/${colleague.id}/invite`)).body).toMatchObject({ isMailed: true })
  await sendDueMails()
  expect(mails).toContainEqual({ from: 'avisos@aurora.com.br', to: ['nova@aurora.com.br'] })

  await as(admin).post(`/integrations/${body.id}/test`)
  const nobody = await createUser(tenantId, { email: 'ninguem@aurora.com.br' })
  await as(admin).post(`/users/${nobody.id}/invite`)
  await sendDueMails()
  expect((await as(admin).get('/mails?state=refused')).body.items).toMatchObject([
    { to: 'ninguem@aurora.com.br', error: expect.stringContaining('550') },
  ])
  expect((await as(admin).get(`/integrations/${body.id}`)).body.state).toBe('working') // it is not the account's fault

  await as(admin).put(`/integrations/${body.id}`, { config: { password: 'mudou' } })
  await as(admin).post(`/users/${colleague.id}/invite`)
  await sendDueMails()
  expect((await as(admin).get(`/integrations/${body.id}`)).body).toMatchObject({
    state: 'broken',
    stateText: expect.stringContaining('senha'),
  })
})

const googleAccount = () => ({
  kind: 'gmail',
  name: 'Gmail da loja',
  config: { from: 'loja@gmail.com', host: '127.0.0.1', port, ...oauth.client },
})
const begin = async () => {
  const tenant = await seedTenant()
  const { id } = (await as(tenant.admin).post('/integrations', googleAccount())).body
  const asked = await as(tenant.admin).post(`/integrations/${id}/consent`)
  const [cookie = ''] = String(asked.headers['set-cookie']).split(';')
  return { ...tenant, id, url: String(asked.body.url), cookie }
}
const comeBack = (address: string, cookie: string) => {
  const { searchParams } = new URL(address)
  const payload = { state: searchParams.get('state'), code: searchParams.get('code') ?? undefined }
  return app.inject({ method: 'POST', url: '/api/oauth/callback', payload, headers: { cookie } })
}
const tokenOf = async (tenantId: number, id: string) => accessTokenOf(await requireIntegration(tenantId, id))

test('the owner consents once, in the browser that asked; the state is used once and within ten minutes', async () => {
  const { admin, id, url, cookie, tenantId } = await begin()
  const [stranger, late] = [await begin(), await begin()]
  expect(new URL(url).searchParams.get('redirect_uri')).toBe('http://localhost:3000/gmail/callbackUrlBack')
  expect((await as(admin).get(`/integrations/${id}`)).body.isAuthorized).toBe(false)
  const back = oauth.consent(url)
  expect((await comeBack(back, stranger.cookie)).statusCode).toBe(422)

  const again = await begin()
  const address = oauth.consent(again.url)
  const done = await comeBack(address, again.cookie)
  expect(done.json()).toEqual({ integrationId: again.id, isAuthorized: true, inWindow: false })
  expect((await comeBack(address, again.cookie)).statusCode).toBe(422)
  expect((await as(again.admin).get(`/integrations/${again.id}`)).body.isAuthorized).toBe(true)
  expect(oauth.living.has(await tokenOf(again.tenantId, again.id))).toBe(true)
  const [grant] = await withTenant(again.tenantId, (tx) => tx.db.select().from(schema.oauthGrants))
  expect(grant?.tokens).toMatch(/^v1\./)

  await expect(tokenOf(tenantId, id)).rejects.toMatchObject({ code: 'ERR_NOT_AUTHORIZED_YET' })
  const { withPlatform } = await import('../../../db/database.ts')
  await withPlatform('test', (tx) =>
    tx.db
      .update(schema.oneTimeTokens)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(schema.oneTimeTokens.purpose, 'oauth')),
  )
  expect((await comeBack(oauth.consent(late.url), late.cookie)).statusCode).toBe(422)
  expect((await comeBack(oauth.consent(url), cookie)).statusCode).toBe(422)
})

test('by the client of the installation nothing has to be registered, and its secret goes to the provider alone', async () => {
  const { admin, tenantId } = await seedTenant()
  const write = (config: object, kind = 'microsoft') =>
    as(admin).post('/integrations', { kind, name: kind, config: { from: 'loja@outlook.com', ...config } })
  const lacking = await write({ ownClient: false })
  expect(lacking.body.details).toMatchObject([{ path: 'config.ownClient' }])
  expect((await as(admin).get('/integrations/clients')).body).toEqual({ kinds: [] })
  const { clientId, clientSecret } = oauth.client
  const given = {
    MICROSOFT_CLIENT_ID: clientId,
    MICROSOFT_CLIENT_SECRET: clientSecret,
    MICROSOFT_AUTHORITY: oauth.url,
    GOOGLE_CLIENT_ID: 'da-instalacao',
    GOOGLE_CLIENT_SECRET: 'segredo',
  }
  const { env } = await import('../../../env.ts')
  const before = { ...env }
  Object.assign(env, given)
  const stolen = { tokenUrl: 'https://evil.example/token', imapHost: 'evil.example', clientId: 'x'.repeat(20) }
  const { body } = await write({ ownClient: false, ...stolen })
  expect(body.config).toMatchObject({ ownClient: false, imapHost: 'outlook.office365.com' })
  expect(JSON.stringify(body.config)).not.toMatch(/evil|xxx/)
  const { body: asked, headers } = await as(admin).post(`/integrations/${body.id}/consent`, { inWindow: true })
  const { searchParams } = new URL(asked.url)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: clientId,
    login_hint: 'loja@outlook.com',
    redirect_uri: 'http://localhost:3000/microsoft/callbackUrlBack',
  })
  const back = await comeBack(oauth.consent(asked.url), String(headers['set-cookie']).split(';', 1).join())
  expect(back.json()).toEqual({ integrationId: body.id, isAuthorized: true, inWindow: true })
  expect(oauth.living.has(await tokenOf(tenantId, body.id))).toBe(true)

  const google = await write({ ownClient: false }, 'gmail')
  const { url } = (await as(admin).post(`/integrations/${google.body.id}/consent`)).body
  expect(url).toMatch(/^https:\/\/accounts\.google\.com\/.*client_id=da-instalacao/)
  Object.assign(env, before, { GOOGLE_CLIENT_ID: undefined })
  expect(await as(admin).post(`/integrations/${google.body.id}/consent`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_NO_OAUTH_CLIENT' },
  })
})

const authorized = async () => {
  const one = await begin()
  await comeBack(oauth.consent(one.url), one.cookie)
  const expire = () => withTenant(one.tenantId, (tx) => tx.db.update(schema.oauthGrants).set({ expiresAt: new Date() }))
  return { ...one, expire }
}

test('a token that ends is renewed once, whoever asks at the same time', async () => {
  const { tenantId, id, expire } = await authorized()
  const before = await tokenOf(tenantId, id)
  await expire()
  const asked = oauth.requests.length
  oauth.faults.latencyMs = 300
  const tokens = await Promise.all(Array.from({ length: 5 }, () => tokenOf(tenantId, id)))
  oauth.faults.latencyMs = 0
  expect(new Set(tokens).size).toBe(1)
  expect(tokens[0]).not.toBe(before)
  expect(oauth.requests.length).toBe(asked + 1)
})

test('a provider that is away costs nothing but time; a consent taken back is seen and said', async () => {
  const { admin, tenantId, id, expire } = await authorized()
  await expire()
  oauth.faults.next({ status: 503 })
  await expect(tokenOf(tenantId, id)).rejects.toMatchObject({ code: 'ERR_OAUTH_REFUSED' })
  expect(oauth.living.has(await tokenOf(tenantId, id))).toBe(true)

  oauth.revoke()
  await expire()
  await expect(tokenOf(tenantId, id)).rejects.toMatchObject({ code: 'ERR_AUTHORIZATION_LOST' })
  expect((await as(admin).get(`/integrations/${id}`)).body.isAuthorized).toBe(false)
  expect((await as(admin).post(`/integrations/${id}/test`)).body).toMatchObject({
    ok: false,
    text: expect.stringContaining('Autorizar'),
  })
})

test('a proxy is tried by asking it for a way', async () => {
  const { admin } = await seedTenant()
  const proxy = await startProxySimulator({ protocol: 'socks5', targets: { 'api.telegram.org': `127.0.0.1:${port}` } })
  const config = { protocol: 'socks5', host: '127.0.0.1', port: proxy.port }
  const { body } = await as(admin).post('/integrations', { kind: 'proxy', name: 'Proxy', config })
  const tried = async () => (await as(admin).post(`/integrations/${body.id}/test`)).body
  expect(await tried()).toMatchObject({ ok: true, text: expect.stringMatching(/em \d+ ms\.$/) })
  expect(proxy.asked).toEqual(['api.telegram.org:443'])

  const echo = createServer((_, reply) => reply.end('{"ip":"203.0.113.9"}')).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const echoUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`
  await as(admin).put(`/integrations/${body.id}`, { config: { echoUrl } })
  expect(await tried()).toMatchObject({ ok: true, text: expect.stringContaining('sai pelo IP 203.0.113.9.') })
  echo.close()
  expect(await tried()).toMatchObject({ ok: false, text: expect.stringContaining('não disse o IP') })
  await proxy.close()
  expect((await as(admin).post(`/integrations/${body.id}/test`)).body).toMatchObject({ ok: false })
})

test('a certificate alone is a way out: no address is asked for, and without it nothing is left', async () => {
  const { admin } = await seedTenant()
  const create = (config: object) => as(admin).post('/integrations', { kind: 'proxy', name: 'Certificado', config })
  expect(await create({ protocol: 'none' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'config.certificate', message: 'Preencha este campo.' }] },
  })
  expect((await create({ protocol: 'http' })).body.details).toMatchObject([
    { path: 'config.host' },
    { path: 'config.port' },
  ])
  const config = { protocol: 'none', certificate: certificate + certificateKey, host: '10.0.0.1', hasLogin: true }
  const made = await create(config)
  expect(made).toMatchObject({ status: 201, body: { config: { protocol: 'none', certificate: true } } })
  expect(made.body.config).not.toHaveProperty('host')
  expect(await routeOf(admin.tenantId, made.body.id)).toEqual({ certificate: config.certificate.trim() })
})

test('a way out may carry a certificate of its own: sealed, checked whole, and said when it cannot be read', async () => {
  const { admin } = await seedTenant()
  const proxy = await startProxySimulator({ protocol: 'socks5', targets: { 'api.telegram.org': `127.0.0.1:${port}` } })
  const config = { protocol: 'socks5', host: '127.0.0.1', port: proxy.port, certificate: certificate + certificateKey }
  const create = (name: string, more: object) =>
    as(admin).post('/integrations', { kind: 'proxy', name, config: { ...config, ...more } })
  const made = await create('Saída', {})
  expect(made.body.config.certificate).toBe(true)
  expect((await as(admin).post(`/integrations/${made.body.id}/test`)).body).toMatchObject({ ok: true })
  expect(await create('Só a metade', { certificate })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'config.certificate', message: expect.stringContaining('PRIVATE KEY') }] },
  })
  const broken = await create('Trocado', {
    certificate: certificate + certificateKey.replace(/\n[\w+/]{8}/, '\nAAAAAAAA'),
  })
  const told = await as(admin).post(`/integrations/${broken.body.id}/test`)
  expect(told.body).toMatchObject({ ok: false, text: expect.stringContaining('certificado') })
  await proxy.close()
})

test('a mailbox is entered with an account of its company, whose token it is given; consent given again opens it anew', async () => {
  const { admin, tenantId, id } = await authorized()
  const mailbox = (mailAccountId: string) => ({
    kind: 'email',
    name: 'Caixa',
    config: { address: 'loja@gmail.com', login: 'account', mailAccountId },
  })
  const stranger = await begin()
  expect((await as(admin).post('/whatsapp', mailbox(stranger.id))).body.details).toMatchObject([
    { path: 'config.mailAccountId' },
  ])
  const { body } = await as(admin).post('/whatsapp', mailbox(id))
  expect(body.config).not.toHaveProperty('password')
  const { findConnection } = await import('../../channels/connections/context.ts')
  const context = (await findConnection(body.id, { isFresh: true }))?.context
  expect(context?.account).toMatchObject({ imap: { host: 'imap.gmail.com', port: 993, security: 'tls' } })
  expect(oauth.living.has((await context?.account?.accessToken()) ?? '')).toBe(true)
  expect((await as(admin).delete(`/integrations/${id}`)).body.error).toBe('ERR_IN_USE')

  const again = await as(admin).post(`/integrations/${id}/consent`)
  const [cookie = ''] = String(again.headers['set-cookie']).split(';')
  const { version } = (await as(admin).get(`/whatsapp/${body.id}`)).body
  await comeBack(oauth.consent(String(again.body.url)), cookie)
  expect((await as(admin).get(`/whatsapp/${body.id}`)).body.version).toBeGreaterThan(version)
  expect(await tokenOf(tenantId, id)).toBeTruthy()
})
