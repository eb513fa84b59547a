import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import { ChannelError, type InboundEvent, type Participant, type Speaker } from '../../../channels/adapter.ts'
import { mentionsOf } from '../../../channels/whatsapp/jids.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, withTenant, schema } = kit
const { loadAdapter } = await import('../../../channels/index.ts')
const { ingest, processJournal, settleInbound } = await import('./inbound.service.ts')
const { findConnection, forgetConnections } = await import('../../channels/connections/context.ts')
const { createSender } = await import('../../conversations/messages/sender.ts')
const { askNewGroups } = await import('../../conversations/groups/groups.loop.ts')
const { noticesOf } = await import('../../operations/notifications/notices-of.ts')
const { getDirectory } = await import('../../core/directory/directory.ts')

const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))

const evolution = await loadAdapter('evolution')
restoreAfter(evolution)
const participants = vi.fn<NonNullable<typeof evolution.participants>>()
const profile = vi.fn<NonNullable<typeof evolution.profile>>()
const send = vi.fn<typeof evolution.send>()
beforeEach(() => {
  participants.mockReset().mockResolvedValue([])
  profile.mockReset().mockResolvedValue({})
  send.mockReset().mockResolvedValue({ providerId: `out-${v7()}` })
  Object.assign(evolution, { participants, profile, send })
})

const ourNumber = '5511900000000'
const seed = async (options: Record<string, unknown> = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' },
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ options, account: { number: ourNumber, name: 'Loja Aurora' } })
      .where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  const hear = async (...all: InboundEvent[]) => {
    for (const event of all) await ingest(tenant.tenantId, connectionId, [event])
    await settleInbound()
  }
  const group = { identities: [{ kind: 'group', value: '120363' }] as [Identity], name: 'Bairro', isGroup: true }
  let count = 0
  const say = async (author: Speaker, body: string, more: Partial<Extract<InboundEvent, { kind: 'message' }>> = {}) => {
    count += 1
    const providerId = `in-${count}`
    const content = { type: 'text' as const, body, mentions: mentionsOf(body) }
    const timestamp = new Date()
    await hear({ kind: 'message', providerId, from: group, author, fromMe: false, timestamp, content, ...more })
    return providerId
  }
  const changed = (
    change: 'joined' | 'left' | 'promoted' | 'demoted',
    members: Speaker[],
    n: number,
  ): InboundEvent => ({
    kind: 'group',
    providerId: `${change}-${n}`,
    group,
    change,
    members,
    at: new Date(Date.now() + n * 10_000),
  })
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  const messages = () => inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  const tickets = () => inTenant((tx) => tx.db.select().from(schema.tickets))
  const card = async (path = '') =>
    (await as(tenant.admin).get(`/tickets/${(await tickets())[0]?.id}/group${path}`)).body
  const accept = async () => {
    const [ticket] = await tickets()
    await as(tenant.admin).put(`/tickets/${ticket?.id}`, { status: 'open', userId: tenant.admin.id })
    return ticket?.id ?? ''
  }
  return { tenant, connectionId, hear, group, say, changed, messages, tickets, card, accept, inTenant }
}
const person = (name: string, phone: string, lid?: string): Speaker => ({
  identities: [{ kind: 'phone', value: phone }, ...(lid ? [{ kind: 'lid' as const, value: lid }] : [])],
  name,
})
const listed = ({ name, identities }: Speaker, roles: Partial<Participant> = {}): Participant => ({
  id: identities[0].value,
  name: name ?? null,
  isAdmin: false,
  identities,
  ...roles,
})
const rui = person('Rui Barbosa', '5511911111111', '900000000000001')
const lia = person('Lia', '5511922222222', '900000000000002')

