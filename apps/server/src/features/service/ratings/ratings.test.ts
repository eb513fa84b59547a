import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'
import type { Content } from '../../../channels/adapter.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createTicket, withTenant, schema, statementCount } = kit
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { expireRatings } = await import('./expire-ratings.ts')

const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))

/** A company that asks for grades, and a customer who was served and whose conversation has just been closed. */
const seedCompany = async ({
  settings = {},
  isClosed = true,
}: {
  settings?: Partial<TenantSettings>
  isClosed?: boolean
} = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings })
  const { tenantId, agent } = tenant
  const connectionId = await createConnection(tenant, { kind: 'webchat', config: { allowAnyDomain: true } })
  await withTenant(tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ sendEvaluation: true, queueId: tenant.queues.Vendas })
      .where(eq(schema.connections.id, connectionId)),
  )
  const who = v7()
  const say = (...bodies: (string | Content)[]) =>
    ingest(
      tenantId,
      connectionId,
      bodies.map((body) => ({
        kind: 'message' as const,
        providerId: `m:${v7()}`,
        from: { identities: [{ kind: 'webchat' as const, value: who }] as const, name: 'Maria Lima' },
        fromMe: false,
        timestamp: new Date(),
        content: typeof body === 'string' ? { type: 'text' as const, body } : body,
      })),
    )
  const tickets = () =>
    withTenant(tenantId, (tx) => tx.db.select().from(schema.tickets).orderBy(schema.tickets.createdAt))
  const ratings = () =>
    withTenant(tenantId, (tx) => tx.db.select().from(schema.ratings).orderBy(schema.ratings.createdAt))
  const messages = () => withTenant(tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  const told = async () =>
    (await messages()).filter((one) => one.fromMe && one.type !== 'system').map((one) => one.body)
  const age = (minutes: number) =>
    withTenant(tenantId, async (tx) => {
      const past = new Date(Date.now() - minutes * 60_000)
      await tx.db.update(schema.ratings).set({ expiresAt: past }).where(eq(schema.ratings.tenantId, tenantId))
    })
  await say('Bom dia')
  const [ticket] = await tickets()
  const ticketId = ticket?.id ?? ''
  expect((await as(agent).put(`/tickets/${ticketId}`, { status: 'open', userId: agent.id })).status).toBe(200)
  if (isClosed) expect(await as(agent).put(`/tickets/${ticketId}`, { status: 'closed' })).toMatchObject({ status: 200 })
  return { ...tenant, connectionId, ticketId, say, tickets, ratings, messages, told, age }
}

test('closing asks for a grade; the grade is kept and thanked, and the conversation stays closed', async () => {
  const company = await seedCompany()
  const [asked] = await company.ratings()
  expect(asked).toMatchObject({ status: 'pending', ticketId: company.ticketId, userId: company.agent.id, grade: null })
  const scale = (await company.messages()).find((one) => one.sendType === 'rating')
  expect(scale).toMatchObject({ fromMe: true, status: 'queued', body: expect.stringContaining('Como você avalia') })

  events.length = 0
  await company.say('5, adorei!')
  expect(await company.ratings()).toMatchObject([{ status: 'answered', grade: 5, comment: 'adorei!', attempts: 0 }])
  const [ticket, ...others] = await company.tickets()
  expect(others).toEqual([])
  expect(ticket).toMatchObject({ status: 'closed', unreadMessages: 0, waitingSince: null, lastMessage: '5, adorei!' })
  expect(ticket?.lastInboundAt).toBeTruthy()
  expect((await company.told()).at(-1)).toBe('Obrigado pela sua avaliação!')
  const logs = (await as(company.supervisor).get(`/ticketEvaluations/${company.ticketId}/logs`)).body.items
  expect(logs).toMatchObject([{ type: 'rating', note: '5 – Ótimo' }])
  const news = events.find((one) => one.name === 'rating.updated')
  expect(news?.payload).toMatchObject({ grade: 5, contact: { name: 'Maria Lima' }, user: { id: company.agent.id } })
  expect(news?.audience).toEqual({ kind: 'users', userIds: [company.supervisor.id, company.admin.id] })
})

