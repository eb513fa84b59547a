import { setTimeout as sleep } from 'node:timers/promises'
import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createConnection, createTicket, createUser, withTenant, withPlatform, schema } =
  kit
const { writeAllDue } = await import('./schedules.loop.ts')
const { writeDue } = await import('./write-due.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { storeFile } = await import('../../core/media/media.service.ts')

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const tenant = await seedTenant()
const { sim, connectionId } = await startWaba(kit, tenant)
sim.policy.hasWindow = false // ours is asked here
sim.setWebhook(undefined)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** Lets messages leave while it looks; nothing is left in hand when the database closes. */
const whileSending = async <T>(look: () => Promise<T>): Promise<T> => {
  const sender = await startTestWorkers('sender')
  try {
    return await look()
  } finally {
    await sender.stop()
  }
}

let nextPhone = 1_000
/** A contact that may be written to on WhatsApp: it wrote a moment ago. */
const reachable = async (more: { name?: string; status?: 'open' | 'closed' } = {}) => {
  const contactId = await createContact(tenant, { name: more.name, number: `551198888${nextPhone++}` })
  const ticketId = await createTicket(tenant, { userId: tenant.agent.id, contactId, connectionId, status: more.status })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, ticketId)),
  )
  return { contactId, ticketId }
}
const plan = async (input: object, who = tenant.agent): Promise<Schedule> => {
  const reply = await as(who).post('/messagesSchedule', {
    connectionId,
    body: 'Olá',
    scheduleDate: inMinutes(60),
    ...input,
  })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}
/** Time passes, for one schedule. */
const letDue = (id: string, secondsAgo = 0, { tenantId }: { tenantId: number } = tenant) => {
  const at = new Date(Date.now() - secondsAgo * 1_000)
  return withTenant(tenantId, (tx) =>
    tx.db.update(schema.schedules).set({ dueAt: at, attemptAt: at }).where(eq(schema.schedules.id, id)),
  )
}
const read = async (id: string): Promise<Schedule> => (await as(tenant.agent).get(`/scheduleMessages/${id}`)).body
const messagesOf = ({ tenantId }: { tenantId: number }, contactId: string) =>
  withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.messages)
      .where(and(eq(schema.messages.contactId, contactId), eq(schema.messages.type, 'text'))),
  )
const sentTo = (text: string) =>
  sim.requests.filter(
    (one) => one.method === 'POST' && one.path.endsWith('/messages') && JSON.stringify(one.body).includes(text),
  )
const webchat = async (more: Parameters<typeof seedTenant>[0] = {}) => {
  const company = await seedTenant(more)
  const channel = await createConnection(company)
  const schedule = async (input: object = {}) => {
    const contactId = await createContact(company)
    const reply = await as(company.agent).post('/messagesSchedule', {
      contactId,
      connectionId: channel,
      body: 'Olá',
      scheduleDate: inMinutes(60),
      ...input,
    })
    expect(reply).toMatchObject({ status: 201 })
    return reply.body as Schedule
  }
  return { company, channel, schedule }
}
const eventsOf = ({ tenantId }: { tenantId: number }, name: 'schedule.created' | 'schedule.updated') =>
  withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, name)).orderBy(schema.outbox.seq),
  )
const setTimezone = async ({ tenantId }: Tenant, timezone: string) => {
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ timezone }).where(eq(schema.tenants.id, tenantId)),
  )
  kit.invalidateDirectory(tenantId)
}

test('what is due is sent once, with its variables filled in, in the open conversation', async () => {
  const { contactId, ticketId } = await reachable({ name: 'Maria Clara' })
  const planned = await plan({ contactId, body: 'Oi {{firstName}}, aqui é {{user}}: amanhã às 9h.' })
  expect(planned).toMatchObject({
    state: 'pending',
    isLate: false,
    recurrence: null,
    createdBy: { id: tenant.agent.id },
  })
  await letDue(planned.id)
  const loops = [await startTestWorkers('schedules'), await startTestWorkers('schedules')]
  const sent = await whileSending(() =>
    until(async () => {
      const now = await read(planned.id)
      return now.state === 'sent' && now
    }),
  )
  await Promise.all(loops.map((loop) => loop.stop()))
  expect(sent).toMatchObject({ ticketId, isLate: false, error: null, messageId: expect.any(String) })
  const text = 'Oi Maria, aqui é Ana Souza: amanhã às 9h.'
  expect(await messagesOf(tenant, contactId)).toMatchObject([{ body: text, status: 'sent', userId: tenant.agent.id }])
  expect(sentTo(text)).toHaveLength(1)
})

