import { behaviourOf } from '@balcao/contract/channels/options.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, withTenant, schema } = kit
const { ingest, settleInbound } = await import('./inbound.service.ts')

type Kind = 'telegram' | 'webchat'
const seed = async (options: Record<string, unknown> = {}, kind: Kind = 'webchat', settings = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings })
  const connectionId = await createConnection(tenant, {
    kind,
    config: kind === 'telegram' ? { botToken: '7000000001:AAtoken-de-teste-0123456789' } : {},
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ options }).where(eq(schema.connections.id, connectionId)),
  )
  const hear = async (body: string, { isGroup = false, who = 'v1' } = {}) => {
    await ingest(tenant.tenantId, connectionId, [
      {
        kind: 'message',
        providerId: `${tenant.tenantId}-${body}`,
        from: { identities: [{ kind: kind, value: `${tenant.tenantId}${who}` }], name: 'Maria Lima', isGroup },
        fromMe: false,
        timestamp: new Date(),
        content: { type: 'text', body },
      },
    ])
    await settleInbound()
  }
  const messages = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  const tickets = () => withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  return { tenant, connectionId, hear, messages, tickets }
}

test('whoever begins a conversation is welcomed once, in its own words, and goes on waiting', async () => {
  const { hear, messages, tickets } = await seed({ greeting: 'Olá, {{firstName}}! Já vamos responder.' })
  await hear('Oi')
  await hear('Tem alguém?')
  const said = await messages()
  expect(said.map(({ body }) => body)).toEqual(['Oi', 'Olá, Maria! Já vamos responder.', 'Tem alguém?'])
  expect(said[1]).toMatchObject({ fromMe: true, status: 'queued', author: { kind: 'rule', name: 'Saudação' } })
  const [ticket] = await tickets()
  expect(ticket).toMatchObject({ answered: false, unreadMessages: 2, lastMessage: 'Tem alguém?' })
  expect(ticket?.waitingSince).toBeTruthy()
  // The next conversation begins with it again.
  if (ticket)
    await withTenant(ticket.tenantId, (tx) =>
      tx.db.update(schema.tickets).set({ status: 'closed', closedAt: new Date() }),
    )
  await hear('Voltei')
  expect((await messages()).map(({ body }) => body).slice(-2)).toEqual(['Voltei', 'Olá, Maria! Já vamos responder.'])
})

test('a connection without options welcomes nobody', async () => {
  const { hear, messages } = await seed()
  await hear('Oi')
  expect(await messages()).toHaveLength(1)
})

test('groups are left out where the connection says so; people are not', async () => {
  const { hear, messages } = await seed({ ignoreGroups: true }, 'telegram')
  await hear('do grupo', { isGroup: true, who: '-100' })
  await hear('de uma pessoa')
  expect((await messages()).map(({ body }) => body)).toEqual(['de uma pessoa'])
})

test('a connection that says nothing does as its company does; one that decided does not', async () => {
  const company = { ignoreGroupMsg: true }
  const follows = await seed({}, 'telegram', company)
  await follows.hear('do grupo', { isGroup: true, who: '-100' })
  expect(await follows.messages()).toEqual([])
  const decided = await seed({ ignoreGroups: false }, 'telegram', company)
  await decided.hear('do grupo', { isGroup: true, who: '-100' })
  expect(await decided.messages()).toMatchObject([{ body: 'do grupo' }])
  // The company changes its mind: what follows it does too, at once.
  expect((await as(follows.tenant.admin).put('/settings', { ignoreGroupMsg: false })).status).toBe(200)
  await follows.hear('de novo', { isGroup: true, who: '-100' })
  expect(await follows.messages()).toMatchObject([{ body: 'de novo' }])
})

test('calls are turned down and answered as the company says, in the words of the channel where it has some', () => {
  const company = {
    ignoreGroupMsg: false,
    ignorarStories: false,
    rejectCalls: true,
    callRejectMessage: 'Escreva para nós.',
  }
  expect(behaviourOf({}, company)).toEqual({
    ignoreGroups: false,
    ignoreStories: false,
    rejectCalls: true,
    callAnswer: 'Escreva para nós.',
  })
  expect(behaviourOf({ rejectCalls: false, callAnswer: 'Ligue à tarde.' }, company)).toMatchObject({
    rejectCalls: false,
    callAnswer: 'Ligue à tarde.',
  })
})

test('new conversations go to the person the connection names, unless an owner of the contact comes first', async () => {
  const first = await seed()
  const { tenant, connectionId, hear, tickets } = first
  const put = (options: object) => as(tenant.admin).put(`/whatsapp/${connectionId}`, { options })
  expect(await put({ userId: tenant.agent.id })).toMatchObject({
    status: 200,
    body: { options: { userId: tenant.agent.id } },
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ isOnline: true }).where(eq(schema.users.id, tenant.agent.id)),
  )
  await hear('Oi')
  expect(await tickets()).toMatchObject([{ status: 'open', userId: tenant.agent.id }])
  // Away: it waits for them, as for the owner of a wallet.
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ isOnline: false }).where(eq(schema.users.id, tenant.agent.id)),
  )
  await hear('Oi também', { who: 'v2' })
  expect((await tickets()).find(({ status }) => status === 'pending')).toMatchObject({ userId: tenant.agent.id })
})

test('options are checked as one whole, by what the connection can do', async () => {
  const { tenant, connectionId } = await seed()
  const { admin } = tenant
  const put = (options: object) => as(admin).put(`/whatsapp/${connectionId}`, { options })
  const refused = (path: string) => ({ status: 422, body: { details: [{ path: `options.${path}` }] } })
  expect(await put({ greeting: 'Oi, {{apelido}}' })).toMatchObject(refused('greeting'))
  expect(await put({ userId: '019a0000-0000-7000-8000-000000000001' })).toMatchObject(refused('userId'))
  expect(await put({ ignoreGroups: true })).toMatchObject(refused('ignoreGroups')) // a web chat has no groups
  expect(await put({ novidade: 1 })).toMatchObject(refused('novidade'))
  expect(await put({ greeting: 'Oi' })).toMatchObject({ status: 200, body: { options: { greeting: 'Oi' } } })
  expect((await as(admin).put(`/whatsapp/${connectionId}`, { name: 'Outro nome' })).body.options).toEqual({
    greeting: 'Oi',
  })
  expect(await put({})).toMatchObject({ status: 200, body: { options: {} } })
})