test('a grade’s own words are the thanks; the name of a grade and a pressed button count as much as its number', async () => {
  const options = [
    { value: 1, label: 'Não gostei', message: 'Que pena!' },
    { value: 2, label: 'Gostei', message: '' },
  ]
  const { defaultSettings } = await import('@balcao/contract/people/settings.ts')
  for (const [said, grade, answer] of [
    ['nao gostei', 1, 'Que pena!'],
    ['2 – Gostei', 2, 'Obrigado pela sua avaliação!'],
  ] as const) {
    const company = await seedCompany({ settings: { rating: { ...defaultSettings.rating, options } } })
    await company.say(said)
    expect(await company.ratings()).toMatchObject([{ grade, comment: '' }])
    expect((await company.told()).at(-1)).toBe(answer)
  }
})

test('a pressed grade counts whatever the button says', async () => {
  const company = await seedCompany()
  await company.say({ type: 'text', body: 'Ótimo…', choice: 'nota:3' })
  expect(await company.ratings()).toMatchObject([{ grade: 3, comment: '' }])
})

test('what is no grade is asked again without opening anything; after the last attempt it begins a conversation', async () => {
  const company = await seedCompany()
  await company.say({ type: 'audio', body: '' })
  expect(await company.ratings()).toMatchObject([{ status: 'pending', attempts: 1 }])
  expect(await company.tickets()).toMatchObject([{ status: 'closed', unreadMessages: 0 }])
  expect((await company.told()).at(-1)).toContain('Não entendi')

  await company.say('Quero falar com alguém', '5')
  expect(await company.ratings()).toMatchObject([{ status: 'expired', grade: null, attempts: 2 }])
  const [closed, fresh] = await company.tickets()
  expect(fresh).toMatchObject({ status: 'pending', unreadMessages: 2 })
  const all = await company.messages()
  expect(all.filter((one) => one.type === 'audio').map((one) => one.ticketId)).toEqual([closed?.id])
  expect(all.filter((one) => one.ticketId === fresh?.id).map((one) => one.body)).toEqual([
    'Quero falar com alguém',
    '5',
  ])
})

test('a grade and more in one breath: the grade stays behind, the rest begins a conversation', async () => {
  const company = await seedCompany()
  await company.say('4', 'e agora outro assunto')
  expect(await company.ratings()).toMatchObject([{ grade: 4 }])
  const [, fresh] = await company.tickets()
  expect(fresh).toMatchObject({ status: 'pending', unreadMessages: 1, lastMessage: 'e agora outro assunto' })
})

test('a bare grade opens nothing when it comes days late or corrects the one before; a week later it is a message', async () => {
  const late = await seedCompany()
  await late.age(3 * 24 * 60)
  await expireRatings()
  expect(await late.ratings()).toMatchObject([{ status: 'expired' }])
  await late.say('3')
  expect(await late.ratings()).toMatchObject([{ status: 'answered', grade: 3 }])
  expect(await late.tickets()).toHaveLength(1)

  const corrected = await seedCompany()
  await corrected.say('1')
  await corrected.say('5')
  await corrected.say('5')
  expect(await corrected.ratings()).toMatchObject([{ status: 'answered', grade: 5 }])
  expect(await corrected.tickets()).toHaveLength(1)
  expect((await corrected.told()).filter((body) => body.startsWith('Obrigado'))).toHaveLength(1)

  const tooLate = await seedCompany()
  await tooLate.age(8 * 24 * 60)
  await tooLate.say('3')
  expect(await tooLate.ratings()).toMatchObject([{ grade: null }])
  expect(await tooLate.tickets()).toHaveLength(2)

  const words = await seedCompany()
  await words.age(60)
  await words.say('3, mas preciso de ajuda')
  expect(await words.tickets()).toHaveLength(2)
})