test('nothing is sent before its time', async () => {
  const { contactId } = await reachable()
  const planned = await plan({ contactId, scheduleDate: inMinutes(1) })
  await writeAllDue()
  expect((await read(planned.id)).state).toBe('pending')
  expect(await messagesOf(tenant, contactId)).toHaveLength(0)
})

test('what came due while the server was down is sent late, and marked', async () => {
  const { contactId } = await reachable()
  const planned = await plan({ contactId })
  await letDue(planned.id, 3 * 86_400)
  await writeAllDue()
  expect(await read(planned.id)).toMatchObject({ isLate: true, messageId: expect.any(String) })
  expect(await messagesOf(tenant, contactId)).toHaveLength(1)
})

test('twenty loops and writers at once write one message', async () => {
  const { company, schedule } = await webchat()
  const { id, contact, connection } = await schedule()
  await letDue(id, 0, company)
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 ? writeAllDue() : writeDue({ tenantId: company.tenantId, id, connectionId: connection.id }),
    ),
  )
  expect(await messagesOf(company, contact.id)).toHaveLength(1)
})

test('two messages due for one new conversation share its ticket', async () => {
  const { company, channel } = await webchat()
  const contactId = await createContact(company)
  for (const body of ['um', 'dois', 'três']) {
    const reply = await as(company.agent).post('/messagesSchedule', {
      contactId,
      connectionId: channel,
      body,
      scheduleDate: inMinutes(5),
    })
    await letDue(reply.body.id, 0, company)
  }
  await writeAllDue()
  const written = await messagesOf(company, contactId)
  expect(written.map((one) => one.body).sort()).toEqual(['dois', 'três', 'um'])
  expect(new Set(written.map((one) => one.ticketId)).size).toBe(1)
})

test('cancelled and due in the same second: once or not at all', async () => {
  const { company, schedule } = await webchat()
  const seen = { sent: 0, canceled: 0 }
  for (let n = 0; n < 20; n += 1) {
    const { id, contact, connection } = await schedule()
    await letDue(id, 0, company)
    const due = { tenantId: company.tenantId, id, connectionId: connection.id }
    const cancel = () => as(company.agent).delete(`/scheduleMessages/${id}`)
    const [reply] =
      n % 2 ? await Promise.all([cancel(), writeDue(due)]) : (await Promise.all([writeDue(due), cancel()])).reverse()
    await writeAllDue()
    const written = await messagesOf(company, contact.id)
    const isCanceled = (reply as { status: number }).status === 200
    if (!isCanceled) expect(reply).toMatchObject({ status: 409, body: { error: 'ERR_SCHEDULE_NOT_PENDING' } })
    expect(written).toHaveLength(isCanceled ? 0 : 1)
    seen[isCanceled ? 'canceled' : 'sent'] += 1
  }
  expect(seen.sent + seen.canceled).toBe(20)
})

test('edited and due in the same second: the one text or the other, once', async () => {
  const { company, schedule } = await webchat()
  for (let n = 0; n < 20; n += 1) {
    const { id, contact, connection } = await schedule({ body: 'antes' })
    await letDue(id, 0, company)
    const [reply] = await Promise.all([
      as(company.agent).put(`/scheduleMessages/${id}`, { body: 'depois', version: 1 }),
      sleep((n % 5) * 3).then(() => writeDue({ tenantId: company.tenantId, id, connectionId: connection.id })),
    ])
    await writeAllDue()
    const [written, ...more] = await messagesOf(company, contact.id)
    expect(more).toEqual([])
    expect(written?.body).toBe(reply.status === 200 ? 'depois' : 'antes')
  }
})

test('a closed conversation stays closed: a new one is open for nobody and answered', async () => {
  const { contactId, ticketId } = await reachable({ status: 'closed' })
  const planned = await plan({ contactId })
  await letDue(planned.id)
  await writeAllDue()
  const after = await read(planned.id)
  expect(after.ticketId).not.toBe(ticketId)
  expect((await as(tenant.agent).get(`/tickets/${after.ticketId}`)).body).toMatchObject({
    status: 'open',
    userId: null,
    answered: true,
    lastMessage: 'Olá',
    unreadMessages: 0,
  })
  expect((await as(tenant.agent).get(`/tickets/${ticketId}`)).body.status).toBe('closed')
})

