import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createUser, createContact, createConnection, createTicket, withTenant, schema } =
  await startTestApp()
const { audiencesOf } = await import('./contacts.events.ts')

const company = async () => {
  const tenant = await seedTenant({
    queues: ['Vendas'],
    agentIn: ['Vendas'],
    settings: { DirectTicketsToWallets: true },
  })
  const owner = await createUser(tenant.tenantId, { name: 'Diego' })
  const contactId = await createContact(tenant, { name: 'Dele', walletIds: [owner.id] })
  return { tenant, owner, contactId }
}

test('who serves a contact of somebody else’s wallet reads and corrects it, and it stays in that wallet', async () => {
  const { tenant, owner, contactId } = await company()
  const me = as(tenant.agent)
  const panel = ['', '/story', '/media', '/merges'].map((part) => `/contacts/${contactId}${part}`)
  const schedule = {
    contactId,
    connectionId: await createConnection(tenant),
    body: 'Oi',
    scheduleDate: new Date(Date.now() + 86_400_000).toISOString(),
  }
  for (const path of panel) expect((await me.get(path)).status, path).toBe(404)
  expect((await me.post('/messagesSchedule', schedule)).status).toBe(422)

  await createTicket(tenant, { contactId, queue: 'Vendas', userId: tenant.agent.id })
  for (const path of panel) expect((await me.get(path)).status, path).toBe(200)
  expect(await me.put(`/contacts/${contactId}`, { notes: 'Prefere a tarde', walletIds: [owner.id] })).toMatchObject({
    status: 200,
    body: { notes: 'Prefere a tarde' },
  })
  expect(await me.put(`/contact-tags/${contactId}`, { tags: [] })).toMatchObject({ status: 200 })
  const { id } = (await me.post('/messagesSchedule', schedule)).body
  expect((await me.get(`/scheduleMessages?contactId=${contactId}`)).body.items).toMatchObject([{ id }])

  for (const reply of [
    await me.put(`/contact-wallet/${contactId}`, { wallets: [tenant.agent.id] }),
    await me.put(`/contacts/${contactId}`, { walletIds: [] }),
  ])
    expect(reply).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
  expect((await me.get('/contacts')).body.items).toEqual([])
})

test('who reads a contact is who hears of it: owners, administrators, and whoever serves or takes part', async () => {
  const { tenant, contactId } = await company()
  const [serves, served, guest, stranger] = await Promise.all(
    ['Ana', 'Bia', 'Caio', 'Rui'].map((name) => createUser(tenant.tenantId, { name })),
  )
  if (!serves || !served || !guest || !stranger) throw new Error('nobody there')
  await createTicket(tenant, { contactId, userId: serves.id })
  await createTicket(tenant, { contactId, userId: served.id, status: 'closed' })
  const shared = { tenantId: tenant.tenantId, contactId, connectionId: await createConnection(tenant) }
  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schema.tickets).values({ ...shared, protocol: v7(), status: 'open', sharedWith: [guest.id] }),
  )

  const audiences = await withTenant(tenant.tenantId, (tx) => audiencesOf(tx, contactId))
  expect(audiences).toContainEqual({ kind: 'permission', can: 'contacts.delete' })
  const people = [serves, served, guest, stranger, tenant.agent, tenant.supervisor]
  const reads = await Promise.all(
    people.map(async (one) => (await as(one).get(`/contacts/${contactId}`)).status === 200),
  )
  const hears = people.map((one) => audiences.some((to) => to.kind === 'user' && to.userId === one.id))
  expect(reads).toEqual([true, true, true, false, false, false])
  expect(hears).toEqual(reads)
})
