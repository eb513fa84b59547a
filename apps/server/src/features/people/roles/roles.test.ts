import { expect, test } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'

const { as, call, createContact, createUser, schema, seedTenant, createTicket, withPlatform } = await startTestApp()

const rightsOf = async (user: TestUser): Promise<string[]> => (await as(user).get('/auth/me')).body.permissions
const newRole = async (
  admin: TestUser,
  permissions: string[],
  name = `Perfil ${permissions.join(' ')}`.slice(0, 60),
) => {
  const reply = await as(admin).post('/roles', { name, permissions })
  expect(reply.status).toBe(201)
  return reply.body
}
const give = (admin: TestUser, user: TestUser, roleId: string) => as(admin).put(`/users/${user.id}`, { roleId })

test('a role grants what it names and no more, at once, and so does a change of it', async () => {
  const { admin, agent, queues, tenantId } = await seedTenant({ queues: ['Vendas'] })
  await createContact({ tenantId })
  const ticketId = await createTicket({ tenantId, queues }, { queue: 'Vendas' })
  const role = await newRole(admin, ['tickets.read', 'tickets.showAll', 'ratings.read'], 'Qualidade')

  expect((await give(admin, agent, role.id)).body).toMatchObject({ profile: 'user', role: { name: 'Qualidade' } })
  expect((await as(agent).get(`/tickets/${ticketId}`)).status).toBe(200)
  expect((await as(agent).put(`/tickets/${ticketId}`, { status: 'open' })).status).toBe(403)
  expect((await as(agent).get('/contacts')).status).toBe(403)
  expect((await as(agent).get('/auth/me')).body).toMatchObject({ profile: 'user', roleName: 'Qualidade' })

  await as(admin).put(`/roles/${role.id}`, { permissions: ['contacts.export', 'users.supervise'] })
  expect((await as(agent).get('/contacts')).status).toBe(200) // who exports them sees them
  expect((await as(agent).get(`/tickets/${ticketId}`)).status).toBe(403)
  expect((await as(agent).get('/auth/me')).body).toMatchObject({ profile: 'super' })
  expect((await as(admin).get('/roles')).body.items).toMatchObject([{ name: 'Qualidade', usersCount: 1 }])
})

test('a profile takes the role away; a role somebody has stays, one that nobody has goes', async () => {
  const { admin, agent } = await seedTenant()
  const role = await newRole(admin, ['contacts.read'])
  await give(admin, agent, role.id)
  const kept = await as(admin).delete(`/roles/${role.id}`)
  expect([kept.status, kept.body.error, kept.body.message]).toEqual([
    409,
    'ERR_ROLE_IN_USE',
    'Este perfil é de 1 pessoa. Escolha outro para ela antes.',
  ])
  expect((await as(admin).put(`/users/${agent.id}`, { profile: 'super' })).body).toMatchObject({
    profile: 'super',
    role: null,
  })
  expect(await rightsOf(agent)).toContain('users.supervise')
  expect((await as(admin).delete(`/roles/${role.id}`)).status).toBe(204)
})

test('nobody grants more than they have, nor takes over somebody who has more', async () => {
  const { admin, agent, supervisor, tenantId } = await seedTenant()
  const people = await newRole(admin, ['users.write', 'contacts.read', 'tickets.read'], 'Pessoal')
  await give(admin, agent, people.id)
  const refused = { status: 403, body: { error: 'ERR_RIGHTS_BEYOND' } }

  expect(await as(agent).post('/roles', { name: 'Tudo', permissions: ['settings.write'] })).toMatchObject(refused)
  expect(await as(agent).put(`/roles/${people.id}`, { permissions: ['audit.read'] })).toMatchObject(refused)
  expect(await as(agent).put(`/users/${agent.id}`, { profile: 'admin' })).toMatchObject(refused)
  const other = await createUser(tenantId)
  expect(await as(agent).put(`/users/${other.id}`, { profile: 'admin' })).toMatchObject(refused)
  for (const target of [admin, supervisor]) {
    expect(await as(agent).put(`/users/${target.id}`, { email: `${target.id}@x.local` })).toMatchObject(refused)
    expect(await as(agent).delete(`/users/${target.id}`, {})).toMatchObject(refused)
    expect(await as(agent).post(`/users/${target.id}/invite`)).toMatchObject(refused)
  }
  const few = await newRole(agent, ['contacts.read'], 'Só contatos')
  await as(admin).put(`/users/${other.id}`, { roleId: few.id })
  expect((await as(agent).put(`/users/${other.id}`, { name: 'Outro nome' })).status).toBe(200)
})