test('who answers what we began waits for a person from then on; nothing is promised before', async () => {
  const anyQueue = { queueId: null, priority: null, firstAnswer: 30, resolution: 60 }
  const { company, channel, schedule } = await webchat({ queues: ['Vendas'], settings: { slaTargets: [anyQueue] } })
  await withTenant(company.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ queueId: company.queues.Vendas }).where(eq(schema.connections.id, channel)),
  )
  const { id, contact } = await schedule()
  await withTenant(company.tenantId, (tx) =>
    tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: company.tenantId, kind: 'webchat', value: `v_${id}`, contactId: contact.id }),
  )
  await letDue(id, 0, company)
  await writeAllDue()
  const { ticketId } = (await as(company.agent).get(`/scheduleMessages/${id}`)).body
  const ticket = async () => (await as(company.agent).get(`/tickets/${ticketId}`)).body
  expect(await ticket()).toMatchObject({ status: 'open', userId: null, slaDueAt: null, waitingSince: null })

  const answeredAt = Date.now()
  await ingest(company.tenantId, channel, [
    {
      kind: 'message',
      providerId: v7(),
      fromMe: false,
      timestamp: new Date(),
      from: { identities: [{ kind: 'webchat', value: `v_${id}` }] },
      content: { type: 'text', body: 'Quero, sim!' },
    },
  ])
  const after = await ticket()
  expect(after).toMatchObject({ status: 'pending', userId: null, unreadMessages: 1, lastMessage: 'Quero, sim!' })
  expect(Date.parse(after.slaDueAt)).toBeGreaterThanOrEqual(answeredAt + 30 * 60_000)
})

test('a scheduled message is no answer: who waits for a person goes on waiting', async () => {
  const { company, channel } = await webchat({ queues: ['Vendas'] })
  const contactId = await createContact(company)
  const ticketId = await createTicket(company, { contactId, connectionId: channel, queue: 'Vendas' })
  const waitingSince = new Date(Date.now() - 3_600_000)
  await withTenant(company.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ waitingSince, answered: false }).where(eq(schema.tickets.id, ticketId)),
  )
  const planned = await as(company.agent).post('/messagesSchedule', {
    contactId,
    connectionId: channel,
    body: 'Feliz aniversário!',
    scheduleDate: inMinutes(60),
  })
  await letDue(planned.body.id, 0, company)
  await writeAllDue()
  expect((await as(company.agent).get(`/tickets/${ticketId}`)).body).toMatchObject({
    lastMessage: 'Feliz aniversário!',
    waitingSince: waitingSince.toISOString(),
  })
})

test('outside the 24 hours of WhatsApp it fails and says why; what repeats goes on', async () => {
  const contactId = await createContact(tenant, { number: '5511977770000' })
  const planned = await plan({ contactId, recurrence: { everyDays: 5, times: 3 } })
  await letDue(planned.id)
  await writeAllDue()
  expect(await read(planned.id)).toMatchObject({
    state: 'failed',
    error:
      'A janela de 24 horas terminou. Envie um modelo aprovado, onde o canal tem modelos, ou espere o cliente escrever.',
    messageId: null,
  })
  expect(await messagesOf(tenant, contactId)).toHaveLength(0)
  const { items } = (await as(tenant.agent).get(`/scheduleMessages?contactId=${contactId}`)).body
  expect(items.map((one: Schedule) => [one.state, one.recurrence])).toEqual([
    ['failed', { everyDays: 5, times: 3 }],
    ['pending', { everyDays: 5, times: 2 }],
  ])
})

test('a text whose variables leave nothing fails, and opens no conversation', async () => {
  const { company, schedule } = await webchat()
  const { id } = await schedule({ body: '{{email}}' })
  await letDue(id, 0, company)
  await writeAllDue()
  expect((await as(company.agent).get(`/scheduleMessages/${id}`)).body).toMatchObject({
    state: 'failed',
    ticketId: null,
  })
  const open = await withTenant(company.tenantId, (tx) => tx.db.select().from(schema.tickets))
  expect(open).toEqual([])
})

