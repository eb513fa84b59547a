import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { placesOf } from '../../../../test/traces.ts'
import type { InboundEvent, Speaker } from '../../../channels/adapter.ts'
import { mentionsOf } from '../../../channels/whatsapp/jids.ts'

const { as, seedTenant, createConnection, withTenant, schema } = await startTestApp()
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')

const phone = '5511987650123'
const lid = '987650123000456'
const name = 'Genoveva Quaresma'
const genoveva: Speaker = {
  identities: [
    { kind: 'phone', value: phone },
    { kind: 'lid', value: lid },
  ],
  name,
}
const lia: Speaker = { identities: [{ kind: 'phone', value: '5511922222222' }], name: 'Lia' }

const traces = (tenantId: number) => placesOf(tenantId, 'genoveva|quaresma\\M|987650123|98765.?0123')
/** On its way to screens, for a second. */
const isPassing = (place: string) => place === 'outbox.payload'

test('somebody who is deleted leaves neither name nor number behind, in whatever table', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' },
  })
  const group = { identities: [{ kind: 'group', value: '120363' }] as [Identity], name: 'Bairro', isGroup: true }
  const at = () => new Date()
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.consumers).values({
      tenantId: tenant.tenantId,
      kind: 'webhook',
      topics: ['message.created', 'contact.updated', 'contact.deleted'],
    }),
  )
  const said = (providerId: string, author: Speaker, body: string): InboundEvent => ({
    kind: 'message',
    providerId,
    from: group,
    author,
    fromMe: false,
    timestamp: at(),
    content: { type: 'text', body, mentions: mentionsOf(body) },
  })
  const heard: InboundEvent[] = [
    said('m1', genoveva, 'Bom dia'),
    said('m2', lia, `@${phone} viu isso?`),
    { kind: 'reaction', targetProviderId: 'm2', from: group, author: genoveva, fromMe: false, emoji: '👍', at: at() },
    { kind: 'edit', providerId: 'm2', body: `@${phone} você viu isso?`, at: at() },
    ...(['promoted', 'left'] as const).map(
      (change): InboundEvent => ({ kind: 'group', providerId: change, group, change, members: [genoveva], at: at() }),
    ),
    said('m3', genoveva, 'Até logo'),
  ]
  for (const [n, event] of heard.entries()) {
    await ingest(tenant.tenantId, connectionId, [event])
    await settleInbound()
    const [ticket] = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
    // From then on somebody is told of what is said.
    if (!n) await as(tenant.admin).put(`/tickets/${ticket?.id}`, { status: 'open', userId: tenant.admin.id })
  }
  const [contact] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.contacts).where(eq(schema.contacts.number, phone)),
  )
  if (!contact) throw new Error('nobody spoke')
  await as(tenant.admin).put(`/contacts/${contact.id}`, { name, email: 'genoveva@exemplo.com', notes: 'Mora no 12.' })
  await as(tenant.admin).put(`/contacts/${contact.id}`, { name: `Dona ${name}` })
  const before = await traces(tenant.tenantId)
  expect(before).toEqual(
    expect.arrayContaining([
      ...['audit.after', 'group_members.name', 'messages.author', 'messages.body'],
      'deliveries.payload',
    ]),
  )

  expect((await as(tenant.admin).delete(`/contacts/${contact.id}`)).status).toBe(204)
  expect((await traces(tenant.tenantId)).filter((place) => !isPassing(place))).toEqual([])
  const rows = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).orderBy(schema.messages.seq),
  )
  // Whoever listens hears that they are gone, and of what others said.
  const told = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.deliveries))
  expect(told.map(({ topic }) => topic)).toContain('contact.deleted')
  expect(rows.find((row) => row.providerId === 'm1')).toMatchObject({
    body: 'Bom dia',
    author: { kind: 'contact', name: 'Contato excluído' },
  })
  expect(rows.find((row) => row.providerId === 'm2')).toMatchObject({
    body: '@Contato excluído você viu isso?',
    author: { name: 'Lia' },
    reactions: [{ emoji: '👍', author: { name: 'Contato excluído' } }],
  })
  const [ticket] = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  expect((await as(tenant.admin).get(`/messages/${ticket?.id}`)).status).toBe(200)
})

