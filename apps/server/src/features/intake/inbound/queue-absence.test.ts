import { alwaysOpen } from '@balcao/contract/core/business-hours.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createConnection, withTenant, schema } = await startTestApp()
const { ingest, settleInbound } = await import('./inbound.service.ts')
const { runDueTurns } = await import('../../conversations/turns/turns.loop.ts')

const closed = alwaysOpen.map((day) => ({ ...day, type: 'C' as const }))

/** What a customer who writes to the queue reads at once. */
const answerOf = async (company: object, queue: object) => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  await as(tenant.admin).put('/settings', company)
  await as(tenant.admin).put(`/queue/${tenant.queues.Vendas}`, queue)
  const connectionId = await createConnection(tenant)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ queueId: tenant.queues.Vendas })
      .where(eq(schema.connections.id, connectionId)),
  )
  for (const providerId of ['1', '2'])
    await ingest(tenant.tenantId, connectionId, [
      {
        kind: 'message',
        providerId: `${tenant.tenantId}-${providerId}`,
        from: { identities: [{ kind: 'webchat', value: `v${tenant.tenantId}` }], name: 'Maria Lima' },
        fromMe: false,
        timestamp: new Date(),
        content: { type: 'text', body: 'Oi' },
      },
    ])
  await settleInbound()
  await runDueTurns()
  const said = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.tenantId, tenant.tenantId)),
  )
  return said.filter(({ fromMe }) => fromMe).map(({ body }) => body)
}

test('a closed queue answers in its own words, once, though the company is open', async () => {
  const company = { businessHours: alwaysOpen, messageBusinessHours: 'Da empresa' }
  expect(await answerOf(company, { businessHours: closed, absenceMessage: 'De vendas' })).toEqual(['De vendas'])
  expect(await answerOf(company, { businessHours: closed })).toEqual(['Da empresa'])
})

test('the words for closed hours are filled in; what is not known is left empty', async () => {
  const company = { businessHours: closed, messageBusinessHours: 'Oi, {{firstName}}! Voltamos às 8h. {{email}}' }
  expect(await answerOf(company, {})).toEqual(['Oi, Maria! Voltamos às 8h.'])
})

test('an open queue says nothing of closed hours, though the company is closed', async () => {
  const company = { businessHours: closed, messageBusinessHours: 'Da empresa' }
  expect(await answerOf(company, { businessHours: alwaysOpen, absenceMessage: 'De vendas' })).toEqual([])
  expect(await answerOf(company, { absenceMessage: 'De vendas' })).toEqual(['De vendas'])
})