test('what the provider refuses later counts as failed, with its words', async () => {
  const { contactId } = await reachable()
  const planned = await plan({ contactId, body: 'recusada-pela-meta' })
  sim.faults.next({
    status: 400,
    body: { error: { code: 131026, message: 'x' } },
    match: (one) => JSON.stringify(one.body).includes('recusada-pela-meta'),
  })
  await letDue(planned.id)
  await writeAllDue()
  expect((await read(planned.id)).state).toBe('sending')
  const failed = await whileSending(() =>
    until(async () => {
      const now = await read(planned.id)
      return now.state === 'failed' && now
    }),
  )
  expect(failed.error).toContain('Não conseguimos entregar')
  const { items } = (await as(tenant.agent).get(`/scheduleMessages?state=failed&contactId=${contactId}`)).body
  expect(items).toMatchObject([{ id: planned.id }])
})

test('what repeats leaves the next behind at the same hour of the wall, over a month’s end, until it is spent', async () => {
  const { company, schedule } = await webchat()
  await setTimezone(company, 'America/New_York')
  const first = await schedule({ scheduleDate: '2027-01-31T09:00', recurrence: { everyDays: 1, times: 2 } })
  expect(first).toMatchObject({ wallTime: '2027-01-31T09:00', scheduleDate: '2027-01-31T14:00:00.000Z' })
  const list = async () =>
    (await as(company.agent).get(`/scheduleMessages?contactId=${first.contact.id}`)).body.items as Schedule[]
  const pending = async () => (await list()).filter((one) => one.state === 'pending')

  await letDue(first.id, 0, company)
  await Promise.all([writeAllDue(), writeAllDue()])
  const [second, ...none] = await pending()
  expect(none).toEqual([])
  expect(second).toMatchObject({
    wallTime: '2027-02-01T09:00',
    scheduleDate: '2027-02-01T14:00:00.000Z',
    recurrence: { everyDays: 1, times: 1 },
    body: 'Olá',
  })
  await letDue(second?.id ?? '', 0, company)
  await writeAllDue()
  const [third] = await pending()
  expect(third).toMatchObject({ wallTime: '2027-02-02T09:00', recurrence: null })
  await letDue(third?.id ?? '', 0, company)
  await writeAllDue()
  expect(await pending()).toEqual([])
  expect(await messagesOf(company, first.contact.id)).toHaveLength(3)
  expect(await eventsOf(company, 'schedule.created')).toHaveLength(3)
})

test('cancelling ends the series; what is done cannot be changed or cancelled', async () => {
  const { company, schedule } = await webchat()
  const { id } = await schedule({ recurrence: { everyDays: 1, times: 5 } })
  expect((await as(company.agent).delete(`/scheduleMessages/${id}`)).body).toMatchObject({ state: 'canceled' })
  await letDue(id, 0, company)
  await writeAllDue()
  expect((await as(company.agent).get('/scheduleMessages?count=true')).body).toMatchObject({ count: 1 })
  for (const reply of [
    await as(company.agent).delete(`/scheduleMessages/${id}`),
    await as(company.agent).put(`/scheduleMessages/${id}`, { body: 'x' }),
  ])
    expect(reply).toMatchObject({ status: 409, body: { error: 'ERR_SCHEDULE_NOT_PENDING' } })
})

test('a stale form is told what changed', async () => {
  const { company, schedule } = await webchat()
  const { id } = await schedule()
  const saved = await as(company.agent).put(`/scheduleMessages/${id}`, {
    body: 'Nova',
    version: 1,
    scheduleDate: '2030-05-10T08:00',
    recurrence: { everyDays: 7, times: 2 },
  })
  expect(saved.body).toMatchObject({ version: 2, wallTime: '2030-05-10T08:00', recurrence: { everyDays: 7, times: 2 } })
  expect(await as(company.agent).put(`/scheduleMessages/${id}`, { body: 'Outra', version: 1 })).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONFLICT', details: { current: { body: 'Nova' }, changed: ['body'] } },
  })
})