test('a join told between messages of one batch stands between them', async () => {
  const { say, changed, hear, group, messages, connectionId, tenant } = await seed()
  await say(rui, 'quem falta?')
  const said = (providerId: string, body: string): InboundEvent => ({
    kind: 'message',
    providerId,
    from: group,
    author: rui,
    fromMe: false,
    timestamp: new Date(),
    content: { type: 'text', body },
  })
  const told = [said('b0', 'esperem'), said('b1', 'antes'), changed('joined', [lia], 1), said('b2', 'depois')]
  await Promise.all(told.map((event) => ingest(tenant.tenantId, connectionId, [event])))
  await hear(changed('left', [lia], 2))
  expect((await messages()).map(({ body }) => body)).toEqual([
    'quem falta?',
    'esperem',
    'antes',
    'Lia entrou no grupo.',
    'depois',
    'Lia saiu do grupo.',
  ])
})

test('many members who write at once, also after the end, have one ticket', async () => {
  const { say, tickets, accept, tenant } = await seed()
  await Promise.all([rui, lia, rui, lia].map((who, n) => say(who, `oi ${n}`)))
  expect(await tickets()).toHaveLength(1)
  const id = await accept()
  await as(tenant.admin).put(`/tickets/${id}`, { status: 'closed' })
  await Promise.all([say(rui, 'voltei'), say(lia, 'eu também')])
  expect(await tickets()).toMatchObject([{ id, status: 'pending', isGroup: true }])
})

test('who is in a group: as its channel says, as it changes, each once; nobody’s business but of who sees the ticket', async () => {
  const { say, hear, changed, card, tickets, tenant, messages } = await seed()
  await askNewGroups()
  participants.mockClear()
  await say({ identities: [{ kind: 'lid', value: '900000000000001' }] }, 'Oi')
  participants.mockResolvedValue([
    listed(rui, { isAdmin: true, isOwner: true, name: null }),
    listed(person('', ourNumber)),
    listed({ identities: [{ kind: 'lid', value: '900000000000009' }] }, { id: '900000000000009@lid', name: null }),
  ])
  profile.mockResolvedValue({ name: 'Bairro Novo', description: 'Só assuntos do bairro.' })
  await askNewGroups()
  expect(await card()).toMatchObject({
    description: 'Só assuntos do bairro.',
    problem: null,
    members: [
      { id: '5511911111111', name: '+55 11 91111-1111', role: 'owner', isUs: false },
      { id: ourNumber, name: 'Loja Aurora', isUs: true, role: 'member' },
      { id: '900000000000009@lid', name: 'Participante', number: null, role: 'member' },
    ],
  })
  expect(participants).toHaveBeenCalledOnce() // met once; looking asks nobody again
  expect((await as(tenant.admin).get(`/tickets/${(await tickets())[0]?.id}`)).body.name).toBe('Bairro Novo')

  events.length = 0
  const all = [changed('joined', [lia], 1), changed('promoted', [lia], 2), changed('left', [rui], 3)]
  await hear(...all)
  await hear(...all)
  const names = (await card()).members.map(({ name, role }: { name: string; role: string }) => `${name} ${role}`)
  expect(names).toContain('Lia admin')
  expect(names).toHaveLength(3)
  expect(events.filter(({ name }) => name === 'group.updated')).toHaveLength(3)
  await hear(changed('demoted', [{ identities: [{ kind: 'lid', value: '900000000000002' }] }], 4))
  expect((await messages()).slice(1).map(({ body }) => body)).toEqual([
    'Lia entrou no grupo.',
    'Lia agora administra o grupo.',
    'Rui Barbosa saiu do grupo.',
    'Lia não administra mais o grupo.',
  ])
  await hear(changed('joined', [rui], -5)) // older than that he left
  expect((await card()).members).toHaveLength(3)
  await say(rui, 'mudei de ideia', { timestamp: new Date(Date.now() + 60_000) })
  expect((await card()).members).toHaveLength(4)

  participants.mockRejectedValue(new ChannelError('retry', 'O canal está fora do ar.'))
  const stale = await card('?fresh=true')
  expect(stale.members).toHaveLength(4)
  const stranger = await seedTenant()
  expect((await as(stranger.admin).get(`/tickets/${(await tickets())[0]?.id}/group`)).status).toBe(404)
})

