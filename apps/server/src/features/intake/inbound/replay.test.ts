import type { Message } from '@balcao/contract/conversations/messages.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundEvent } from '../../../channels/adapter.ts'
import { statementCount } from '../../../db/database.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { ingest } from './inbound.service.ts'

const { as, seedTenant, createConnection, schema, withTenant } = await startTestApp()

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))
const chat = { kind: 'telegram', value: '77' } as const
const from = { identities: [chat] as [typeof chat], name: 'Rita' }
const said = (providerId: string, body: string, minute: number): InboundEvent => ({
  kind: 'message',
  providerId,
  from,
  fromMe: false,
  timestamp: at(minute),
  content: { type: 'text', body },
})

test('a day told again changes nothing, also when nobody remembers its keys', async () => {
  const tenant = await seedTenant()
  const { tenantId } = tenant
  const connectionId = await createConnection(tenant)
  const reaction = (emoji: string | null, minute: number): InboundEvent => ({
    kind: 'reaction',
    targetProviderId: '77:1',
    from,
    fromMe: false,
    emoji,
    at: at(minute),
  })
  const unreachable = (reason: string | null, minute: number): InboundEvent => ({
    kind: 'unreachable',
    who: chat,
    reason,
    at: at(minute),
  })
  const day: InboundEvent[] = [
    { kind: 'connection', status: 'ERROR', text: 'Caiu.', at: at(0) },
    { kind: 'connection', status: 'CONNECTED', text: 'Voltou.', at: at(1) },
    said('77:1', 'oi', 2),
    { kind: 'edit', providerId: '77:1', body: 'olá', at: at(3) },
    reaction('👍', 4),
    reaction('❤️', 5),
    reaction(null, 6),
    { kind: 'edit', providerId: '77:1', body: 'olá!', at: at(7) },
    unreachable('Bloqueou.', 8),
    unreachable(null, 9),
    said('77:2', 'tchau', 10),
    { kind: 'delete', providerId: '77:2' },
  ]
  const tell = async () => {
    for (const event of day) await ingest(tenantId, connectionId, [event])
  }
  const state = () =>
    withTenant(tenantId, async ({ db }) => ({
      messages: await db.select().from(schema.messages).orderBy(schema.messages.seq),
      tickets: await db.select().from(schema.tickets),
      identities: await db.select().from(schema.contactIdentities),
      connections: (await db.select().from(schema.connections)).map(({ status, statusText }) => ({
        status,
        statusText,
      })),
    }))
  await tell()
  const before = await state()
  expect(before.messages).toMatchObject([{ body: 'olá!', editedAt: at(7) }, { isDeleted: true }])
  expect(before.identities).toMatchObject([{ unreachableReason: null }])
  expect(before.connections).toEqual([{ status: 'CONNECTED', statusText: 'Voltou.' }])
  const page = await as(tenant.admin).get(`/messages/${before.tickets[0]?.id}`)
  expect(page.body.items[0].reactions).toEqual([])

  await tell()
  expect(await state()).toEqual(before)
})

test('a message of whoever we know costs two round trips beside its journal', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant)
  await ingest(tenant.tenantId, connectionId, [said('77:1', 'oi', 1)])
  const costs: number[] = []
  for (let n = 2; n < 8; n += 1) {
    const before = statementCount()
    await ingest(tenant.tenantId, connectionId, [said(`77:${n}`, 'de novo', n)])
    costs.push(statementCount() - before)
  }
  expect(Math.min(...costs)).toBe(2)
})

test('in a group everybody speaks and reacts for themself', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant)
  const group = { kind: 'telegram', value: '-100' } as const
  const inGroup = { identities: [group] as [typeof group], name: 'Família', isGroup: true }
  const person = (id: string, name: string) => {
    const identity = { kind: 'telegram', value: id } as const
    return { identities: [identity] as [typeof identity], name }
  }
  const [ana, bia] = [person('1', 'Ana'), person('2', 'Bia')]
  const speak = (providerId: string, author: typeof ana, body: string, minute: number): InboundEvent => ({
    kind: 'message',
    providerId,
    from: inGroup,
    author,
    fromMe: false,
    timestamp: at(minute),
    content: { type: 'text', body },
  })
  const react = (author: typeof ana, emoji: string | null, minute: number): InboundEvent => ({
    kind: 'reaction',
    targetProviderId: '-100:1',
    from: inGroup,
    author,
    fromMe: false,
    emoji,
    at: at(minute),
  })
  const tell = (event: InboundEvent) => ingest(tenant.tenantId, connectionId, [event])
  await tell(speak('-100:1', ana, 'bom dia', 1))
  await tell(speak('-100:2', bia, 'oi, Ana', 2))
  await tell(react(ana, '👍', 3))
  await tell(react(bia, '❤️', 4))
  await tell(react(ana, null, 5))

  const [ticket] = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.tickets))
  const contacts = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.contacts))
  const idOf = (name: string) => contacts.find((one) => one.name === name)?.id
  const { items } = (await as(tenant.admin).get(`/messages/${ticket?.id}`)).body
  expect(items).toMatchObject([
    { body: 'bom dia', author: { kind: 'contact', id: idOf('Ana'), name: 'Ana' } },
    { body: 'oi, Ana', author: { kind: 'contact', id: idOf('Bia'), name: 'Bia' } },
  ])
  expect(items[0].reactions).toMatchObject([{ emoji: '❤️', author: { id: idOf('Bia') } }])
  expect(ticket?.lastMessage).toBe('Bia: oi, Ana')
  expect(ticket?.contactId).toBe(idOf('Família'))
  const { body: text } = await as(tenant.admin).get(`/exportMessages/${ticket?.id}?format=text`)
  expect(text).toContain('] Ana: bom dia\r\n    [Reações: ❤️]\r\n')
  expect(text).toContain('] Bia: oi, Ana\r\n')
})