test('a request sent twice schedules once', async () => {
  const { company, channel } = await webchat()
  const body = {
    id: v7(),
    contactId: await createContact(company),
    connectionId: channel,
    body: 'Olá',
    scheduleDate: inMinutes(5),
  }
  const replies = await Promise.all([1, 2, 3].map(() => as(company.agent).post('/messagesSchedule', body)))
  expect(replies.map((reply) => [reply.status, reply.body.id])).toEqual([1, 2, 3].map(() => [201, body.id]))
  expect(await as(company.admin).post('/messagesSchedule', body)).toMatchObject({ body: { error: 'ERR_DUPLICATED' } })
  expect(await eventsOf(company, 'schedule.created')).toHaveLength(1)
})

test('what cannot be sent is refused at its field', async () => {
  const { company, channel } = await webchat()
  const contactId = await createContact(company)
  const stranger = await seedTenant()
  const refused = async (input: object) => {
    const all = { contactId, connectionId: channel, body: 'Olá', scheduleDate: inMinutes(5), ...input }
    const reply = await as(company.agent).post('/messagesSchedule', all)
    return [reply.status, reply.body.details?.[0]?.path]
  }
  expect(await refused({ body: 'Oi {{nome}}' })).toEqual([422, 'body'])
  expect(await refused({ body: '  ' })).toEqual([422, 'body'])
  expect(await refused({ scheduleDate: inMinutes(-5) })).toEqual([422, 'scheduleDate'])
  expect(await refused({ scheduleDate: '2099-01-01T10:00' })).toEqual([422, 'scheduleDate'])
  expect(await refused({ scheduleDate: '2027-02-31T10:00' })).toEqual([422, 'scheduleDate'])
  expect(await refused({ recurrence: { everyDays: 0, times: 1 } })).toEqual([422, 'recurrence.everyDays'])
  expect(await refused({ contactId: await createContact(stranger) })).toEqual([422, 'contactId'])
  expect(await refused({ connectionId: await createConnection(stranger) })).toEqual([422, 'connectionId'])
  expect(await refused({ mediaId: v7() })).toEqual([422, 'mediaId'])
})

test('a file goes as what it is, with its caption', async () => {
  const { company, schedule } = await webchat()
  const file = await storeFile({
    tenantId: company.tenantId,
    userId: company.agent.id,
    bytes: Buffer.from('proposta'),
    name: 'proposta.txt',
  })
  const { id, contact, media } = await schedule({ mediaId: file.id, body: '' })
  expect(media).toMatchObject({ id: file.id, name: 'proposta.txt' })
  await letDue(id, 0, company)
  await writeAllDue()
  const [message] = await withTenant(company.tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.contactId, contact.id)),
  )
  expect(message).toMatchObject({ type: 'document', mediaId: file.id, mediaState: 'ready' })
})

test('lists filter by state, contact, channel and days of the company, and page by key', async () => {
  const { company, schedule, channel } = await webchat()
  await setTimezone(company, 'America/Rio_Branco')
  const night = await schedule({ scheduleDate: '2030-05-10T23:30', body: 'noite' })
  const day = await schedule({ scheduleDate: '2030-05-11T10:00', body: 'dia' })
  const gone = await schedule({ scheduleDate: '2030-05-12T10:00', body: 'cancelada' })
  await as(company.agent).delete(`/scheduleMessages/${gone.id}`)
  const list = async (query: string) =>
    (await as(company.agent).get(`/scheduleMessages?${query}`)).body.items.map((one: Schedule) => one.body)
  expect(await list('')).toEqual(['noite', 'dia', 'cancelada'])
  expect(await list('direction=desc')).toEqual(['cancelada', 'dia', 'noite'])
  expect(await list('state=pending')).toEqual(['noite', 'dia'])
  expect(await list('state=canceled,sent')).toEqual(['cancelada'])
  expect(await list('dateFrom=2030-05-10&dateTo=2030-05-10')).toEqual(['noite'])
  expect(await list(`contactId=${day.contact.id}`)).toEqual(['dia'])
  expect(await list(`connectionId=${channel}&searchParam=NOITE`)).toEqual(['noite'])
  expect(await list(`connectionId=${v7()}`)).toEqual([])
  for (const direction of ['asc', 'desc']) {
    const walked: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await as(company.agent).get(`/scheduleMessages?direction=${direction}&limit=1&count=true${cursor}`))
        .body
      expect(page.count).toBe(3)
      walked.push(...page.items.map((one: Schedule) => one.body))
      if (!page.hasMore) break
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(walked).toEqual(await list(`direction=${direction}`))
  }
  expect((await as(company.agent).get('/scheduleMessages?cursor=bm9wZQ')).status).toBe(422)
  expect(night.timeZone).toBe('America/Rio_Branco')
})

