import { createHmac, createPublicKey, hkdfSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { v7 } from 'uuid'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { sealFor } from '../../../../test/sealed.ts'

const { app, as, seedTenant, createUser, schema, withTenant, withPlatform, invalidateDirectory } = await startTestApp()
const { hashPassword } = await import('./passwords.ts')
const { issueAccessToken } = await import('./access-token.ts')
const { env } = await import('../../../env.ts')
const { log } = await import('../../../kit/log.ts')
const { reserveAttempt, addressKey } = await import('./attempts.ts')
const { takeTurn } = await import('./turns.ts')
const { eq, sql } = await import('drizzle-orm')

const password = 'girassol-amarelo'
const passwordHash = await hashPassword(password)
let address = 0
/** Every test comes from an address of its own: limits of one do not touch another. */
const newAddress = () => `10.1.${Math.floor(++address / 250)}.${(address % 250) + 1}`

const fetchKey = async () => (await app.inject({ url: '/api/publicEncryptionKey' })).body
const seal = async (text: string) => sealFor(await fetchKey(), text)
const post = (url: string, payload: object, more: { ip?: string; headers?: Record<string, string> } = {}) =>
  app.inject({
    method: 'POST',
    url: `/api${url}`,
    payload,
    headers: more.headers,
    remoteAddress: more.ip ?? newAddress(),
  })
const logIn = async (email: string, text = password, ip = newAddress()) =>
  post('/auth/login/', { email, password: await seal(text) }, { ip })
const cookieOf = (reply: { cookies: { name: string; value: string }[] }) =>
  reply.cookies.find((one) => one.name === 'jrt')?.value ?? ''
const refresh = (cookie: string, headers: Record<string, string> = {}) =>
  post('/auth/refresh_token', {}, { headers: { cookie: `jrt=${cookie}`, ...headers } })
const me = (token: string) => as({ token }).get('/auth/me')
/** What this process has done so far, by the names of its metrics. */
const measures = async () =>
  new Map((await app.inject('/metrics')).body.split('\n').map((line) => line.split(' ') as [string, string]))
/** Lets the ten seconds of grace pass for what was exchanged so far. */
const passGrace = (tenantId: number) =>
  withTenant(tenantId, (tx) =>
    tx.db
      .update(schema.refreshTokens)
      .set({ rotatedAt: new Date(Date.now() - 15_000) })
      .where(eq(schema.refreshTokens.tenantId, tenantId)),
  )

test('the key is the body itself, an RSA-3072 public key', async () => {
  const reply = await app.inject({ url: '/api/publicEncryptionKey' })
  expect(reply.headers['content-type']).toContain('text/plain')
  const key = createPublicKey({ key: Buffer.from(reply.body, 'base64'), format: 'der', type: 'spki' })
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(3072)
})

test('logs in by e-mail in any case and spacing, and answers the session', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const user = await createUser(tenant.tenantId, {
    email: 'rita@login.local',
    passwordHash,
    queueIds: [tenant.queues.Vendas ?? ''],
  })
  const reply = await logIn('  RITA@Login.local ')
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toMatchObject({
    userId: user.id,
    tenantId: tenant.tenantId,
    email: 'rita@login.local',
    profile: 'user',
    queues: [{ name: 'Vendas' }],
    configs: { isDark: false, filtrosAtendimento: {} },
    impersonatedBy: null,
    configuracoes: { nullticket: false },
  })
  expect(reply.cookies[0]).toMatchObject({ name: 'jrt', httpOnly: true, sameSite: 'Lax', path: '/api/auth' })
  expect(reply.cookies[0]?.secure).toBeFalsy()
  // A browser sends it where files and where pictures of contacts are asked for, and nowhere else.
  const ofMedia = reply.cookies.filter(({ name }) => name === 'jmedia')
  expect(ofMedia.map(({ path }) => path)).toEqual(['/api/media', '/api/pictures'])
  expect((await me(reply.json().token)).body).toMatchObject({
    username: user.name,
    permissions: expect.arrayContaining(['tickets.read']),
  })
})