test('what somebody writes on the phone first is open, of nobody, and waits for nobody', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  await ingest(tenant.tenantId, connectionId, [{ ...said('77:9', 'Bom dia, Rita', 1), fromMe: true } as InboundEvent])
  const [ticket] = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.tickets))
  expect(ticket).toMatchObject({ status: 'open', userId: null, waitingSince: null, unreadMessages: 0 })
  await ingest(tenant.tenantId, connectionId, [said('77:10', 'Bom dia', 2)])
  const [after] = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.tickets))
  expect(after).toMatchObject({ id: ticket?.id, status: 'pending' })
})

test('what comes back of our own send is no second message', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  await ingest(tenant.tenantId, connectionId, [said('77:1', 'oi', 1)])
  const [ticket] = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.tickets))
  const id = ticket?.id ?? ''
  await as(tenant.admin).put(`/tickets/${id}`, { status: 'open' })
  const sent = await as(tenant.admin).post(`/messages/${id}`, { body: 'Olá, Rita' })
  const messageId = sent.body.id
  const set = (columns: object) =>
    withTenant(tenant.tenantId, ({ db }) =>
      db.update(schema.messages).set(columns).where(eq(schema.messages.id, messageId)),
    )
  await set({ status: 'sending', claimedBy: 'outro:1:x', claimedAt: new Date() })

  const echo = { ...said('77:55', 'Olá, Rita', 3), fromMe: true } as InboundEvent
  await ingest(tenant.tenantId, connectionId, [echo])
  await ingest(tenant.tenantId, connectionId, [echo])
  // The same words once more, typed on the phone, are a message of their own.
  await ingest(tenant.tenantId, connectionId, [{ ...echo, providerId: '77:56' } as InboundEvent])
  const rows = await withTenant(tenant.tenantId, ({ db }) =>
    db.select().from(schema.messages).where(eq(schema.messages.ticketId, id)).orderBy(schema.messages.seq),
  )
  expect(rows.filter((row) => row.type === 'text').map((row) => [row.body, row.providerId, row.status])).toEqual([
    ['oi', '77:1', 'received'],
    ['Olá, Rita', '77:55', 'sent'],
    ['Olá, Rita', '77:56', 'sent'],
  ])
})

test('SAIR ends campaigns and questions, never the conversation; who asks for them again gets them', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant)
  const hear = (n: number, body: string) => ingest(tenant.tenantId, connectionId, [said(`77:${n}`, body, n)])
  await hear(1, 'Não quero mais receber!')
  await hear(2, 'quero sair daqui hoje')
  await hear(3, 'Quero receber')
  const entries = await withTenant(tenant.tenantId, ({ db }) =>
    db.select().from(schema.consents).orderBy(schema.consents.at, schema.consents.id),
  )
  expect(entries.map(({ purpose, isGiven, proof, source }) => [purpose, isGiven, proof, source])).toEqual([
    ['marketing', false, 'Não quero mais receber!', 'word'],
    ['research', false, 'Não quero mais receber!', 'word'],
    ['marketing', true, 'Quero receber', 'word'],
    ['research', true, 'Quero receber', 'word'],
  ])
  expect(entries[0]).toMatchObject({ identityKind: 'telegram', identityValue: '77', channel: 'webchat' })
  const [ticket] = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.tickets))
  const { items } = (await as(tenant.admin).get(`/messages/${ticket?.id}`)).body
  expect(items.map(({ type, fromMe }: Message) => `${fromMe ? 'we' : 'they'} ${type}`)).toEqual([
    ...['they text', 'we system', 'we text'],
    'they text',
    ...['they text', 'we system', 'we text'],
  ])
  // What is written there stays.
  for (const change of [
    (db: Parameters<Parameters<typeof withTenant>[1]>[0]['db']) => db.delete(schema.consents),
    (db: Parameters<Parameters<typeof withTenant>[1]>[0]['db']) => db.update(schema.consents).set({ isGiven: true }),
  ])
    await expect(withTenant(tenant.tenantId, async ({ db }) => void (await change(db)))).rejects.toThrow()
  invalidateDirectory(tenant.tenantId)
})