test('a calendar asks for what repeats into its days as well', async () => {
  const { company, schedule } = await webchat()
  await setTimezone(company, 'America/Rio_Branco')
  await schedule({ scheduleDate: '2030-05-10T09:00', body: 'semanal', recurrence: { everyDays: 7, times: 4 } })
  await schedule({ scheduleDate: '2030-05-11T09:00', body: 'uma vez' })
  const ended = await schedule({
    scheduleDate: '2030-05-12T09:00',
    body: 'desistiu',
    recurrence: { everyDays: 7, times: 9 },
  })
  await as(company.agent).delete(`/scheduleMessages/${ended.id}`)
  const list = async (query: string) =>
    (await as(company.agent).get(`/scheduleMessages?${query}`)).body.items.map((one: Schedule) => one.body)
  expect(await list('dateFrom=2030-06-01&dateTo=2030-06-30')).toEqual([])
  expect(await list('dateFrom=2030-06-01&dateTo=2030-06-30&withRepeats=true')).toEqual(['semanal'])
  expect(await list('dateFrom=2030-07-01&dateTo=2030-07-31&withRepeats=true')).toEqual([])
})

test('where contacts belong to wallets, only their owners and administrators know of it', async () => {
  const { company, channel } = await webchat({ settings: { DirectTicketsToWallets: true } })
  const owner = await createUser(company.tenantId, { name: 'Rui Paz' })
  const contactId = await createContact(company, { walletIds: [owner.id] })
  const input = { contactId, connectionId: channel, body: 'Olá', scheduleDate: inMinutes(5) }
  const { id } = (await as(owner).post('/messagesSchedule', input)).body
  expect((await as(company.agent).post('/messagesSchedule', input)).status).toBe(422)
  for (const reply of [
    await as(company.agent).get(`/scheduleMessages/${id}`),
    await as(company.agent).put(`/scheduleMessages/${id}`, { body: 'x' }),
    await as(company.agent).delete(`/scheduleMessages/${id}`),
  ])
    expect(reply.status).toBe(404)
  expect((await as(company.agent).get('/scheduleMessages')).body.items).toEqual([])
  expect((await as(company.admin).get('/scheduleMessages')).body.items).toHaveLength(1)
  const events = await eventsOf(company, 'schedule.created')
  expect(events.map((event) => event.audience)).toEqual([
    { kind: 'permission', can: 'contacts.delete' },
    { kind: 'user', userId: owner.id },
  ])
})

test('a channel that was deleted, or a company that is inactive: failed with a reason, or waiting', async () => {
  const { company, channel, schedule } = await webchat()
  const { id } = await schedule()
  await letDue(id, 0, company)
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ status: 'suspended' }).where(eq(schema.tenants.id, company.tenantId)),
  )
  await writeAllDue()
  const state = async () => (await withTenant(company.tenantId, (tx) => tx.db.select().from(schema.schedules)))[0]
  expect((await state())?.state).toBe('pending')
  await withPlatform('test', async (tx) => {
    await tx.db.update(schema.tenants).set({ status: 'active' }).where(eq(schema.tenants.id, company.tenantId))
    await tx.db.update(schema.connections).set({ deletedAt: new Date() }).where(eq(schema.connections.id, channel))
  })
  await writeAllDue()
  expect(await state()).toMatchObject({ state: 'failed', error: 'O canal desta mensagem foi excluído.' })
})

test('a slip of ours is tried again later, and holds up nobody', async () => {
  const { company, schedule } = await webchat()
  const broken = await createConnection(company, { kind: 'waba', config: { phoneNumberId: 7 } })
  const stuck = await schedule({ connectionId: broken })
  const fine = await schedule()
  await letDue(stuck.id, 5, company)
  await letDue(fine.id, 0, company)
  await writeAllDue()
  const rows = await withTenant(company.tenantId, (tx) => tx.db.select().from(schema.schedules))
  const rowOf = ({ id }: Schedule) => rows.find((row) => row.id === id)
  expect(rowOf(fine)?.state).toBe('written')
  expect(rowOf(stuck)).toMatchObject({ state: 'pending', attempts: 1 })
  expect((rowOf(stuck)?.attemptAt.getTime() ?? 0) - (rowOf(stuck)?.dueAt.getTime() ?? 0)).toBeGreaterThan(5_000)
})

