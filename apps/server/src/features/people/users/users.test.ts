import { setTimeout as sleep } from 'node:timers/promises'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'
import { sealFor } from '../../../../test/sealed.ts'

const {
  app,
  as,
  seedTenant,
  createUser,
  createTicket,
  createContact,
  schema,
  withTenant,
  withPlatform,
  invalidateDirectory,
} = await startTestApp()
const { and, eq, sql } = await import('drizzle-orm')

const key = (await app.inject({ url: '/api/publicEncryptionKey' })).body
const seal = (text: string) => sealFor(key, text)
const newUser = (more: object = {}) => ({
  name: 'Lia Prado',
  email: `${v7()}@usuarios.local`,
  profile: 'user',
  password: seal('senha-da-lia'),
  ...more,
})
const rowOf = async (user: { tenantId: number; id: string }) => {
  const [row] = await withTenant(user.tenantId, (tx) =>
    tx.db.select().from(schema.users).where(eq(schema.users.id, user.id)),
  )
  return row
}
const eventsOf = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.outbox).orderBy(schema.outbox.seq))

test('an administrator creates a user who can log in, with an audit row and an event', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const created = await as(tenant.admin).post(
    '/users',
    newUser({ email: ' Lia@Usuarios.LOCAL', queueIds: [tenant.queues.Vendas] }),
  )
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    name: 'Lia Prado',
    email: 'lia@usuarios.local',
    profile: 'user',
    isSupport: false,
    queues: [{ name: 'Vendas' }],
    version: 1,
  })
  expect(JSON.stringify(created.body)).not.toContain('argon2')
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email: 'lia@usuarios.local', password: seal('senha-da-lia') },
  })
  expect(login.json()).toMatchObject({ userId: created.body.id, queues: [{ name: 'Vendas' }] })
  const audit = (await as(tenant.admin).get(`/audit?entityId=${created.body.id}`)).body.items
  expect(audit).toMatchObject([
    {
      action: 'create',
      entity: 'user',
      user: { id: tenant.admin.id },
      before: null,
      after: { email: 'lia@usuarios.local' },
    },
  ])
  expect(JSON.stringify(audit)).not.toContain('argon2')
  expect((await eventsOf(tenant.tenantId)).map((event) => event.name)).toContain('user.updated')
})

test('somebody who is created without a password gets in by their invitation alone', async () => {
  const tenant = await seedTenant()
  const created = await as(tenant.admin).post('/users', newUser({ email: 'rita@usuarios.local', password: undefined }))
  expect(created.status).toBe(201)
  const logIn = async (password: string) => {
    const payload = { email: 'rita@usuarios.local', password: seal(password) }
    return (await app.inject({ method: 'POST', url: '/api/auth/login/', payload })).json()
  }
  for (const guess of ['senha-da-lia', 'undefined', ' '])
    expect(await logIn(guess)).toMatchObject({ error: 'ERR_INVALID_CREDENTIALS' })
  const { link } = (await as(tenant.admin).post(`/users/${created.body.id}/invite`)).body
  const token = decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? '')
  const payload = { token, name: 'Rita Alves', password: seal('senha-da-rita') }
  expect((await app.inject({ method: 'POST', url: '/api/reset-password', payload })).statusCode).toBe(200)
  expect(await logIn('senha-da-rita')).toMatchObject({ userId: created.body.id, username: 'Rita Alves' })
})