test('what was done around somebody is told without them, also of what was deleted before', async () => {
  const tenant = await seedTenant()
  const { tenantId } = tenant
  const me = as(tenant.admin)
  const connectionId = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' },
  })
  const said = { type: 'text', body: `Sou a ${name}` } as const
  await ingest(tenantId, connectionId, [
    { kind: 'message', providerId: 'p1', from: genoveva, fromMe: false, timestamp: new Date(), content: said },
  ])
  await settleInbound()
  const [contact] = await withTenant(tenantId, (tx) => tx.db.select().from(schema.contacts))
  const [ticket] = await withTenant(tenantId, (tx) => tx.db.select().from(schema.tickets))
  const [contactId = '', ticketId = ''] = [contact?.id, ticket?.id]
  const made = async (path: string, body: object) => {
    const reply = await me.post(path, body)
    expect(reply.status).toBeLessThan(300)
    return reply.body as { id: string }
  }

  await me.put(`/contacts/${contactId}`, { name, email: 'genoveva@exemplo.com' })
  await me.put(`/tickets/${ticketId}`, { status: 'open', userId: tenant.admin.id })
  const task = await made('/todoLists', { name: 'Ligar', contactId, ticketId })
  await me.put(`/todoLists/${task.id}`, { priority: 'high' })
  const scheduleDate = new Date(Date.now() + 3_600_000).toISOString()
  const plan = () => made('/messagesSchedule', { contactId, connectionId, body: `Olá, ${name}`, scheduleDate })
  await plan()
  await me.delete(`/messagesSchedule/${(await plan()).id}`)
  await made('/pipelines', { name: 'Vendas' })
  const [stage] = (await me.get('/stages')).body.items as { id: string }[]
  const sale = () => made('/opportunities', { name: `Reforma da ${name}`, stageId: stage?.id, contactId })
  await me.put(`/opportunities/${(await sale()).id}`, { value: 100 })
  await me.delete(`/opportunities/${(await sale()).id}`)
  await made(`/exportMessages/${ticketId}`, { format: 'text' })
  await me.put(`/tickets/${ticketId}`, { status: 'closed' })
  await made('/ticketEvaluations', { ticketId, grade: 5, comment: `${name} gostou` })
  const [sold] = (await me.get('/opportunities')).body.items as { id: string }[]
  const [calendar] = await withTenant(tenantId, ({ db }) =>
    db
      .insert(schema.integrations)
      .values({ tenantId, family: 'calendar', kind: 'googleCalendar', name: 'Agenda', config: {} })
      .returning(),
  )
  const mail = { kind: 'transcript', messageId: '<1@balcao>', expiresAt: new Date() } as const
  const call = {
    integrationId: v7(),
    number: '+551187650123',
    name,
    assistantId: 'a',
    phoneNumberId: 'n',
    summary: name,
  }
  const wrong = { connectionId, state: 'failed', error: 'Não deu.' } as const
  await withTenant(tenantId, async ({ db }) => {
    const event = { tenantId, integrationId: calendar?.id ?? '', changedAt: new Date() }
    await db.insert(schema.calendarEvents).values([
      { ...event, eventId: 'a', opportunityId: sold?.id ?? '', summary: `Reforma · ${name}` },
      { ...event, eventId: 'b', summary: 'Visita', attendees: ['genoveva@exemplo.com'] },
      { ...event, eventId: 'c', summary: 'Visita à Lia' },
    ])
    await db.insert(schema.voiceCalls).values({ tenantId, ...call })
    await db.insert(schema.mails).values({ tenantId, to: 'Genoveva@exemplo.com', ...mail })
    const line = { tenantId, userId: tenant.admin.id, times: 1 }
    await db.insert(schema.notifications).values([
      { ...line, kind: 'schedule', subject: 'a', link: '/a', title: `A mensagem para ${name} não saiu`, body: 'Veja.' },
      {
        ...line,
        kind: 'task',
        subject: 'b',
        link: '/b',
        title: 'Tarefa',
        body: `Ligar para ${name.toUpperCase()}, ${phone}`,
      },
      { ...line, kind: 'task', subject: 'c', link: '/c', title: 'Tarefa', body: 'Ligar para Lia Quaresmeira' },
    ])
    const job = {
      tenantId,
      userId: tenant.admin.id,
      params: {},
      state: 'done',
      hasResult: true,
      finishedAt: new Date(),
    } as const
    const ofList = { ...job, kind: 'exportContacts', id: v7() } as const
    const ofOthers = { ...job, kind: 'exportContacts', id: v7() } as const
    await db.insert(schema.bulkJobs).values([ofList, ofOthers])
    await db.insert(schema.jobParts).values([
      { tenantId, jobId: ofList.id, place: 0, body: `Nome;Número\r\n${name};${phone}` },
      { tenantId, jobId: ofOthers.id, place: 0, body: 'Nome;Número\r\nLia;5511922222222' },
    ])
    await db.insert(schema.jobRefusals).values([
      { tenantId, jobId: ofOthers.id, item: name, reason: 'Não deu.' },
      { tenantId, jobId: ofOthers.id, item: 'Lia', reason: 'Não deu.' },
    ])
    await db.insert(schema.journal).values([
      { tenantId, eventKey: 'hers', payload: { from: '551187650123', name }, ...wrong },
      { tenantId, eventKey: 'hers, handled', payload: { from: '551187650123', name }, connectionId, state: 'done' },
      { tenantId, eventKey: 'another’s', payload: { from: '5511987650124', name: 'Lia' }, ...wrong },
    ])
  })
  expect((await traces(tenantId)).filter((place) => place.startsWith('audit'))).toEqual(['audit.after', 'audit.before'])

  expect((await me.delete(`/contactsforce/${contactId}`)).status).toBe(204)
  expect((await traces(tenantId)).filter((place) => place !== 'outbox.payload')).toEqual([])
  const journaled = await withTenant(tenantId, (tx) => tx.db.select().from(schema.journal).orderBy(schema.journal.seq))
  const kept = journaled.filter(({ eventKey }) => !eventKey.startsWith('erased:'))
  expect(kept).toMatchObject([
    { eventKey: 'hers', state: 'done', payload: {}, error: 'O contato foi excluído.' },
    { eventKey: 'hers, handled', state: 'done', payload: {}, error: 'O contato foi excluído.' },
    { eventKey: 'another’s', state: 'failed', payload: { name: 'Lia' } },
  ])
  const [parts, refused] = await withTenant(tenantId, async ({ db }) => [
    await db.select().from(schema.jobParts),
    await db.select().from(schema.jobRefusals),
  ])
  const events = await withTenant(tenantId, (tx) => tx.db.select().from(schema.calendarEvents))
  expect(events.map(({ summary }) => summary).toSorted()).toEqual([
    'Contato excluído',
    'Contato excluído',
    'Visita à Lia',
  ])
  expect(parts).toMatchObject([{ body: expect.stringContaining('Lia') }])
  expect(refused).toMatchObject([{ item: 'Lia' }])
  const lines = (await me.get('/notifications')).body.items as { title: string; body: string }[]
  expect(lines.map(({ title, body }) => `${title}: ${body}`).toSorted()).toEqual([
    'A mensagem para Contato excluído não saiu: Veja.',
    'Tarefa: Ligar para Contato excluído, Contato excluído',
    'Tarefa: Ligar para Lia Quaresmeira',
  ])
  const told = (await me.get('/audit')).body.items as { action: string; userId: string }[]
  const actions = new Set(told.map(({ action }) => action))
  for (const action of ['schedule.created', 'opportunity.deleted', 'ticket.deleted', 'contact.deleted'])
    expect(actions).toContain(action)
})