describe('whoever may not see the conversation', () => {
  /** A contact served in a queue of others, and an agent who is not of it. */
  const hidden = async () => {
    const company = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
    const channel = await createConnection(company)
    const contactId = await createContact(company)
    const ticketId = await createTicket(company, { contactId, connectionId: channel, queue: 'Suporte' })
    const colleague = await createUser(company.tenantId, { queueIds: [company.queues.Suporte ?? ''] })
    const schedule = async (who: { token: string }) =>
      (
        await as(who).post('/messagesSchedule', {
          contactId,
          connectionId: channel,
          body: 'Segredo',
          scheduleDate: inMinutes(60),
        })
      ).body
    const audiences = async (id: string) => {
      const events = await withTenant(company.tenantId, (tx) => tx.db.select().from(schema.outbox))
      return events.filter((one) => (one.payload as { id?: string }).id === id).map((one) => one.audience)
    }
    return { ...company, channel, contactId, ticketId, colleague, schedule, audiences }
  }

  test('neither reads, changes nor cancels what others scheduled to it, nor hears of it', async () => {
    const { agent, colleague, supervisor, ticketId, schedule, audiences } = await hidden()
    const { id } = await schedule(colleague)
    expect((await as(agent).get('/scheduleMessages?count=true')).body).toMatchObject({ items: [], count: 0 })
    for (const [method, body] of [['GET'], ['PUT', { body: 'x' }], ['DELETE']] as const)
      expect((await as(agent).send(method, `/scheduleMessages/${id}`, body)).status).toBe(404)
    for (const who of [colleague, supervisor])
      expect((await as(who).get('/scheduleMessages')).body.items).toMatchObject([{ id }])
    expect(await audiences(id)).toEqual([{ kind: 'ticket', facts: expect.objectContaining({ id: ticketId }) }])
    const own = await schedule(agent)
    expect(await audiences(own.id)).toContainEqual({ kind: 'user', userId: agent.id })
    await as(agent).delete(`/scheduleMessages/${own.id}`)
    expect((await as(supervisor).put(`/tickets/${ticketId}`, { status: 'closed' })).status).toBe(200)
    expect((await as(agent).get(`/scheduleMessages/${id}`)).status).toBe(404)
  })

  test('may still schedule: it goes out in a conversation of their own, after that one', async () => {
    const { tenantId, agent, supervisor, contactId, channel, ticketId, schedule } = await hidden()
    const check = await as(agent).get(`/ticketscheck/${contactId}/${channel}`)
    expect(check.body).toMatchObject({ exists: true, ticketId: null })
    const { id } = await schedule(agent)
    await letDue(id, 0, { tenantId })
    await writeAllDue()
    expect((await as(agent).get(`/scheduleMessages/${id}`)).body).toMatchObject({
      state: 'pending',
      error: expect.stringContaining('conversa sua'),
    })
    expect(await messagesOf({ tenantId }, contactId)).toEqual([])

    await as(supervisor).put(`/tickets/${ticketId}`, { status: 'closed' })
    await withTenant(tenantId, (tx) => tx.db.update(schema.connections).set({ queueId: null }))
    await letDue(id, 60, { tenantId })
    await writeAllDue()
    const sent = (await as(agent).get(`/scheduleMessages/${id}`)).body
    expect(sent).toMatchObject({ error: null, messageId: expect.any(String) })
    expect((await as(agent).get(`/tickets/${sent.ticketId}`)).body).toMatchObject({ status: 'open', userId: agent.id })
  })

  test('is told when it did not end within a day', async () => {
    const { tenantId, agent, contactId, schedule } = await hidden()
    const { id } = await schedule(agent)
    await letDue(id, 25 * 3_600, { tenantId })
    await writeAllDue()
    expect((await as(agent).get(`/scheduleMessages/${id}`)).body).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Agende de novo'),
    })
    expect(await messagesOf({ tenantId }, contactId)).toEqual([])
  })
})
