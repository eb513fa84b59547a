import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createConnection, createTicket, withTenant, schema } = await startTestApp()

test('a subject and copies go where the channel has them, within its limits, and answer what they quote', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const connectionId = await createConnection(tenant, { kind: 'telegram' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, connectionId })
  const mail = { subject: 'Pedido 123', cc: ['fin@example.com'], html: '<b>Saiu</b>' }
  const send = (more: object) =>
    as(tenant.agent).post(`/messages/${ticketId}`, { id: v7(), type: 'text', body: 'Saiu.', mail, ...more })
  expect((await send({})).body.error).toBe('ERR_CHANNEL_UNSUPPORTED')

  const abilities = abilitiesOf('telegram', {})
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({
        abilities: {
          ...abilities,
          supports: [...abilities.supports, 'mail'],
          mailLimits: { subject: 20, html: 100, copies: 1 },
        },
      })
      .where(eq(schema.connections.id, connectionId)),
  )
  const pathOf = async (wrong: object) =>
    (await send({ mail: { ...mail, ...wrong } })).body.details?.map(({ path }: { path: string }) => path)
  expect(await pathOf({ subject: 'x'.repeat(21) })).toEqual(['mail.subject'])
  expect(await pathOf({ cc: ['a@b.co', 'c@d.co'] })).toEqual(['mail.cc'])
  expect(await pathOf({ html: 'x'.repeat(101) })).toEqual(['mail.html'])

  const first = await send({})
  const { html: _, ...head } = mail
  expect(first).toMatchObject({
    status: 200,
    body: { payload: { mail: { ...head, references: [], isFormatted: true } } },
  })
  const page = await as(tenant.agent).get(`/media/mails/${first.body.id}`)
  expect(page.body).toContain('<b>Saiu</b>')
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.messages)
      .set({ providerId: '<um@loja>', status: 'sent' })
      .where(eq(schema.messages.id, first.body.id)),
  )
  expect((await send({ quotedId: first.body.id })).body.payload.mail.references).toEqual(['<um@loja>'])
})