test('a wrong password, an unknown e-mail and a blocked person without their password get the same answer', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'certo@login.local', passwordHash })
  const blocked = await createUser(tenant.tenantId, { email: 'bloqueado@login.local', passwordHash })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ isBlocked: true }).where(eq(schema.users.id, blocked.id)),
  )
  const replies = [
    await logIn('certo@login.local', 'errada-errada'),
    await logIn('ninguem@login.local'),
    await logIn('bloqueado@login.local', 'errada-errada'),
  ]
  for (const reply of replies) {
    expect(reply.statusCode).toBe(401)
    expect(reply.json()).toMatchObject({
      error: 'ERR_INVALID_CREDENTIALS',
      message: 'E-mail ou senha não conferem. Confira e tente de novo.',
    })
  }
  const proven = await logIn('bloqueado@login.local')
  expect([proven.statusCode, proven.json().error, cookieOf(proven)]).toEqual([401, 'ERR_USER_BLOCKED', ''])
})

test('a known and an unknown e-mail take the same work', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'conhecida@login.local', passwordHash })
  const workOf = async (email: string) => {
    const before = await measures()
    const reply = await logIn(email, 'errada-errada')
    const after = await measures()
    const difference = (name: string) => Number(after.get(name)) - Number(before.get(name))
    return {
      error: reply.json().error,
      checks: difference('balcao_password_checks_total'),
      statements: difference('balcao_statements_total'),
    }
  }
  await workOf('primeira@login.local') // what is read once and kept is read now
  const known = await workOf('conhecida@login.local')
  expect(known).toMatchObject({ error: 'ERR_INVALID_CREDENTIALS', checks: 1 })
  expect(await workOf('estranha@login.local')).toEqual(known)
})

test('T20: a plain password is refused, an empty one too, and a sealed one opens the door once', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'selo@login.local', passwordHash })
  const plain = await post('/auth/login/', { email: 'selo@login.local', password })
  expect([plain.statusCode, plain.json().error]).toEqual([422, 'ERR_PASSWORD_PLAIN'])
  expect((await post('/auth/login/', { email: 'selo@login.local', password: '' })).statusCode).toBe(422)
  expect((await logIn('selo@login.local', '')).statusCode).toBe(401)
  const body = { email: 'selo@login.local', password: await seal(password) }
  expect((await post('/auth/login/', body)).statusCode).toBe(200)
  expect((await post('/auth/login/', body)).statusCode).toBe(401)
})

test('an inactive company and closed hours are told only to who knows the password', async () => {
  const suspended = await seedTenant()
  await createUser(suspended.tenantId, { email: 'suspensa@login.local', passwordHash })
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ status: 'suspended' }).where(eq(schema.tenants.id, suspended.tenantId)),
  )
  expect((await logIn('suspensa@login.local')).json()).toMatchObject({ error: 'ERR_TENANT_INACTIVE' })
  expect((await logIn('suspensa@login.local', 'errada-errada')).json()).toMatchObject({
    error: 'ERR_INVALID_CREDENTIALS',
  })

  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'folga@login.local', passwordHash })
  const closed = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
    day,
    label: 'x',
    type: 'C' as const,
    hr1: '08:00',
    hr2: '12:00',
    hr3: '13:00',
    hr4: '18:00',
  }))
  const open = await logIn('folga@login.local')
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ allowedHours: closed }).where(eq(schema.users.id, user.id)),
  )
  const late = await logIn('folga@login.local')
  expect([late.statusCode, late.json().error, late.json().message]).toEqual([
    403,
    'OUT_RANGE',
    'Fora do horário de atendimento permitido.',
  ])
  expect((await refresh(cookieOf(open))).json()).toMatchObject({ error: 'OUT_RANGE' })
})

test('T14: a hundred guesses at once stay within the limit of the account, whatever the address, case or spaces', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'alvo@login.local', passwordHash })
  const sealed = await seal('errada-errada')
  const guess = (n: number, ip?: string) =>
    post('/auth/login/', { email: n % 2 ? ' Alvo@Login.local' : 'alvo@login.LOCAL ', password: sealed }, { ip })
  const oneAddress = newAddress()
  const fromOne = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(n, oneAddress)))
  expect(fromOne.filter((reply) => reply.statusCode === 401)).toHaveLength(5)
  expect((await logIn('alvo@login.local')).statusCode).toBe(200) // its owner sits elsewhere

  const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n)))
  expect(replies.filter((reply) => reply.statusCode === 401)).toHaveLength(15)
  const refused = replies.filter((reply) => reply.statusCode === 429)
  expect(refused).toHaveLength(85)
  expect(refused.at(-1)?.json()).toMatchObject({
    error: 'ERR_LIMIT_MAX',
    message: expect.stringContaining('Muitas tentativas'),
  })
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await logIn('alvo@login.local')).statusCode).toBe(429)
})