test('a grade outside business hours gets thanks and no absence message', async () => {
  const { alwaysOpen } = await import('@balcao/contract/core/business-hours.ts')
  const closed = alwaysOpen.map((day) => ({ ...day, type: 'C' as const }))
  const company = await seedCompany({ settings: { businessHours: closed, messageBusinessHours: 'Estamos fechados.' } })
  const before = (await company.told()).filter((body) => body === 'Estamos fechados.').length
  await company.say('5')
  expect((await company.told()).filter((body) => body === 'Estamos fechados.')).toHaveLength(before)
  expect(await company.tickets()).toHaveLength(1)
})

test('the same grade delivered many times at once is one grade and one thanks', async () => {
  const company = await seedCompany()
  const event = {
    kind: 'message' as const,
    providerId: `m:${v7()}`,
    from: { identities: [{ kind: 'webchat' as const, value: 'outra' }] as [{ kind: 'webchat'; value: string }] },
    fromMe: false,
    timestamp: new Date(),
    content: { type: 'text' as const, body: '5' },
  }
  const [asked] = await company.ratings()
  await withTenant(company.tenantId, (tx) =>
    tx.db.insert(schema.contactIdentities).values({
      tenantId: company.tenantId,
      kind: 'webchat',
      value: 'outra',
      contactId: asked?.contactId ?? '',
    }),
  )
  await Promise.all(Array.from({ length: 10 }, () => ingest(company.tenantId, company.connectionId, [event])))
  expect(await company.ratings()).toMatchObject([{ grade: 5 }])
  expect(await company.tickets()).toHaveLength(1)
  expect((await company.told()).filter((body) => body.startsWith('Obrigado'))).toHaveLength(1)
})

test('nobody is asked who was not served, by a forced close, in a group, or where the connection does not want it', async () => {
  const company = await seedCompany({ isClosed: false })
  await as(company.supervisor).put(`/ticketsForce/${company.ticketId}`, {})
  expect(await company.ratings()).toEqual([])

  const waiting = await createTicket(company, { queue: 'Vendas', connectionId: company.connectionId })
  await as(company.agent).put(`/tickets/${waiting}`, { status: 'closed' })
  const group = await createTicket(company, {
    connectionId: company.connectionId,
    userId: company.agent.id,
    isGroup: true,
  })
  await as(company.agent).put(`/tickets/${group}`, { status: 'closed' })
  const other = await createTicket(company, { queue: 'Vendas', userId: company.agent.id })
  await as(company.agent).put(`/tickets/${other}`, { status: 'closed' })
  expect(await company.ratings()).toEqual([])
  const ofCompany = eq(schema.messages.tenantId, company.tenantId)
  const asked = await withTenant(company.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.messages)
      .where(and(ofCompany, eq(schema.messages.sendType, 'rating'))),
  )
  expect(asked).toEqual([])
})

test('a new question takes the place of the one before', async () => {
  const company = await seedCompany()
  await company.say('deixa eu ver', 'preciso de mais uma coisa')
  const fresh = (await company.tickets()).find((one) => one.status !== 'closed')
  await as(company.agent).put(`/tickets/${fresh?.id}`, { status: 'open', userId: company.agent.id })
  await as(company.agent).put(`/tickets/${fresh?.id}`, { status: 'closed' })
  expect((await company.ratings()).map((one) => one.status)).toEqual(['expired', 'pending'])
  await company.say('2')
  expect((await company.ratings()).map((one) => [one.ticketId, one.grade])).toEqual([
    [company.ticketId, null],
    [fresh?.id, 2],
  ])
})

test('a message of an active conversation costs no look at ratings', async () => {
  const company = await seedCompany({ isClosed: false })
  await company.say('um')
  const before = statementCount()
  await company.say('dois')
  expect(statementCount() - before).toBeLessThanOrEqual(6)
})

const listed = async (by: TestUser, query = '') =>
  (await as(by).get(`/ticketEvaluations?${query}`)).body.items.map((row: { grade: number | null }) => row.grade)

