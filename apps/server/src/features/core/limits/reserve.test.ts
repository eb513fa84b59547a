import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, createContact, schema, seedTenant, withPlatform, withTenant } = await startTestApp()
const { storeFile } = await import('../media/media.service.ts')

const limit = (tenantId: number, limits: Partial<typeof schema.tenants.$inferInsert>) =>
  withPlatform('test', (tx) => tx.db.update(schema.tenants).set(limits).where(eq(schema.tenants.id, tenantId)))

test('of many who ask for the last places at once only as many get one as there are', async () => {
  const { admin, tenantId } = await seedTenant()
  await limit(tenantId, { maxContacts: 3, maxConnections: 2, maxUsers: 5 })
  const statuses = async (body: (n: number) => Promise<{ status: number; body: { error?: string } }>) => {
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => body(n)))
    return replies.map(({ status, body }) => (status < 300 ? 'taken' : body.error)).sort()
  }
  const taken = (n: number, code: string) => [...Array(8 - n).fill(code), ...Array(n).fill('taken')]

  expect(await statuses((n) => as(admin).post('/contacts', { name: `Cliente ${n}` }))).toEqual(
    taken(3, 'ERR_CONTACT_LIMIT'),
  )
  expect(
    await statuses((n) => as(admin).post('/whatsapp', { kind: 'webchat', name: `Chat ${n}`, config: {} })),
  ).toEqual(taken(2, 'ERR_CONNECTION_LIMIT'))
  expect(
    await statuses((n) => as(admin).post('/users', { name: `Pessoa ${n}`, email: `${v7()}@x.local`, profile: 'user' })),
  ).toEqual(taken(2, 'ERR_USER_LIMIT_USER_CREATION'))
})

test('files of the team stop at the limit of the plan; what customers send is kept', async () => {
  const { agent, tenantId } = await seedTenant()
  await limit(tenantId, { maxStorageMb: 1 })
  const half = Buffer.alloc(600 * 1024, 'a')
  const put = (userId?: string) => storeFile({ tenantId, userId, bytes: half, name: 'a.txt' })
  const outcomes = await Promise.allSettled([put(agent.id), put(agent.id), put(agent.id)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ERR_STORAGE_LIMIT' })
  await expect(put()).resolves.toMatchObject({ size: half.length })
  const rows = await withTenant(tenantId, (tx) => tx.db.select().from(schema.files))
  expect(rows).toHaveLength(2)
})

test('a contact that became part of another takes no place', async () => {
  const { admin, tenantId } = await seedTenant()
  const [kept, merged] = [await createContact({ tenantId }), await createContact({ tenantId })]
  await limit(tenantId, { maxContacts: 2 })
  expect((await as(admin).post('/contacts', { name: 'Rita' })).status).toBe(409)
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ mergedIntoId: kept }).where(eq(schema.contacts.id, merged)),
  )
  expect((await as(admin).post('/contacts', { name: 'Rita' })).status).toBe(201)
})
