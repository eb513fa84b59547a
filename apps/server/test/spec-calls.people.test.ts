import { expect, test } from 'vitest'
import { startTestApp } from './kit.ts'
import { sealFor } from './sealed.ts'

/** The calls under "Auth and public", "Tenant settings" and "Users", with the bodies that outside callers send. */
const { app, seedTenant, createUser, withPlatform, withTenant, schema } = await startTestApp()
const { hashPassword } = await import('../src/features/people/auth/passwords.ts')
const { issueResetToken } = await import('../src/features/people/auth/reset.service.ts')
await withPlatform('test', ({ db }) => db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
const platform = await createUser(0, { profile: 'superadmin' })
const tenant = await seedTenant({ queues: ['Vendas'] })
const { admin } = tenant
await withPlatform('test', ({ db }) => db.update(schema.tenants).set({ maxUsers: 1_000 }))
const key = (await app.inject({ url: '/api/publicEncryptionKey' })).body
const plain = 'senha-de-teste-1'
/** Sealed anew each time: none is taken twice. */
const sealed = () => sealFor(key, plain)
const passwordHash = await hashPassword(plain)

let people = 0
const addressOf = () => `pessoa${++people}@chamadas.local`
/** What a call is made with, new for each. */
const sceneOf = async () => {
  const user = await createUser(tenant.tenantId, { email: addressOf(), passwordHash })
  const { tenantId } = tenant
  const remoteAddress = `10.4.0.${people}` // nobody's limits are another's
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email: user.email, password: sealed() },
    remoteAddress,
  })
  const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const resetToken = await withTenant(tenantId, (tx) => issueResetToken(tx, user.id))
  return { user, userId: user.id, tenantId, cookie, token: login.json().token, resetToken, remoteAddress }
}
type Scene = Awaited<ReturnType<typeof sceneOf>>

const hours = Array.from({ length: 7 }, (_, day) => ({ day, label: 'dia', type: 'O', hr1: '08:00', hr2: '18:00' }))
type Call = [method: string, path: string, body?: (of: Scene) => unknown]
const calls: Call[] = [
  ['GET', '/publicEncryptionKey'],
  ['POST', '/auth/login', ({ user }) => ({ email: ` ${user.email} `, password: sealed() })],
  ['POST', '/auth/refresh_token'],
  ['POST', '/auth/logout'],
  ['POST', '/password-reset', ({ user }) => ({ email: user.email })],
  ['POST', '/reset-password', ({ resetToken }) => ({ token: resetToken, password: sealed() })],
  ['GET', '/check-version'],
  ['GET', '/publicSystemColors'],

  ['GET', '/tenants/business-hours'],
  ['PUT', '/tenants/business-hours', () => hours],
  ['PUT', '/tenants/message-business-hours', () => ({ messageBusinessHours: 'Voltamos às 8h.' })],
  ['GET', '/tenants/rating'],
  ['PUT', '/tenants/rating', () => ({ question: 'Como foi o atendimento?' })],
  ['GET', '/tenants/systemColors'],
  ['PUT', '/tenants/systemColors', () => [{ label: 'primary', value: '#0b7a75' }]],
  ['PUT', '/tenants/holidays', () => [{ date: '2026-12-25', description: 'Natal', active: true }]],

  ['GET', '/users?searchParam=&pageNumber=1'],
  ['POST', '/users', () => ({ name: 'Nina', email: addressOf(), profile: 'user', password: sealed() })],
  ['GET', '/users/:userId'],
  ['PUT', '/users/:userId', () => ({ name: 'Nina Souza' })],
  ['DELETE', '/users/:userId'],
  ['PUT', '/usersIsOnline/:userId', () => ({ isOnline: true })],
  ['PUT', '/users/:userId/configs', () => ({ isDark: true })],
  ['GET', '/users/chat-privado'],

  ['GET', '/userTenants?pageNumber=1'],
  [
    'POST',
    '/userTenants',
    ({ tenantId }) => ({ tenantId, name: 'Nina', email: addressOf(), profile: 'user', password: sealed() }),
  ],
  ['PUT', '/userTenants/:userId', ({ tenantId }) => ({ tenantId, name: 'Nina Souza' })],
  ['DELETE', '/userTenants/:userId', ({ tenantId }) => ({ tenantId })],
]
/** What has no screen yet; it gets its success with the area named here. */
const later: Record<string, { status: number; comesWith: string }> = {
  'GET /users/chat-privado': { status: 422, comesWith: 'the private internal chat' },
}

test.each(calls)(
  '%s %s does what the specification says, with a slash at its end too',
  async (method, path, bodyOf) => {
    for (const slash of ['', '/']) {
      const scene = await sceneOf()
      const call = path.replace(/:(\w+)/g, (_, name: string) => String(scene[name as keyof Scene] ?? ''))
      const token = path.startsWith('/userTenants')
        ? platform.token
        : /configs|usersIsOnline|auth\//.test(path)
          ? scene.token
          : admin.token
      const reply = await app.inject({
        method: method as 'GET',
        url: `/api${call.includes('?') ? call.replace('?', `${slash}?`) : call + slash}`,
        headers: { authorization: `Bearer ${token}`, cookie: scene.cookie },
        remoteAddress: scene.remoteAddress,
        ...(bodyOf && { payload: bodyOf(scene) as object }),
      })
      const known = later[`${method} ${path}`]
      if (known) expect(reply.statusCode, reply.body).toBe(known.status)
      else expect(reply.statusCode, reply.body).toBeLessThan(300)
    }
  },
)

test('the login answers what the browser keeps, and a refresh another token', async () => {
  const { user, remoteAddress } = await sceneOf()
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email: user.email, password: sealed() },
    remoteAddress,
  })
  const names = ['token', 'username', 'profile', 'userId', 'tenantId', 'queues', 'blockWavoip', 'whatsappAllowed']
  expect(Object.keys(login.json())).toEqual(expect.arrayContaining([...names, 'configs', 'email']))
  expect(Object.keys(login.json().configs)).toEqual(expect.arrayContaining(['filtrosAtendimento', 'isDark']))
  const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const next = await app.inject({ method: 'POST', url: '/api/auth/refresh_token', headers: { cookie }, remoteAddress })
  expect(next.json()).toMatchObject({ token: expect.any(String) })
})