test('whom a message calls is read by name, also once it is edited, and an answer says whose words it answers', async () => {
  const { say, hear, messages, tickets, tenant } = await seed()
  await say(rui, 'Cheguei')
  const asked = await say(lia, 'Fala @900000000000001 e @5511911111111, e @999888777666555 @5511900000000')
  const answer = await say(rui, 'Diga', { quotedProviderId: asked })
  const [, said, answered] = await messages()
  const named = 'Fala @Rui Barbosa e @Rui Barbosa, e @Participante @Loja Aurora'
  expect(said).toMatchObject({
    body: named,
    payload: { called: expect.arrayContaining([expect.objectContaining({ isUs: true })]) },
  })
  const { body } = await as(tenant.admin).get(`/messages/${(await tickets())[0]?.id}`)
  expect(body.items[2]).toMatchObject({ id: answered?.id, quoted: { body: named, authorName: 'Lia' } })
  await hear({ kind: 'edit', providerId: asked, body: 'Fala logo @900000000000001', at: new Date(Date.now() + 5_000) })
  expect((await messages())[1]?.body).toBe('Fala logo @Rui Barbosa')
  expect(answer).toBeDefined()
})

test('who spoke just before is called by name, also when both came together', async () => {
  const { tenant, connectionId, group, messages } = await seed()
  const said = (n: number, author: Speaker, body: string): InboundEvent => ({
    kind: 'message',
    providerId: `together-${n}`,
    from: group,
    author,
    fromMe: false,
    timestamp: new Date(Date.now() + n),
    content: { type: 'text', body, mentions: mentionsOf(body) },
  })
  const both = [said(1, rui, 'Bom dia'), said(2, lia, 'Bom dia, @900000000000001')]
  await ingest(tenant.tenantId, connectionId, both)
  await settleInbound()
  expect((await messages()).map(({ body }) => body)).toEqual(['Bom dia', 'Bom dia, @Rui Barbosa'])
})

test('a text that names somebody already stays as it is', async () => {
  const { say, messages } = await seed()
  const mentions = [
    { text: 'Rui', identities: [...rui.identities] },
    { text: '@loja_bot', identities: [] },
  ]
  await say(lia, '', { content: { type: 'text', body: 'Rui, fale com @loja_bot', mentions } })
  expect(await messages()).toMatchObject([
    { body: 'Rui, fale com @loja_bot', payload: { called: [{ name: 'Rui' }, { name: 'loja_bot' }] } },
  ])
})

test('members are called by the names in the text; who has left is called no more', async () => {
  const { say, hear, changed, accept, tenant, messages } = await seed()
  participants.mockResolvedValue([listed(rui), listed(lia)])
  await say(rui, 'Oi')
  await askNewGroups()
  const id = await accept()
  const post = (body: string, called: object[]) => as(tenant.admin).post(`/messages/${id}`, { id: v7(), body, called })
  const sent = await post('Bom dia, @Rui Barbosa!', [{ id: '5511911111111', name: 'Rui Barbosa' }])
  expect(sent).toMatchObject({ status: 200, body: { payload: { called: [{ name: 'Rui Barbosa' }] } } })
  const sender = createSender()
  await sender.claim(() => {})
  await sender.finish()
  expect(send.mock.calls[0]?.[0]).toMatchObject({
    body: 'Bom dia, @Rui Barbosa!',
    mentions: [{ id: '5511911111111', name: 'Rui Barbosa' }],
  })
  const byId = { ticketId: id, id: v7(), body: 'E @5511922222222?', mentions: ['5511922222222'] }
  expect((await as(tenant.admin).post('/messages/mentionMessage', byId)).body.body).toBe('E @Lia?')

  await hear(changed('left', [rui], 1))
  expect(await post('@Rui Barbosa?', [{ id: '5511911111111', name: 'Rui Barbosa' }])).toMatchObject({
    status: 422,
    body: { details: [{ path: 'called', message: 'Um dos mencionados não está mais no grupo.' }] },
  })
  expect((await messages()).filter(({ fromMe, type }) => fromMe && type === 'text')).toHaveLength(2)
})