test('T14: guesses made elsewhere never close a device the person used before', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'dona@login.local', passwordHash })
  const known = (await logIn('dona@login.local')).cookies.find((one) => one.name.startsWith('jdv_'))
  expect(known).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api/auth' })
  const office = newAddress()
  const sealed = await seal('errada-errada')
  for (let n = 0; n < 60; n += 1)
    await post('/auth/login/', { email: 'dona@login.local', password: sealed }, { ip: n % 2 ? office : newAddress() })
  const fromKnown = async (text: string, mark = known?.value) =>
    post(
      '/auth/login/',
      { email: 'dona@login.local', password: await seal(text) },
      { ip: office, headers: { cookie: `${known?.name}=${mark}` } },
    )
  expect((await logIn('dona@login.local')).statusCode).toBe(429)
  expect((await fromKnown(password, `${known?.value}x`)).statusCode).toBe(429)
  expect((await fromKnown(password)).statusCode).toBe(200)

  // A stolen mark opens no endless door, and a new password makes it a stranger's.
  for (let n = 0; n < 5; n += 1) expect((await fromKnown('errada-errada')).statusCode).toBe(401)
  expect((await fromKnown(password)).statusCode).toBe(429)
  await withTenant(tenant.tenantId, async (tx) =>
    tx.db
      .update(schema.users)
      .set({ passwordHash: await hashPassword('outra-senha-nova') })
      .where(eq(schema.users.id, user.id)),
  )
  await withPlatform('test', (tx) => tx.db.delete(schema.attempts).where(eq(schema.attempts.scope, 'login:device')))
  expect((await fromKnown('outra-senha-nova')).statusCode).toBe(429)
})

test('pauses grow from a minute to a quarter of an hour, and trying on prolongs none', async () => {
  const turns = { scope: 'test:turns', key: v7(), free: 2 }
  const pass = (seconds: number) =>
    withPlatform('test', (tx) =>
      tx.db
        .update(schema.attempts)
        .set({ windowEndsAt: sql`${schema.attempts.windowEndsAt} - make_interval(secs => ${seconds})` })
        .where(eq(schema.attempts.scope, turns.scope)),
    )
  expect(await takeTurn(turns)).toEqual({ count: 1, waitS: 0 })
  expect(await takeTurn(turns)).toEqual({ count: 2, waitS: 0 })
  for (const minutes of [1, 2, 4, 8, 15, 15]) {
    const { waitS } = await takeTurn(turns)
    expect(waitS).toBeGreaterThan(minutes * 60 - 20)
    expect(waitS).toBeLessThanOrEqual(minutes * 60)
    await pass(30)
    expect((await takeTurn(turns)).waitS).toBeGreaterThan(0)
    await pass(minutes * 60 - 29)
    expect((await takeTurn(turns)).waitS).toBe(0)
  }
  await pass(24 * 60 * 60 + 1)
  expect(await takeTurn(turns)).toEqual({ count: 1, waitS: 0 })
})

test('T14: guesses from one address at many accounts end too', async () => {
  const ip = newAddress()
  const sealed = await seal('errada-errada')
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      post('/auth/login/', { email: `v${n}@rodizio.local`, password: sealed }, { ip }),
    ),
  )
  expect(replies.filter((reply) => reply.statusCode === 401)).toHaveLength(30)
  expect(replies.filter((reply) => reply.statusCode === 429)).toHaveLength(30)
})

test('a success gives attempts back: an office behind one address logs in all morning', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'balcao@login.local', passwordHash })
  const ip = newAddress()
  for (let n = 0; n < 8; n += 1) expect((await logIn('balcao@login.local', password, ip)).statusCode).toBe(200)
  for (let n = 0; n < 4; n += 1) expect((await logIn('balcao@login.local', 'errada-errada', ip)).statusCode).toBe(401)
  expect((await logIn('balcao@login.local', password, ip)).statusCode).toBe(200)
  expect((await logIn('balcao@login.local', 'errada-errada', ip)).statusCode).toBe(401)
})

