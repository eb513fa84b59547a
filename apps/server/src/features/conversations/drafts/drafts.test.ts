import { draft } from '@balcao/contract/conversations/messages.ts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'

const { as, seedTenant, createTicket } = await startTestApp()
const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))

test('what an agent began to write waits for them on every device, and for nobody else', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const id = await createTicket(tenant, { queue: 'Vendas' })
  const url = `/tickets/${id}/draft`
  expect(draft.parse((await as(tenant.agent).get(url)).body)).toMatchObject({ ticketId: id, body: '' })

  expect((await as(tenant.agent).put(url, { body: 'Olá, João' })).status).toBe(200)
  expect((await as(tenant.agent).put(url, { body: 'Olá, João!' })).body).toMatchObject({ body: 'Olá, João!' })
  expect((await as(tenant.agent).get(url)).body).toMatchObject({ body: 'Olá, João!' })
  expect((await as(tenant.admin).get(url)).body).toMatchObject({ body: '' })
  expect(events.at(-1)).toMatchObject({
    name: 'draft.updated',
    payload: { ticketId: id, kind: 'message', body: 'Olá, João!' },
    audience: { kind: 'user', userId: tenant.agent.id },
  })

  await as(tenant.agent).put(url, { body: '' })
  expect((await as(tenant.agent).get(url)).body).toMatchObject({ body: '', updatedAt: '1970-01-01T00:00:00.000Z' })
  expect((await as(tenant.agent).put(url, { body: 'x'.repeat(20_001) })).status).toBe(422)
  expect((await as(tenant.agent).put(url, { body: 'a\0b' })).status).toBe(200)
})

test('a message and a note of one conversation are begun apart', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const id = await createTicket(tenant, { queue: 'Vendas' })
  const [message, note] = [`/tickets/${id}/draft`, `/tickets/${id}/draft?kind=note`]
  const agent = as(tenant.agent)
  await agent.put(message, { body: 'Já vejo, João' })
  await agent.put(note, { body: 'Ele deve dois meses' })
  expect(events.at(-1)?.payload).toEqual({ ticketId: id, kind: 'note', body: 'Ele deve dois meses' })
  expect((await agent.get(message)).body).toMatchObject({ kind: 'message', body: 'Já vejo, João' })
  expect((await agent.get(note)).body).toMatchObject({ kind: 'note', body: 'Ele deve dois meses' })

  await agent.put(message, { body: '' })
  expect((await agent.get(message)).body).toMatchObject({ body: '' })
  expect((await agent.get(note)).body).toMatchObject({ body: 'Ele deve dois meses' })
})