test('our own mention that comes back from the phone is the message we sent', async () => {
  const { say, accept, tenant, messages } = await seed()
  await say(rui, 'Oi')
  const id = await accept()
  const called = [{ id: '5511911111111', name: 'Rui Barbosa' }]
  await as(tenant.admin).post(`/messages/${id}`, { id: v7(), body: 'Oi, @Rui Barbosa', called })
  let answerSend: (sent: { providerId: string }) => void = () => {}
  send.mockReturnValue(new Promise((resolve) => (answerSend = resolve)))
  const sender = createSender()
  await sender.claim(() => {})
  await vi.waitFor(() => expect(send).toHaveBeenCalled())
  await say(rui, 'Oi, @5511911111111', { fromMe: true, author: undefined, providerId: 'echo-1' })
  answerSend({ providerId: 'echo-1' })
  await sender.finish()
  expect((await messages()).filter(({ fromMe, type }) => fromMe && type === 'text')).toHaveLength(1)
})

test('read while its echo still stands beside it in other words, our message is read', async () => {
  const { say, hear, accept, tenant, messages } = await seed()
  await say(rui, 'Oi')
  const id = await accept()
  await as(tenant.admin).post(`/messages/${id}`, { id: v7(), body: 'Bom dia' })
  let answerSend: (sent: { providerId: string }) => void = () => {}
  send.mockReturnValue(new Promise((resolve) => (answerSend = resolve)))
  const sender = createSender()
  await sender.claim(() => {})
  await vi.waitFor(() => expect(send).toHaveBeenCalled())
  await say(rui, '*Ana:* Bom dia', { fromMe: true, author: undefined, providerId: 'echo-2' })
  await hear({ kind: 'status', providerId: 'echo-2', status: 'read' })
  answerSend({ providerId: 'echo-2' })
  await sender.finish()
  expect((await messages()).filter(({ fromMe, type }) => fromMe && type === 'text')).toMatchObject([
    { body: 'Bom dia', providerId: 'echo-2', status: 'read' },
  ])
})

test('a member becomes somebody to write to, once', async () => {
  const { say, tenant, tickets, inTenant } = await seed()
  participants.mockResolvedValue([listed(rui), listed(lia)])
  await say(rui, 'Oi')
  await askNewGroups()
  const path = `/tickets/${(await tickets())[0]?.id}/group/contact`
  const made = await as(tenant.admin).post(path, { memberId: '5511922222222' })
  expect(made).toMatchObject({ status: 200, body: { name: 'Lia', number: '5511922222222', isGroup: false } })
  expect((await as(tenant.admin).post(path, { memberId: '5511922222222' })).body.id).toBe(made.body.id)
  expect(await as(tenant.admin).post(path, { memberId: '551100' })).toMatchObject({ status: 422 })
  expect(await inTenant((tx) => tx.db.select().from(schema.contacts))).toHaveLength(3)
  expect(await inTenant((tx) => tx.db.select().from(schema.audit))).toMatchObject([
    { action: 'contact.created', entityId: made.body.id, userId: tenant.admin.id },
  ])
})