test('a window is over when its time is, however often one tried in between', async () => {
  const limit = { scope: 'test', key: v7(), max: 1, windowS: 60 }
  expect(await reserveAttempt([limit])).toBeUndefined()
  const exceeded = await reserveAttempt([limit])
  expect(exceeded?.retryAfterS).toBeGreaterThan(30)
  expect(exceeded?.retryAfterS).toBeLessThanOrEqual(60)
  await withPlatform('test', (tx) =>
    tx.db.update(schema.attempts).set({ windowEndsAt: new Date() }).where(eq(schema.attempts.scope, 'test')),
  )
  expect(await reserveAttempt([limit])).toBeUndefined()
})

test('addresses are counted by customer', () => {
  expect(addressKey('203.0.113.9')).toBe('203.0.113.9')
  expect(addressKey('::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(addressKey('2001:db8:0:1:aaaa::1')).toBe(addressKey('2001:0db8:0000:0001::2'))
  expect(addressKey('2001:db8:0:1::1')).not.toBe(addressKey('2001:db8:0:2::1'))
})

test('T16: forged, stretched and borrowed access tokens are refused', async () => {
  const tenant = await seedTenant()
  const other = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'jwt@login.local', passwordHash })
  const reply = await logIn('jwt@login.local')
  const key = Buffer.from(hkdfSync('sha256', env.APP_SECRET, '', 'access-token', 32))
  const claims = { t: tenant.tenantId, v: 1, f: v7(), i: null }
  const build = () =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(user.id)
      .setAudience('balcao-access')
      .setIssuedAt()
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const payload = part({ ...claims, sub: user.id, aud: 'balcao-access', exp: now + 900 })
  const publicKeySigned = `${part({ alg: 'HS256' })}.${payload}`
  const good = await build().setExpirationTime('5m').sign(key)
  expect((await me(good)).status).toBe(200)
  const [head = '', , signature = ''] = good.split('.')
  const strange = {
    none: `${part({ alg: 'none' })}.${payload}.`,
    confused: `${publicKeySigned}.${createHmac('sha256', await fetchKey())
      .update(publicKeySigned)
      .digest('base64url')}`,
    otherKey: await build().setExpirationTime('5m').sign(Buffer.alloc(32, 7)),
    expired: await build()
      .setExpirationTime(now - 60)
      .sign(key),
    early: await build()
      .setNotBefore(now + 60)
      .setExpirationTime('5m')
      .sign(key),
    otherAudience: await build().setAudience('balcao-media').setExpirationTime('5m').sign(key),
    refresh: cookieOf(reply),
    changedTenant: `${head}.${part({ ...claims, t: other.tenantId, sub: user.id, aud: 'balcao-access', exp: now + 900 })}.${signature}`,
    userOfOtherTenant: await issueAccessToken({
      tenantId: other.tenantId,
      userId: user.id,
      tokenVersion: 1,
      sessionId: v7(),
      impersonatorId: null,
    }),
    empty: '',
  }
  for (const [name, token] of Object.entries(strange)) expect([name, (await me(token)).status]).toEqual([name, 401])
  expect((await app.inject({ url: '/api/auth/me', headers: { authorization: good } })).statusCode).toBe(401)
})

test('T17: each refresh token is exchanged once; a stolen one ends the family, honest tabs stay in', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'abas@login.local', passwordHash })
  const first = cookieOf(await logIn('abas@login.local'))

  const tabs = await Promise.all([refresh(first), refresh(first), refresh(first)])
  expect(tabs.map((reply) => reply.statusCode)).toEqual([200, 200, 200])
  expect(new Set([first, ...tabs.map(cookieOf)]).size).toBe(4)
  expect(Object.keys(tabs[0]?.json())).toEqual(['token'])
  for (const tab of tabs) expect((await me(tab.json().token)).status).toBe(200)
  const next = await refresh(cookieOf(tabs[1] ?? first))
  expect(next.statusCode).toBe(200)

  await passGrace(tenant.tenantId)
  const stolen = await refresh(first)
  expect([stolen.statusCode, stolen.json().error, cookieOf(stolen)]).toEqual([401, 'ERR_SESSION_EXPIRED', ''])
  for (const living of [cookieOf(next), cookieOf(tabs[0] ?? first), cookieOf(tabs[2] ?? first)])
    expect((await refresh(living)).statusCode).toBe(401)
  expect((await me(next.json().token)).status).toBe(401)
  expect((await logIn('abas@login.local')).statusCode).toBe(200)
})

