import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createTicket, createContact, withTenant, schema } = kit

const team = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const sales = tenant.queues.Vendas ?? ''
  const support = tenant.queues.Suporte ?? ''
  const beatriz = await createUser(tenant.tenantId, { name: 'Beatriz', queueIds: [sales] })
  const caio = await createUser(tenant.tenantId, { name: 'Caio', queueIds: [support] })
  const contactId = await createContact(tenant, { name: 'Dona Rita' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  return { ...tenant, sales, support, beatriz, caio, ticketId }
}
type Team = Awaited<ReturnType<typeof team>>
const note = ({ agent, ticketId }: Team, body: string, mentions: string[], more: object = {}) =>
  as(agent).post(`/messages/${ticketId}`, { id: v7(), type: 'note', body, mentions, ...more })
const unread = async (who: { token: string }) => (await as(who).get('/mentions/count')).body.unread
const noticesOf = ({ tenantId }: Team) =>
  withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.tenantId, tenantId), eq(schema.outbox.name, 'ticket.notice'))),
  )

test('a note calls a colleague by name: told at once, kept until read', async () => {
  const all = await team()
  const written = await note(all, '@Beatriz, pode ver o estoque?', [all.beatriz.id])
  expect(written).toMatchObject({
    status: 200,
    body: { payload: { mentions: [{ id: all.beatriz.id, kind: 'user', name: 'Beatriz' }] }, status: 'received' },
  })
  const [notice] = await noticesOf(all)
  expect(notice).toMatchObject({
    audience: { kind: 'users', userIds: [all.beatriz.id] },
    payload: {
      kind: 'mention',
      ticketId: all.ticketId,
      messageId: written.body.id,
      text: 'Ana Souza mencionou você na conversa com Dona Rita.',
    },
  })
  const page = await as(all.agent).get(`/messages/${all.ticketId}`)
  expect(page.body.items.at(-1).payload.mentions).toHaveLength(1)

  const mine = await as(all.beatriz).get('/mentions')
  expect(mine.body.items).toMatchObject([
    { ticketId: all.ticketId, contactName: 'Dona Rita', body: '@Beatriz, pode ver o estoque?', readAt: null },
  ])
  expect((await as(all.beatriz).get('/mentions/count')).body).toEqual({ unread: 1, ticketIds: [all.ticketId] })
  expect(await unread(all.agent)).toBe(0)

  expect((await as(all.beatriz).post('/mentions/read', { ticketId: all.ticketId })).status).toBe(204)
  expect(await unread(all.beatriz)).toBe(0)
  expect((await as(all.beatriz).get('/mentions?unread=true')).body.items).toEqual([])
  expect((await as(all.beatriz).get('/mentions')).body.items[0].readAt).not.toBeNull()
})

test('a queue calls those of its people who see the ticket, never the author; the same request twice calls once', async () => {
  const all = await team()
  const id = v7()
  const replies = await Promise.all([1, 2, 3].map(() => note(all, '@Vendas alguém ajuda?', [all.sales], { id })))
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200])
  const notices = await noticesOf(all)
  expect(notices.map((row) => row.audience)).toEqual([{ kind: 'users', userIds: [all.beatriz.id] }])
  expect([await unread(all.agent), await unread(all.beatriz), await unread(all.caio)]).toEqual([0, 1, 0])
})

test('who does not see the ticket is refused by name, and nothing is written', async () => {
  const all = await team()
  const refused = await note(all, '@Caio veja', [all.caio.id, all.beatriz.id])
  expect(refused.status).toBe(422)
  expect(refused.body.details).toEqual([
    {
      path: 'mentions',
      message: 'Este atendimento não é visível para Caio. Compartilhe antes de mencionar.',
    },
  ])
  expect((await note(all, '@Suporte', [all.support])).body.details[0].message).toContain('a fila Suporte')
  expect((await as(all.agent).get(`/messages/${all.ticketId}`)).body.items).toEqual([])
  expect(await unread(all.beatriz)).toBe(0)

  await withTenant(all.tenantId, (tx) =>
    tx.db
      .update(schema.tickets)
      .set({ sharedWith: [all.caio.id] })
      .where(eq(schema.tickets.id, all.ticketId)),
  )
  expect((await note(all, '@Caio agora sim', [all.caio.id])).status).toBe(200)
  expect(await unread(all.caio)).toBe(1)
})

test('people of another company, and messages to the customer, call nobody', async () => {
  const all = await team()
  const other = await seedTenant()
  expect((await note(all, '@x', [other.admin.id])).status).toBe(422)
  expect((await note(all, 'oi', [all.beatriz.id], { type: 'text' })).status).toBe(422)
})

test('the list of whom to call tells who sees the ticket; it is for who sees it', async () => {
  const all = await team()
  const { body } = await as(all.agent).get(`/mentions/candidates/${all.ticketId}`)
  const named = (name: string) => body.find((one: { name: string }) => one.name === name)
  expect(named('Beatriz')).toEqual({ id: all.beatriz.id, kind: 'user', name: 'Beatriz', canSee: true, people: 1 })
  expect(named('Caio')).toMatchObject({ canSee: false })
  expect(named('Vendas')).toMatchObject({ kind: 'queue', canSee: true, people: 2 })
  expect(named('Suporte')).toMatchObject({ kind: 'queue', canSee: false, people: 0 })
  expect(body.map((one: { id: string }) => one.id)).not.toContain(all.agent.id)
  expect((await as(all.caio).get(`/mentions/candidates/${all.ticketId}`)).status).toBe(404)
})

test('a mention leaves the list with the right to see, and with the note', async () => {
  const all = await team()
  const written = await note(all, '@Beatriz', [all.beatriz.id])
  await withTenant(all.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ queueId: all.support }).where(eq(schema.tickets.id, all.ticketId)),
  )
  expect(await unread(all.beatriz)).toBe(0)
  expect((await as(all.beatriz).get('/mentions')).body.items).toEqual([])
  await withTenant(all.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ queueId: all.sales }).where(eq(schema.tickets.id, all.ticketId)),
  )
  expect(await unread(all.beatriz)).toBe(1)
  expect((await as(all.agent).delete('/messages', { id: written.body.id })).status).toBe(200)
  expect(await unread(all.beatriz)).toBe(0)
})

test('pages go by key', async () => {
  const all = await team()
  for (let at = 0; at < 5; at += 1) await note(all, `@Beatriz ${at}`, [all.beatriz.id])
  const first = await as(all.beatriz).get('/mentions?limit=2')
  expect(first.body.items.map((one: { body: string }) => one.body)).toEqual(['@Beatriz 4', '@Beatriz 3'])
  const second = await as(all.beatriz).get(`/mentions?limit=2&cursor=${first.body.nextCursor}`)
  expect(second.body.items.map((one: { body: string }) => one.body)).toEqual(['@Beatriz 2', '@Beatriz 1'])
})