test('a group that waits until it is meant for us asks nobody for anything, and comes when it is', async () => {
  const { say, tickets, messages, accept, tenant } = await seed({ onlyMentioned: true })
  const noticed = async () => {
    const directory = await getDirectory(tenant.tenantId)
    const found = events
      .filter((event) => event.tenantId === tenant.tenantId)
      .flatMap((one) => noticesOf(one, directory))
    events.length = 0
    return found.map(({ kind, body }) => `${kind} ${body}`)
  }
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.users).set({ isOnline: true }))
  events.length = 0
  await say(rui, 'Bom dia, grupo')
  await say(lia, 'Bom dia')
  expect(await tickets()).toMatchObject([
    { status: 'pending', pauseReason: 'Esperando que nos mencionem', unreadMessages: 0, waitingSince: null },
  ])
  expect((await tickets())[0]?.pausedAt).not.toBeNull()
  expect(await noticed()).toEqual([])
  const waiting = async () => (await as(tenant.admin).get('/tickets/counters?showAll=true')).body.pending
  expect(await waiting()).toBe(0)

  await say(lia, `@${ourNumber} vocês entregam?`)
  expect(await tickets()).toMatchObject([{ status: 'pending', pausedAt: null, unreadMessages: 1 }])
  expect(await waiting()).toBe(1)
  expect([...new Set(await noticed())].join()).toContain('waiting ')
  const id = await accept()
  events.length = 0
  await say(rui, 'Eu vou querer também, Lia')
  expect(await noticed()).toEqual([])
  await as(tenant.admin).post(`/messages/${id}`, { id: v7(), body: 'Entregamos' })
  const sender = createSender()
  await sender.claim(() => {})
  await sender.finish()
  events.length = 0
  const ours = (await messages()).find(({ body }) => body === 'Entregamos')?.providerId ?? ''
  await say(rui, 'Obrigado', { quotedProviderId: ours })
  expect(await noticed()).toEqual([expect.stringContaining('message ')])

  await as(tenant.admin).put(`/tickets/${id}`, { status: 'closed' })
  await say(rui, 'Alguém viu meu gato?')
  expect(await tickets()).toMatchObject([{ id, status: 'pending', pauseReason: 'Esperando que nos mencionem' }])
})

test('what is left out of groups says so in the diary', async () => {
  const { tenant, connectionId, inTenant } = await seed({ ignoreGroups: true })
  const id = v7()
  const payload = {
    event: 'messages.upsert',
    data: {
      key: { id: 'ABC', remoteJid: '120363000@g.us', fromMe: false, participant: '900000000000001@lid' },
      pushName: 'Rui',
      message: { conversation: 'Oi' },
      messageTimestamp: Math.floor(Date.now() / 1000),
    },
  }
  const row = { tenantId: tenant.tenantId, id, connectionId, eventKey: 'k1', payload }
  await inTenant((tx) => tx.db.insert(schema.journal).values(row))
  const connection = await findConnection(connectionId)
  if (connection) processJournal(connection, [{ ...row, seq: 1, behind: [] }])
  await settleInbound()
  const [entry] = await inTenant((tx) => tx.db.select().from(schema.journal))
  expect(entry).toMatchObject({ state: 'done', error: 'Este canal ignora grupos.' })
  expect(await inTenant((tx) => tx.db.select().from(schema.tickets))).toEqual([])
})

test('a group of 1,024 is read and called fast', async () => {
  const { say, card, accept, tenant } = await seed()
  const crowd = Array.from({ length: 1_024 }, (_, n) =>
    listed(person(`Pessoa ${n}`, `55119${String(80_000_000 + n)}`, String(910_000_000_000_000 + n)), {
      isAdmin: n < 3,
    }),
  )
  participants.mockResolvedValue(crowd)
  await say(rui, 'Oi')
  await askNewGroups()
  const time = async (work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    return Math.round(performance.now() - from)
  }
  const { members } = await card()
  expect(members).toHaveLength(1_024)
  const list = await time(() => card())
  const ask = await time(() => card('?fresh=true'))
  const id = await accept()
  const called = members.map(({ id, name }: { id: string; name: string }) => ({ id, name }))
  const mention = await time(async () => {
    const sent = await as(tenant.admin).post(`/messages/${id}`, { id: v7(), body: 'Atenção', called })
    expect(sent.status).toBe(200)
  })
  const hear = await time(() => say(lia, 'Oi @5511980000500'))
  process.stdout.write(
    `group of 1,024: list ${list} ms, ask and store ${ask} ms, call all ${mention} ms, inbound ${hear} ms\n`,
  )
  expect(Math.max(list, mention, hear)).toBeLessThan(1_500)
})