test('ratings are listed, found, summed up and exported, only of conversations one sees', async () => {
  const company = await seedCompany()
  await company.say('5, =adorei')
  const { supervisor, agent, admin } = company
  expect(await listed(supervisor)).toEqual([5])
  expect(await listed(supervisor, 'grades=1,2')).toEqual([])
  expect(await listed(supervisor, 'searchParam=adorei')).toEqual([5])
  expect(await listed(supervisor, 'searchParam=MARIA')).toEqual([5])
  expect(await listed(supervisor, `userIds=${agent.id}&status=answered`)).toEqual([5])
  expect(await listed(supervisor, 'dateTo=2020-01-01')).toEqual([])
  expect((await as(agent).get('/ticketEvaluations')).status).toBe(403)
  expect((await as(admin).get('/ticketEvaluations/summary')).body).toEqual({
    asked: 1,
    answered: 1,
    average: 5,
    grades: [{ grade: 5, count: 1 }],
    people: [{ user: { id: agent.id, name: agent.name }, asked: 1, answered: 1, average: 5 }],
  })
  const csv = (await as(admin).get('/ticketEvaluations/export.csv')).body
  expect(csv).toContain("'=adorei")
  expect(csv).toContain('Maria Lima')

  const other = await seedCompany()
  expect(await listed(other.admin)).toEqual([null])
})

test('supervisors write down and correct a grade, administrators delete it; all of it is recorded', async () => {
  const company = await seedCompany({ isClosed: false })
  const { supervisor, agent, admin, ticketId } = company
  const body = { ticketId, grade: 4, comment: 'por telefone' }
  expect((await as(supervisor).post('/ticketEvaluations', body)).body.error).toBe('ERR_INVALID_TRANSITION')
  await as(agent).put(`/tickets/${ticketId}`, { status: 'closed' })
  expect((await as(agent).post('/ticketEvaluations', body)).status).toBe(403)
  expect(await as(supervisor).post('/ticketEvaluations', { ...body, grade: 9 })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'grade' }] },
  })
  const made = await as(supervisor).post('/ticketEvaluations', body)
  expect(made).toMatchObject({ status: 201, body: { grade: 4, comment: 'por telefone', status: 'answered' } })
  expect(await company.ratings()).toHaveLength(1)
  expect((await as(supervisor).post('/ticketEvaluations', body)).status).toBe(409)
  const changed = await as(supervisor).put(`/ticketEvaluations/${made.body.id}`, { grade: 2 })
  expect(changed.body).toMatchObject({ grade: 2, comment: 'por telefone' })
  expect((await as(supervisor).delete(`/ticketEvaluations/${made.body.id}`)).status).toBe(403)
  expect((await as(admin).delete(`/ticketEvaluations/${made.body.id}`)).status).toBe(204)
  const audit = await withTenant(company.tenantId, (tx) =>
    tx.db.select().from(schema.audit).where(eq(schema.audit.entity, 'rating')),
  )
  expect(audit.map((one) => one.action)).toEqual(['create', 'update', 'delete'])
  const other = await seedCompany()
  expect((await as(other.admin).put(`/ticketEvaluations/${made.body.id}`, { grade: 2 })).status).toBe(404)
})

test('how customers are asked is one setting with three doors', async () => {
  const { admin, supervisor } = await seedTenant()
  const before = (await as(supervisor).get('/tenants/rating/')).body
  expect(before).toMatchObject({ attempts: 2, expiresIn: 60 })
  const options = [
    { value: 0, label: 'Não', message: '' },
    { value: 1, label: 'Sim', message: 'Que bom!' },
  ]
  expect((await as(supervisor).put('/tenants/rating', { options })).status).toBe(403)
  expect((await as(admin).put('/tenants/rating', options)).body).toEqual({ ...before, options })
  expect((await as(admin).put('/tenantsRatingData', { thanks: 'Valeu!' })).body).toMatchObject({
    thanks: 'Valeu!',
    options,
  })
  const twice = [options[0], { ...options[1], value: 0 }]
  expect(await as(admin).put('/tenants/rating', { options: twice })).toMatchObject({ status: 422 })
  expect((await as(supervisor).get('/settings')).body.rating).toMatchObject({ thanks: 'Valeu!', options })
})
