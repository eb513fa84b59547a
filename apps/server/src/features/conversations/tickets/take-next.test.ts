import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createTicket, withTenant, schema } = kit

const seedCompany = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const waiting = async (
    minutes: number,
    more: Partial<typeof schema.tickets.$inferInsert> = {},
    queue: 'Vendas' | 'Suporte' = 'Vendas',
  ) => {
    const id = await createTicket(tenant, { queue })
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ status: 'pending', waitingSince: new Date(Date.now() - minutes * 60_000), ...more })
        .where(eq(schema.tickets.id, id)),
    )
    return id
  }
  const next = (who = tenant.agent) => as(who).post('/tickets/next', {})
  return { ...tenant, waiting, next }
}

test('the next is whoever waits longest of those one may take', async () => {
  const company = await seedCompany()
  const { agent, admin } = company
  await company.waiting(90, {}, 'Suporte')
  await company.waiting(80, { userId: admin.id })
  await company.waiting(70, { pausedAt: new Date() })
  await company.waiting(60, { bot: 'typebot' })
  const [short, long] = [await company.waiting(5), await company.waiting(50)]
  expect(await company.next()).toMatchObject({ status: 200, body: { id: long, status: 'open', userId: agent.id } })
  expect((await company.next()).body.id).toBe(short)
  expect(await company.next()).toMatchObject({ status: 404, body: { error: 'ERR_NOBODY_WAITING' } })
})

test('two people who ask at once never get the same', async () => {
  const company = await seedCompany()
  const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => company.waiting(n + 1)))
  const got = await Promise.all(
    Array.from({ length: 6 }, (_, n) => company.next(n % 2 ? company.agent : company.admin)),
  )
  expect(got.map((one) => one.body.id).toSorted()).toEqual(ids.toSorted())
})

test('how much each colleague has in hand is numbers alone, of one’s own company', async () => {
  const company = await seedCompany()
  const { agent } = company
  await createTicket(company, { queue: 'Vendas', userId: agent.id })
  await createTicket(company, { queue: 'Vendas', userId: agent.id })
  expect((await as(agent).get('/ticketsLoad')).body).toEqual({ items: [{ userId: agent.id, open: 2 }] })
  const other = await seedCompany()
  expect((await as(other.agent).get('/ticketsLoad')).body).toEqual({ items: [] })
})
