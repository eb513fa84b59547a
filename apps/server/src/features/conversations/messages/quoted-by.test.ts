import { startWuzapiSimulator } from '@balcao/simulators/wuzapi.ts'
import { desc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { eventsFor, keyOf } from '../../../channels/wuzapi/webhook.ts'
import { until } from './test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, withTenant, schema, app } = kit
const tenant = await seedTenant()
const sim = await startWuzapiSimulator({ adminToken: 'token-de-administrador', delivery: { retryDelaysMs: [] } })
const workers = await startTestWorkers('sender', 'sender rescue')
afterAll(async () => {
  // A send that is on its way would wait for a simulator that is gone.
  await workers.stop()
  await sim.close()
})

test('a gateway that looks nothing up is told who wrote what an answer quotes: a member of the group, or we', async () => {
  const user = sim.make('loja', 'token-da-loja')
  const config = { baseUrl: sim.url, token: user.token }
  const connectionId = await createConnection(tenant, { kind: 'wuzapi', externalId: 'loja', config })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  Object.assign(user, {
    webhook: `${url}/hooks/wuzapi/${connectionId}`,
    events: eventsFor.qr,
    hmacKey: keyOf({ hookSecret: 'hook-secret' }),
  })
  await sim.open('loja')
  await sim.scan('loja')
  const bruno = sim.customer({ phone: '5511977776666', name: 'Bruno Lima' })
  const group = sim.group('Vizinhos', [bruno])
  await bruno.sendText('quem vai?', { group })
  const asked = await until(async () => {
    const [row] = await withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.messages).orderBy(desc(schema.messages.id)),
    )
    return row?.body === 'quem vai?' && row
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.tickets)
      .set({ status: 'open', userId: tenant.admin.id })
      .where(eq(schema.tickets.id, asked.ticketId)),
  )

  // Nor does it look up whose message in a group was read.
  await as(tenant.admin).post(`/messages/${asked.ticketId}/read`)
  await until(async () => sim.requests.some(({ path }) => path === '/chat/markread'))
  expect(sim.requests.findLast(({ path }) => path === '/chat/markread')?.body).toMatchObject({
    ChatPhone: group.jid,
    SenderPhone: bruno.jid,
  })

  const answer = async (body: string, quotedId: string) => {
    const sent = await as(tenant.admin).post(`/messages/${asked.ticketId}`, { id: v7(), body, quotedId })
    expect(sent.status).toBe(200)
    await until(async () => bruno.inbox.some(({ text }) => text === body))
    return sent.body.id as string
  }
  const ours = await answer('eu vou', asked.id)
  expect(sim.quotedWriterIn(group.jid)).toBe(bruno.jid)
  await answer('e levo bolo', ours)
  expect(sim.quotedWriterIn(group.jid)).toBe('5511940001000@s.whatsapp.net')
})