test('refresh tokens are stored only hashed, and one of no family is refused', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'hash@login.local', passwordHash })
  const cookie = cookieOf(await logIn('hash@login.local'))
  const rows = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.refreshTokens))
  expect(JSON.stringify(rows)).not.toContain(cookie.split('.')[1])
  const [, random = ''] = cookie.split('.')
  for (const strange of [
    '',
    'x',
    '1',
    `${tenant.tenantId}.`,
    `${tenant.tenantId + 1000}.${random}`,
    `-1.${random}`,
    `${tenant.tenantId}.${random}x`,
  ]) {
    expect([strange, (await refresh(strange)).statusCode]).toEqual([strange, 401])
  }
  expect((await post('/auth/refresh_token', {})).statusCode).toBe(401)
})

test('logging out ends the session at once, and only that one', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'sair@login.local', passwordHash })
  const [here, there] = [await logIn('sair@login.local'), await logIn('sair@login.local')]
  await as({ token: here.json().token }).put(`/usersIsOnline/${user.id}`, { isOnline: true })
  const out = await post('/auth/logout/', { userId: user.id }, { headers: { cookie: `jrt=${cookieOf(here)}` } })
  expect(out.statusCode).toBe(200)
  expect(out.cookies[0]).toMatchObject({ name: 'jrt', value: '', path: '/api/auth' })
  expect((await refresh(cookieOf(here))).statusCode).toBe(401)
  expect((await me(here.json().token)).status).toBe(401)
  expect((await me(there.json().token)).status).toBe(200)
  expect((await as({ token: there.json().token }).get(`/users/${user.id}`)).body.isOnline).toBe(false)
  expect((await post('/auth/logout/', {})).statusCode).toBe(200)
})

test('T18: what a cookie alone allows is refused from another site', async () => {
  const tenant = await seedTenant()
  await createUser(tenant.tenantId, { email: 'origem@login.local', passwordHash })
  const cookie = cookieOf(await logIn('origem@login.local'))
  const foreign: Record<string, string>[] = [
    { origin: 'https://malvado.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    expect((await refresh(cookie, headers)).statusCode).toBe(403)
    expect((await post('/auth/logout/', {}, { headers: { cookie: `jrt=${cookie}`, ...headers } })).statusCode).toBe(403)
  }
  const form = await app.inject({
    method: 'POST',
    url: '/api/auth/refresh_token',
    payload: 'a=1',
    remoteAddress: newAddress(),
    headers: {
      cookie: `jrt=${cookie}`,
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://malvado.example',
    },
  })
  expect(form.statusCode).toBeGreaterThanOrEqual(400)
  expect(
    (await app.inject({ method: 'GET', url: '/api/auth/refresh_token', headers: { cookie: `jrt=${cookie}` } }))
      .statusCode,
  ).toBe(404)
  const own = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
  expect((await refresh(cookie, own)).statusCode).toBe(200)
  expect(
    (await app.inject({ method: 'OPTIONS', url: '/api/users', headers: { origin: 'https://malvado.example' } }))
      .headers['access-control-allow-origin'],
  ).toBeUndefined()
})

test('T12: a new password, a block or a deletion end three sessions at once', async () => {
  const tenant = await seedTenant()
  const changes: [string, (id: string) => Promise<unknown>][] = [
    ['block', (id) => as(tenant.admin).put(`/users/${id}`, { isBlocked: true })],
    ['password', async (id) => as(tenant.admin).put(`/users/${id}`, { password: await seal('outra-senha-nova') })],
    ['delete', (id) => as(tenant.admin).delete(`/users/${id}`)],
  ]
  for (const [name, change] of changes) {
    const user = await createUser(tenant.tenantId, { email: `${name}@t12.local`, passwordHash })
    const sessions = [await logIn(user.email), await logIn(user.email), await logIn(user.email)]
    for (const session of sessions) expect((await me(session.json().token)).status).toBe(200)
    await change(user.id)
    for (const session of sessions) {
      expect([name, (await me(session.json().token)).status]).toEqual([name, 401])
      const renewed = await refresh(cookieOf(session))
      const reason = name === 'password' ? 'ERR_SESSION_EXPIRED' : 'ERR_USER_BLOCKED'
      expect([name, renewed.statusCode, renewed.json().error]).toEqual([name, 401, reason])
    }
  }
  invalidateDirectory(tenant.tenantId)
})

test('another profile or a hidden menu counts at once, and nobody has to log in again', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { profile: 'super', email: 'fica@t12.local', passwordHash })
  const session = await logIn(user.email)
  const self = as({ token: session.json().token })
  expect((await self.get('/tags')).status).toBe(200)
  const tag = { name: 'Nova', color: '#112233' }

  await as(tenant.admin).put(`/users/${user.id}`, { menuPermissions: { etiquetas: false } })
  expect(await self.post('/tags', tag)).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
  await as(tenant.admin).put(`/users/${user.id}`, { menuPermissions: {} })
  expect((await self.post('/tags', tag)).status).toBe(201)
  await as(tenant.admin).put(`/users/${user.id}`, { profile: 'user' })
  expect((await self.post('/tags', tag)).status).toBe(403)
  expect((await me(session.json().token)).body).toMatchObject({ profile: 'user' })
  expect((await refresh(cookieOf(session))).statusCode).toBe(200)
})