test('what cannot be created is refused with the field that is wrong', async () => {
  const [tenant, other] = [await seedTenant(), await seedTenant({ queues: ['Alheia'] })]
  const create = (more: object) => as(tenant.admin).post('/users', newUser(more))
  expect((await create({ email: other.admin.email })).body).toMatchObject({ error: 'ERR_DUPLICATED_EMAIL' })
  expect((await create({ email: tenant.agent.email.toUpperCase() })).body).toMatchObject({
    error: 'ERR_DUPLICATED_EMAIL',
  })
  expect((await create({ password: seal('curta') })).body).toMatchObject({
    error: 'ERR_PASSWORD_WEAK',
    details: [{ path: 'password' }],
  })
  expect((await create({ password: 'senha-em-claro' })).body).toMatchObject({ error: 'ERR_PASSWORD_PLAIN' })
  expect((await create({ queueIds: [other.queues.Alheia] })).body).toMatchObject({
    error: 'ERR_VALIDATION',
    details: [{ path: 'queueIds' }],
  })
  expect((await create({ profile: 'superadmin' })).body).toMatchObject({
    error: 'ERR_VALIDATION',
    details: [{ path: 'profile' }],
  })
  expect((await create({ name: ' ' })).body).toMatchObject({
    error: 'ERR_VALIDATION',
    details: [{ path: 'name', message: 'Informe o nome.' }],
  })
  await as(tenant.admin).put('/settings', { userCreation: false })
  expect((await create({})).body).toMatchObject({ error: 'ERR_USER_CREATION_DISABLED' })
  for (const user of [tenant.agent, tenant.supervisor])
    expect((await as(user).post('/users', newUser())).status).toBe(403)
})

test('T51: the last seat of the plan is taken once, by twenty at the same time', async () => {
  const tenant = await seedTenant()
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ maxUsers: 4 }).where(eq(schema.tenants.id, tenant.tenantId)),
  )
  // Hashing lets two through at a time; held back before the insert, they all stand at the door together.
  const replies = await withPlatform('test', async (tx) => {
    await tx.db.execute(sql`lock table users in share mode`)
    const waiting = Promise.all(Array.from({ length: 20 }, () => as(tenant.admin).post('/users', newUser())))
    await sleep(1_500)
    return { waiting }
  }).then(({ waiting }) => waiting)
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
  expect(replies.filter((reply) => reply.body.error === 'ERR_USER_LIMIT_USER_CREATION')).toHaveLength(19)
  const one = replies.find((reply) => reply.status === 201)?.body.id
  expect((await as(tenant.admin).delete(`/users/${one}`)).status).toBe(204)
  expect((await as(tenant.admin).post('/users', newUser())).status).toBe(201)
})

test('T06: nobody gains rights by sending fields that are not theirs to write', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: [] })
  const other = await seedTenant()
  const before = await rowOf(tenant.agent)
  const greedy = {
    name: 'Ana Nova',
    email: 'tomado@usuarios.local',
    profile: 'admin',
    isSuper: true,
    isSupport: true,
    permissions: ['users.write'],
    tenantId: other.tenantId,
    passwordHash: 'x',
    password: seal('senha-tomada'),
    blockWavoip: false,
    tokenVersion: 99,
    queueIds: [tenant.queues.Vendas],
    menuPermissions: { x: true },
    isBlocked: false,
    id: v7(),
  }
  const own = await as(tenant.agent).put(`/users/${tenant.agent.id}`, greedy)
  expect([own.status, own.body.name, own.body.profile, own.body.email]).toEqual([
    200,
    'Ana Nova',
    'user',
    tenant.agent.email,
  ])
  const after = await rowOf(tenant.agent)
  expect(after).toEqual({ ...before, name: 'Ana Nova', version: 2, updatedAt: after?.updatedAt })
  expect(own.body.queues).toEqual([])

  const configs = await as(tenant.agent).put(`/users/${tenant.agent.id}/configs`, { isDark: true, profile: 'admin' })
  expect(configs.status).toBe(422)
  expect((await as(tenant.agent).put(`/users/${tenant.supervisor.id}`, { name: 'Outra' })).status).toBe(403)
  expect((await as(tenant.supervisor).put(`/users/${tenant.agent.id}`, { profile: 'admin' })).status).toBe(403)

  const byAdmin = await as(tenant.admin).put(`/users/${tenant.agent.id}`, {
    isSupport: true,
    tenantId: other.tenantId,
    passwordHash: 'x',
    tokenVersion: 99,
  })
  expect(byAdmin.status).toBe(200)
  expect(await rowOf(tenant.agent)).toMatchObject({
    isSupport: false,
    tenantId: tenant.tenantId,
    passwordHash: before?.passwordHash,
    tokenVersion: 1,
  })
  expect((await as(tenant.admin).put(`/users/${tenant.agent.id}`, { profile: 'superadmin' })).status).toBe(422)
})

