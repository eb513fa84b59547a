import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createConnection, createTicket, withTenant, schema } = kit

const config = { provider: 'smsdev', smsdevKey: 'chave-da-conta', isPlain: false }
const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const sms = await createConnection(tenant, { kind: 'sms', config })
  const contactId = await createContact(tenant, { name: 'João Souza' })
  const tellPhone = (number: string | null) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.update(schema.contacts).set({ number }).where(eq(schema.contacts.id, contactId)),
    )
  await tellPhone('5511988887777')
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  kit.invalidateDirectory(tenant.tenantId)
  const put = (connectionId: string, body = 'Oi, {{firstName}}!') =>
    as(tenant.agent).post('/macros', { name: v7(), actions: [{ kind: 'sms', connectionId, body }] })
  const run = async (id: string, runId = v7()) =>
    (await as(tenant.agent).post(`/macros/${id}/run`, { ticketId, runId })).body
  const bySms = () =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.messages).where(eq(schema.messages.connectionId, sms)).orderBy(schema.messages.seq),
    )
  return { ...tenant, sms, contactId, ticketId, tellPhone, put, run, bySms }
}

test('the contact is written to by SMS, in a conversation of its own that is used again', async () => {
  const all = await company()
  const macro = (await all.put(all.sms)).body
  const runId = v7()
  expect(await all.run(macro.id, runId)).toEqual({ done: 1, total: 1, refused: null })
  await all.run(macro.id, runId) // the same once more
  expect(await all.run(macro.id)).toMatchObject({ done: 1 })
  const sent = await all.bySms()
  expect(sent).toMatchObject([
    { body: 'Oi, João!', type: 'text', fromMe: true, status: 'queued' },
    { body: 'Oi, João!' },
  ])
  expect(new Set(sent.map(({ ticketId }) => ticketId)).size).toBe(1)
  const [opened] = await withTenant(all.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.tickets)
      .where(eq(schema.tickets.id, sent[0]?.ticketId ?? '')),
  )
  expect(opened).toMatchObject({ contactId: all.contactId, connectionId: all.sms, status: 'open' })
  expect(opened?.id).not.toBe(all.ticketId)
})

test('who has no phone is told of, and only a channel of SMS of the company can be chosen', async () => {
  const all = await company()
  const macro = (await all.put(all.sms)).body
  await all.tellPhone(null)
  expect(await all.run(macro.id)).toMatchObject({ refused: { message: 'O contato não tem telefone no cadastro.' } })
  expect(await all.bySms()).toEqual([])

  const other = await company()
  const site = await createConnection(all)
  for (const connectionId of [site, other.sms, v7()])
    expect((await all.put(connectionId)).body).toMatchObject({
      details: [{ path: 'actions.0.connectionId', message: 'Escolha um canal de SMS.' }],
    })
})