test('one changes the own password by knowing it, and no session survives', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'propria@login.local', passwordHash })
  const session = await logIn('propria@login.local')
  const self = as({ token: session.json().token })
  const wrong = await self.put(`/users/${user.id}/password`, {
    current: await seal('nao-e-esta'),
    next: await seal('nova-senha-boa'),
  })
  expect([wrong.status, wrong.body.error, wrong.body.details[0].path]).toEqual([422, 'ERR_PASSWORD_WRONG', 'current'])
  const overheard = await seal(password)
  const weak = await self.put(`/users/${user.id}/password`, { current: overheard, next: await seal('curta') })
  expect([weak.status, weak.body.error, weak.body.details[0].path]).toEqual([422, 'ERR_PASSWORD_WEAK', 'next'])
  expect((await post('/auth/login/', { email: user.email, password: overheard })).statusCode).toBe(401) // T20
  expect(
    (
      await self.put(`/users/${tenant.admin.id}/password`, {
        current: await seal(password),
        next: await seal('nova-senha-boa'),
      })
    ).status,
  ).toBe(404)
  const sealed = await seal('nova-senha-boa')
  expect((await self.put(`/users/${user.id}/password`, { current: await seal(password), next: sealed })).status).toBe(
    200,
  )
  expect((await me(session.json().token)).status).toBe(401)
  expect((await post('/auth/login/', { email: user.email, password: sealed })).statusCode).toBe(401)
  expect((await logIn(user.email, 'nova-senha-boa')).statusCode).toBe(200)
})

test('version and colours are open to everyone', async () => {
  expect((await app.inject({ url: '/api/check-version/' })).json()).toMatchObject({
    version: expect.any(String),
    build: expect.any(String),
  })
  expect((await app.inject({ url: '/api/publicSystemColors' })).json()).toEqual([
    { label: 'primary', value: '#0b7a75' },
  ])
})

test('without a mail server the reset link waits in the log, and the screen may say whom to ask', async () => {
  const tenant = await seedTenant()
  const user = await createUser(tenant.tenantId, { email: 'semsmtp@login.local', passwordHash })
  const warn = vi.spyOn(log, 'warn')
  expect((await app.inject({ url: '/api/auth/reset-help' })).json()).toEqual({ byEmail: false })
  const asked = await post('/password-reset', { email: user.email })
  expect([asked.statusCode, asked.json().message]).toEqual([200, 'E-mail de recuperação de senha enviado.'])
  const told = { userId: user.id, link: expect.stringMatching(/^http:\/\/localhost:3000\/reset\/\d+\.[\w-]{43}$/) }
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.objectContaining(told), expect.any(String)), {
    timeout: 10_000,
  })
  warn.mockRestore()
})