test('T11: what lives behind a hidden menu is refused by the server', async () => {
  const tenant = await seedTenant()
  const without = await createUser(tenant.tenantId, {
    profile: 'admin',
    menuPermissions: { usuarios: false, configuracoes: false, 'horario-atendimento': false },
  })
  expect((await as(without).get('/users')).status).toBe(403)
  expect((await as(without).put(`/users/${tenant.agent.id}`, { name: 'Outra' })).status).toBe(403)
  expect((await as(without).put('/settings', { signed: true })).status).toBe(403)
  expect((await as(without).put('/tenants/holidays', [])).status).toBe(403)
  expect((await as(tenant.admin).get('/users')).status).toBe(200)

  await withPlatform('test', (tx) =>
    tx.db
      .update(schema.tenants)
      .set({ menuVisibility: { usuarios: false } })
      .where(eq(schema.tenants.id, tenant.tenantId)),
  )
  invalidateDirectory(tenant.tenantId)
  expect((await as(tenant.admin).get('/users')).status).toBe(403)
  expect((await as(tenant.admin).get('/auth/me')).body.menuVisibility).toMatchObject({ usuarios: false })
})

test('the list is searched, sorted and paged by key; a stranger sees nothing of it', async () => {
  const [tenant, other] = [await seedTenant(), await seedTenant()]
  for (const name of ['Ângela', 'Bento', 'Caio', 'Dora', 'Élio', 'Fábio'])
    await createUser(tenant.tenantId, { name, email: `${v7()}@lista.local` })
  const names = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map((item) => item.name)
  const list = (query: string) => as(tenant.admin).get(`/users/?${query}`)
  expect(names(await list('searchParam=angela'))).toEqual(['Ângela'])
  expect(names(await list('searchParam=%25'))).toEqual([])
  expect((await list('searchParam=@lista.local&count=true')).body.count).toBe(6)
  for (const sort of ['name', 'email', 'createdAt', 'lastLoginAt']) {
    for (const direction of ['asc', 'desc']) {
      const whole = names(await list(`sort=${sort}&direction=${direction}&limit=200`))
      const paged: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page = await list(
          `sort=${sort}&direction=${direction}&limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
        )
        paged.push(...names(page))
        cursor = page.body.nextCursor
      }
      expect(paged).toEqual(whole)
      expect(whole).toHaveLength(9)
    }
  }
  expect(names(await list('limit=2&pageNumber=2'))).toEqual(names(await list('limit=4')).slice(2))
  expect(names(await list('profile=admin,super')).sort()).toEqual(['Bruna Lima', 'Carla Dias'])
  expect((await list('cursor=lixo')).status).toBe(422)
  expect((await as(other.admin).get(`/users/${tenant.agent.id}`)).status).toBe(404)
  for (const method of ['PUT', 'DELETE'])
    expect((await as(other.admin).send(method, `/users/${tenant.agent.id}`, {})).status).toBe(404)
  expect((await as(other.admin).put(`/usersIsOnline/${tenant.agent.id}`, { isOnline: true })).status).toBe(404)
  expect(names(await as(other.admin).get('/users?limit=200'))).toHaveLength(3)
  expect((await as(tenant.agent).get('/users')).status).toBe(403)
  expect((await as(tenant.agent).get('/users/options')).body).toHaveLength(9)
})

test('everyone reads themselves, with their rights; colleagues only as an administrator', async () => {
  const tenant = await seedTenant()
  const self = await as(tenant.agent).get(`/users/${tenant.agent.id}`)
  expect(self.body).toMatchObject({
    id: tenant.agent.id,
    permissions: expect.arrayContaining(['tickets.read']),
    menuVisibility: {},
    configuracoes: { nullticket: false },
  })
  expect((await as(tenant.agent).get(`/users/${tenant.admin.id}`)).status).toBe(403)
  const other = await as(tenant.admin).get(`/users/${tenant.agent.id}`)
  expect([other.status, other.body.permissions]).toEqual([200, undefined])
  expect((await as(tenant.admin).get(`/users/${v7()}`)).status).toBe(404)
  expect((await as(tenant.admin).get('/users/nada')).status).toBe(422)
})

test('an update changes only what it names, and an old version is told what changed', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const saved = await as(tenant.admin).put(`/users/${tenant.agent.id}`, { name: 'Ana Lima', version: 1 })
  expect(saved.body).toMatchObject({
    name: 'Ana Lima',
    version: 2,
    queues: [{ name: 'Vendas' }],
    email: tenant.agent.email,
  })
  const stale = await as(tenant.admin).put(`/users/${tenant.agent.id}`, { name: 'Ana Maria', version: 1 })
  expect([stale.status, stale.body.error, stale.body.details.current.name]).toEqual([409, 'ERR_CONFLICT', 'Ana Lima'])
  const both = await Promise.all(
    ['A', 'B'].map((name) => as(tenant.admin).put(`/users/${tenant.agent.id}`, { name, version: 2 })),
  )
  expect(both.map((reply) => reply.status).sort()).toEqual([200, 409])
  expect((await as(tenant.admin).put(`/users/${tenant.agent.id}`, { queueIds: [] })).body.queues).toEqual([])
  expect((await as(tenant.admin).put(`/users/${tenant.agent.id}`, { email: tenant.admin.email })).body.error).toBe(
    'ERR_DUPLICATED_EMAIL',
  )
  expect(
    (await as(tenant.admin).put(`/users/${tenant.admin.id}`, { password: seal('senha-qualquer') })).body,
  ).toMatchObject({ details: [{ path: 'password' }] })
})

test('the last active administrator stays', async () => {
  const tenant = await seedTenant()
  const admin = as(tenant.admin)
  for (const change of [{ profile: 'user' }, { isBlocked: true }, { menuPermissions: { usuarios: false } }]) {
    expect((await admin.put(`/users/${tenant.admin.id}`, change)).body.error).toBe('ERR_LAST_ADMIN')
  }
  expect((await admin.delete(`/users/${tenant.admin.id}`)).body.error).toBe('ERR_LAST_ADMIN')
  const second = await createUser(tenant.tenantId, { profile: 'admin' })
  const both = await Promise.all([
    admin.put(`/users/${second.id}`, { profile: 'user' }),
    as(second).put(`/users/${tenant.admin.id}`, { profile: 'user' }),
  ])
  const left = await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.users)
      .where(and(eq(schema.users.tenantId, tenant.tenantId), eq(schema.users.profile, 'admin'))),
  )
  expect(left).toHaveLength(1)
  expect(both.filter((reply) => reply.status === 200)).toHaveLength(1)
})

test('what a blocked person worked on waits for others; unblocked, they begin anew', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  const block = (isBlocked: boolean) => as(tenant.admin).put(`/users/${tenant.agent.id}`, { isBlocked })
  const ticket = async () => (await as(tenant.admin).get(`/tickets/${ticketId}`)).body
  expect((await block(true)).status).toBe(200)
  expect(await ticket()).toMatchObject({ status: 'pending', userId: null, queueId: tenant.queues.Vendas })
  await as(tenant.admin).put(`/tickets/${ticketId}`, { status: 'open' })
  expect((await block(false)).status).toBe(200)
  expect(await ticket()).toMatchObject({ status: 'open', userId: tenant.admin.id })
})

test('whoever leaves says how many conversations return, and one chooses to whom', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const heir = await createUser(tenant.tenantId, { name: 'Herdeira' })
  const [leaver, blocked] = [await createUser(tenant.tenantId), await createUser(tenant.tenantId)]
  const open = await createTicket(tenant, { userId: leaver.id, queue: 'Vendas', status: 'open' })
  await createTicket(tenant, { userId: leaver.id, queue: 'Vendas', status: 'closed' })
  const other = await createTicket(tenant, { userId: blocked.id, queue: 'Vendas', status: 'open' })
  const admin = as(tenant.admin)
  invalidateDirectory(tenant.tenantId)

  expect((await admin.get(`/users/${leaver.id}/work`)).body).toEqual({ tickets: 1 })
  expect((await as(tenant.agent).get(`/users/${leaver.id}/work`)).status).toBe(403)
  for (const wrong of [leaver.id, v7()])
    expect((await admin.delete(`/users/${leaver.id}`, { handOverTo: wrong })).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: [{ path: 'handOverTo' }],
    })
  expect((await admin.delete(`/users/${leaver.id}`, { handOverTo: heir.id })).status).toBe(204)
  expect((await admin.put(`/users/${blocked.id}`, { isBlocked: true, handOverTo: heir.id })).status).toBe(200)
  for (const id of [open, other])
    expect((await as(heir).get(`/tickets/${id}`)).body).toMatchObject({ status: 'open', userId: heir.id })
  const log = (await admin.get(`/tickets/${open}/logs`)).body
  expect(JSON.stringify(log)).toContain('receivedTransfer')
})

test('who is deleted leaves the lists, frees the e-mail, and what they worked on waits for others', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const contactId = await createContact(tenant, { walletIds: [tenant.agent.id] })
  const open = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  const closed = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, status: 'closed' })
  expect((await as(tenant.agent).delete(`/users/${tenant.agent.id}`)).status).toBe(403)
  expect((await as(tenant.admin).delete(`/users/${tenant.agent.id}`)).status).toBe(204)
  const rows = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  expect(rows.find((row) => row.id === open)).toMatchObject({
    status: 'pending',
    userId: null,
    queueId: tenant.queues.Vendas,
    version: 2,
  })
  expect(rows.find((row) => row.id === closed)).toMatchObject({ status: 'closed', userId: tenant.agent.id })
  const logs = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.ticketLogs))
  expect(logs).toMatchObject([
    { ticketId: open, type: 'pending', userId: tenant.admin.id, note: 'Usuário Ana Souza excluído' },
  ])
  expect(await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.contactWallets))).toEqual([])
  const told = (await eventsOf(tenant.tenantId)).find((event) => event.name === 'ticket.updated')
  expect(told).toMatchObject({
    payload: { id: open, status: 'pending', userId: null },
    audience: { kind: 'ticket', before: { userId: tenant.agent.id } },
  })
  expect((await as(tenant.admin).get(`/users/${tenant.agent.id}`)).status).toBe(404)
  expect((await as(tenant.admin).delete(`/users/${tenant.agent.id}`)).status).toBe(404)
  expect((await as(tenant.admin).post('/users', newUser({ email: tenant.agent.email }))).status).toBe(201)
})

test('preferences are merged and belong to their owner', async () => {
  const tenant = await seedTenant()
  const mine = (body: object, user: TestUser = tenant.agent) => as(user).put(`/users/${tenant.agent.id}/configs`, body)
  await mine({ isDark: true })
  expect((await mine({ filtrosAtendimento: { status: ['open'], showAll: true } })).body).toMatchObject({
    isDark: true,
    sound: true,
    filtrosAtendimento: { status: ['open'] },
  })
  expect((await mine({ isDark: false }, tenant.admin)).status).toBe(404)
  expect((await as(tenant.agent).get('/auth/me')).body.configs).toMatchObject({ isDark: true })
})

test("presence is one's own or an administrator's to set, and colleagues hear of it once", async () => {
  const tenant = await seedTenant()
  expect((await as(tenant.agent).put(`/usersIsOnline/${tenant.agent.id}`, { isOnline: true })).body).toEqual({
    isOnline: true,
  })
  await as(tenant.agent).put(`/usersIsOnline/${tenant.agent.id}`, { isOnline: true })
  expect((await eventsOf(tenant.tenantId)).filter((event) => event.name === 'presence.user')).toHaveLength(1)
  expect((await as(tenant.agent).put(`/usersIsOnline/${tenant.supervisor.id}`, { isOnline: true })).status).toBe(403)
  expect((await as(tenant.admin).put(`/usersIsOnline/${tenant.agent.id}`, { isOnline: false })).status).toBe(200)
  expect(await rowOf(tenant.agent)).toMatchObject({ isOnline: false })
})