test('the company keeps somebody who may give access, whatever becomes of their role', async () => {
  const { admin, agent } = await seedTenant()
  const role = await newRole(admin, ['users.write', 'settings.write', 'contacts.read'], 'Gestão')
  await give(admin, agent, role.id)
  const last = await as(agent).put(`/users/${agent.id}`, { name: 'Ana' })
  expect(last.body.profile).toBe('admin')
  expect((await as(admin).put(`/users/${admin.id}`, { roleId: role.id })).status).toBe(200)

  const lost = await as(admin).put(`/roles/${role.id}`, { permissions: ['contacts.read'] })
  expect([lost.status, lost.body.error]).toEqual([409, 'ERR_LAST_ADMIN'])
  expect(await rightsOf(admin)).toContain('users.write')
})

test('a role of another company is not there, and one cannot name what only the platform may do', async () => {
  const [one, two] = [await seedTenant(), await seedTenant()]
  const role = await newRole(one.admin, ['contacts.read'])
  expect((await give(two.admin, two.agent, role.id)).status).toBe(422)
  expect((await as(two.admin).get(`/roles/${role.id}`)).status).toBe(404)
  expect((await as(one.admin).post('/roles', { name: 'Dono', permissions: ['tenants.write'] })).status).toBe(422)
  expect((await as(one.agent).get('/roles')).status).toBe(403)
  expect((await call('GET', '/roles')).status).toBe(401)
})

test('of a suspended company the administrators enter, to look and to take along, and nobody else; of a closed one nobody', async () => {
  const { admin, agent, supervisor, tenantId } = await seedTenant()
  await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
  const root = await createUser(0, { profile: 'superadmin' })
  const contactId = await createContact({ tenantId })
  const renew = async (user: TestUser) => ({ ...user, token: (await freshToken(user)) ?? '' })
  expect((await as(root).put(`/tenants/${tenantId}`, { status: 'suspended' })).status).toBe(200)
  const [boss, lead, hand] = await Promise.all([admin, supervisor, agent].map(renew))
  if (!boss || !lead || !hand) throw new Error('nobody')

  expect((await as(boss).get('/auth/me')).body.tenant.status).toBe('suspended')
  expect((await as(boss).get(`/contacts/${contactId}`)).status).toBe(200)
  for (const [method, url] of [
    ['GET', '/tickets'],
    ['PUT', `/contacts/${contactId}`],
    ['POST', '/users'],
    ['PUT', '/settings'],
  ] as const)
    expect([url, (await as(boss).send(method, url, {})).status]).toEqual([url, 403])
  for (const one of [lead, hand]) expect((await as(one).get('/auth/me')).body.error).toBe('ERR_TENANT_INACTIVE')

  await as(root).put(`/tenants/${tenantId}`, { status: 'closed' })
  expect((await as(await renew(admin)).get('/auth/me')).body.error).toBe('ERR_TENANT_INACTIVE')
  const record = await as(root).get(`/tenantsAudit?tenantId=${tenantId}`)
  expect(JSON.stringify(record.body)).toContain('tenant.closed')
})

/** A token as after a new log-in: changing the state of a company ends every session. */
const freshToken = async ({ tenantId, id }: TestUser) => {
  const { issueAccessToken } = await import('../auth/access-token.ts')
  const { getDirectory, invalidateDirectory } = await import('../../core/directory/directory.ts')
  invalidateDirectory(tenantId)
  const tokenVersion = (await getDirectory(tenantId)).people.get(id)?.tokenVersion ?? 0
  return issueAccessToken({ tenantId, userId: id, tokenVersion, sessionId: crypto.randomUUID(), impersonatorId: null })
}
