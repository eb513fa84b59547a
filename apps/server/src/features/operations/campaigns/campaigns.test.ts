import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { recipientsQuery } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { campaignContent, campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { type Reply, startTestApp } from '../../../../test/kit.ts'
import { campaignRecipients, campaigns, campaignTallies } from '../../../db/schema/operations/campaigns.ts'
import { opportunities } from '../../../db/schema/sales/funnel.ts'
import { contentProblems, readingProblems } from './problems.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, schema, withTenant } = kit
type Tenant = Awaited<ReturnType<typeof seedTenant>>
const steps = [
  campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi, {{primeiro_nome}}' }] } }] }),
]
const set = ({ tenantId }: Tenant, id: string, change: object) =>
  withTenant(tenantId, (tx) => tx.db.update(campaigns).set(change).where(eq(campaigns.id, id)))
const rowOf = ({ tenantId }: Tenant, id: string) =>
  withTenant(tenantId, async (tx) => (await tx.db.select().from(campaigns).where(eq(campaigns.id, id)))[0])

test('a campaign is a draft that is saved piece by piece, and a stale copy is refused with what is new', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.supervisor)
  const made = await me.post('/campaigns', { name: 'Natal' })
  expect(made).toMatchObject({
    status: 201,
    body: { state: 'draft', version: 1, steps: [], createdBy: { id: tenant.supervisor.id } },
  })
  const { id } = made.body
  expect((await me.put(`/campaigns/${id}`, { steps, version: 1 })).body).toMatchObject({
    version: 2,
    steps,
    name: 'Natal',
  })
  const stale = await as(tenant.admin).put(`/campaigns/${id}`, { name: 'Ano-novo', version: 1 })
  expect(stale).toMatchObject({
    status: 409,
    body: { details: { current: { name: 'Natal', version: 2 }, changed: ['name'] } },
  })
  expect((await as(tenant.agent).get('/campaigns')).status).toBe(403)
  expect((await me.put(`/campaigns/${id}`, { pace: { minSeconds: 20, maxSeconds: 10 } })).status).toBe(422)
})

test('a campaign says only files that whoever writes it may send; those it had stay, whoever goes on writing', async () => {
  const { storeFile } = await import('../../core/media/media.service.ts')
  const tenant = await seedTenant()
  const { tenantId, admin, agent, supervisor } = tenant
  const fileOf = async (userId: string) =>
    (await storeFile({ tenantId, userId, bytes: Buffer.from('contrato de um cliente'), name: 'contrato.txt' })).id
  const [hers, theirs] = [await fileOf(supervisor.id), await fileOf(agent.id)]
  const saying = (...ids: string[]) => [
    campaignStep.parse({
      variants: [{ content: { parts: ids.map((mediaId) => ({ kind: 'file', body: '', mediaId })) } }],
    }),
  ]
  const refusal = (at: string) => ({
    status: 422,
    body: {
      details: [{ path: `steps.0.variants.0.content.${at}`, message: expect.stringContaining('Envie-o de novo') }],
    },
  })
  const me = as(supervisor)
  expect(await me.post('/campaigns', { name: 'Natal', steps: saying(theirs) })).toMatchObject(
    refusal('parts.0.mediaId'),
  )
  const made = await me.post('/campaigns', { name: 'Natal', steps: saying(hers) })
  expect(made.status).toBe(201)
  const path = `/campaigns/${made.body.id}`
  expect(await me.put(path, { steps: saying(hers, theirs) })).toMatchObject(refusal('parts.1.mediaId'))
  const header = [campaignStep.parse({ variants: [{ content: { templateMediaId: theirs } }] })]
  expect(await me.put(path, { steps: header })).toMatchObject(refusal('templateMediaId'))
  expect((await as(admin).put(path, { steps: saying(hers), name: 'Ano-novo' })).status).toBe(200)
  expect((await as(admin).post('/campaigns', { name: 'Outra', steps: saying(hers) })).status).toBe(422)
})

test('a campaign may be written as older programs do: three texts, a channel, a beginning and a delay', async () => {
  const tenant = await seedTenant()
  const sessionId = await createConnection(tenant)
  const older = {
    name: 'Natal',
    message1: 'A',
    message2: 'B',
    message3: '',
    sessionId,
    delay: 20,
    start: '2030-12-01T12:00:00Z',
  }
  const made = await as(tenant.admin).post('/campaigns', older)
  expect(made).toMatchObject({
    status: 201,
    body: {
      connectionIds: [sessionId],
      startsAt: '2030-12-01T12:00:00.000Z',
      pace: { minSeconds: 20, maxSeconds: 30 },
    },
  })
  const bodies = made.body.steps[0].variants.map(
    (one: { content: { parts: { body: string }[] } }) => one.content.parts[0]?.body,
  )
  expect(bodies).toEqual(['A', 'B'])
  expect((await as(tenant.admin).post('/campaigns', { name: 'X', start: 'ontem' })).body.details).toMatchObject([
    { path: 'startsAt' },
  ])
  const contactId = await createContact(tenant)
  const added = await as(tenant.admin).post(`/campaigns/contacts/${made.body.id}`, {
    contacts: [{ id: contactId, name: 'Ana' }],
  })
  expect(added.body.audience.include).toEqual([{ kind: 'contacts', contactIds: [contactId] }])
  expect(
    (await as(tenant.admin).delete(`/campaigns/contacts/${made.body.id}/${contactId}`)).body.audience.include,
  ).toEqual([])
  expect((await as(tenant.admin).delete(`/campaigns/deleteall/contacts/${made.body.id}`)).status).toBe(200)
})

test('files come with a campaign as a form, and with a change of it: captions of its texts, which stay', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const sessionId = await createConnection(tenant)
  const photo = () => new File(['foto'], 'vitrine.txt', { type: 'text/plain' })
  const made = new FormData()
  for (const [name, value] of Object.entries({
    name: 'Vitrine',
    message1: '{Oi|Olá}!',
    message2: 'Bom dia!',
    sessionId,
    delay: '20',
  }))
    made.append(name, value)
  made.append('medias', photo())
  const first = await me.post('/campaigns', made)
  expect(first).toMatchObject({ status: 201, body: { connectionIds: [sessionId], files: [{ name: 'vitrine.txt' }] } })
  const partsOf = (reply: Reply) =>
    reply.body.steps[0].variants.map((one: { content: { parts: { kind: string; body: string }[] } }) =>
      one.content.parts.map(({ kind, body }) => [kind, body]),
    )
  expect(partsOf(first)).toEqual([[['file', '{Oi|Olá}!']], [['file', 'Bom dia!']]])

  const change = new FormData()
  change.append('medias', photo())
  change.append('medias', photo())
  const second = await me.put(`/campaigns/${first.body.id}`, change)
  expect(second.body.files).toHaveLength(2)
  expect(partsOf(second)).toEqual([
    [
      ['file', '{Oi|Olá}!'],
      ['file', ''],
    ],
    [
      ['file', 'Bom dia!'],
      ['file', ''],
    ],
  ])
  const many = new FormData()
  for (let at = 0; at < 6; at += 1) many.append('medias', photo())
  expect((await me.put(`/campaigns/${first.body.id}`, many)).status).toBe(422)
  expect((await as(tenant.agent).post('/campaigns', made)).status).toBe(403)
  expect(
    (await me.post('/campaigns', { name: 'X', mediaUrl: 'http://127.0.0.1:1/foto.png' })).body.details,
  ).toMatchObject([{ path: 'url' }])
})

test('nothing of another company can be named, and nothing of one is seen', async () => {
  const [tenant, other] = [await seedTenant(), await seedTenant()]
  const theirs = {
    connection: await createConnection(other),
    contact: await createContact(other),
    tag: (await as(other.admin).post('/tags', { name: 'Deles', color: '#112233' })).body.id,
    campaign: (await as(other.admin).post('/campaigns', { name: 'Deles' })).body.id,
  }
  const me = as(tenant.admin)
  const refused = async (body: object) =>
    (await me.post('/campaigns', { name: 'X', ...body })).body.details?.map((one: { path: string }) => one.path)
  expect(await refused({ connectionIds: [theirs.connection] })).toEqual(['connectionIds'])
  expect(
    await refused({
      audience: {
        include: [
          { kind: 'contacts', contactIds: [theirs.contact] },
          { kind: 'tags', tagIds: [theirs.tag] },
          { kind: 'campaign', campaignId: theirs.campaign, who: 'all' },
          { kind: 'wallets', userIds: [other.admin.id] },
          { kind: 'import', importId: v7() },
        ],
        exclude: [{ kind: 'segment', segmentId: v7() }],
      },
    }),
  ).toEqual([0, 1, 2, 3, 4].map((at) => `audience.include.${at}`).concat('audience.exclude.0'))
  expect(await refused({ answer: { userId: other.admin.id, queueId: v7() } })).toEqual([
    'answer.queueId',
    'answer.userId',
  ])
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/duplicate'],
    ['GET', '/report'],
    ['POST', '/rehearsal'],
  ] as const)
    expect(
      (await me.send(method, `/campaigns/${theirs.campaign}${path}`, method === 'GET' ? undefined : {})).status,
      path,
    ).toBe(404)
  expect((await me.get(`/campaigns/contacts/${theirs.campaign}`)).status).toBe(404)
})

test('once it was started only its pace and hours change; what was sent cannot be deleted, what was canceled can', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const connectionId = await createConnection(tenant)
  const { id } = (await me.post('/campaigns', { name: 'Natal', steps, connectionIds: [connectionId] })).body
  const contactId = await createContact(tenant)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(campaignRecipients)
      .values({ tenantId: tx.tenantId, campaignId: id, contactId, connectionId, variant: 0 }),
  )
  await set(tenant, id, { state: 'running' })
  expect((await me.put(`/campaigns/${id}`, { steps: [] })).status).toBe(409)
  expect((await me.put(`/campaigns/${id}`, { pace: { minSeconds: 20, maxSeconds: 40 } })).body).toMatchObject({
    pace: { minSeconds: 20, maxSeconds: 40 },
    endsAbout: expect.any(String),
  })
  expect((await me.delete(`/campaigns/${id}`)).status).toBe(409)
  // Whoever still waits may be taken out.
  expect((await me.delete(`/campaigns/contacts/${id}/${contactId}`)).body.numbers).toMatchObject({
    waiting: 0,
    skipped: 1,
  })
  expect((await me.delete(`/campaigns/contacts/${id}/${contactId}`)).status).toBe(409)
  await set(tenant, id, { state: 'finished' })
  expect((await me.delete(`/campaigns/${id}`)).body.message).toContain('fica registrado')
  await set(tenant, id, { state: 'canceled' })
  expect((await me.delete(`/campaigns/${id}`)).status).toBe(204)
  const left = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(campaignRecipients))
  expect(left.filter(({ campaignId }) => campaignId === id)).toEqual([])
})

test('one that waits for its moment may begin at another; once it began, no more', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const { id } = (
    await me.post('/campaigns', { name: 'Natal', steps, connectionIds: [await createConnection(tenant)] })
  ).body
  const [monday, tuesday] = ['2030-12-02T12:00:00.000Z', '2030-12-03T12:00:00.000Z']
  await set(tenant, id, { state: 'scheduled', startsAt: new Date(monday), dueAt: new Date(monday) })
  const dueAt = async () => (await rowOf(tenant, id))?.dueAt
  expect((await me.put(`/campaigns/${id}`, { startsAt: tuesday })).body).toMatchObject({
    state: 'scheduled',
    startsAt: tuesday,
  })
  expect(await dueAt()).toEqual(new Date(tuesday))
  // Without a moment it begins now.
  expect((await me.put(`/campaigns/${id}`, { startsAt: null })).body).toMatchObject({ startsAt: null })
  expect((await dueAt())?.getTime()).toBeLessThan(Date.now() + 60_000)
  expect((await me.put(`/campaigns/${id}`, { startsAt: tuesday, name: 'Natal!' })).status).toBe(200)
  await set(tenant, id, { state: 'running', startedAt: new Date() })
  expect((await me.put(`/campaigns/${id}`, { startsAt: monday })).status).toBe(409)
})

test('a copy is a draft of whoever asks, without the channels that have gone', async () => {
  const tenant = await seedTenant()
  const [kept, gone] = [await createConnection(tenant), await createConnection(tenant)]
  const { id } = (
    await as(tenant.admin).post('/campaigns', {
      name: 'Natal',
      steps,
      connectionIds: [kept, gone],
      startsAt: '2030-01-01T12:00:00.000Z',
    })
  ).body
  await set(tenant, id, { state: 'finished' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ deletedAt: new Date() }).where(eq(schema.connections.id, gone)),
  )
  const copy = (await as(tenant.supervisor).post(`/campaigns/${id}/duplicate`)).body
  expect(copy).toMatchObject({
    name: 'Natal (cópia)',
    state: 'draft',
    steps,
    connectionIds: [kept],
    startsAt: null,
    createdBy: { id: tenant.supervisor.id },
  })
  // Asked for twice, or again because the answer was lost, it is one copy; under another id another.
  const me = as(tenant.supervisor)
  const asked = { id: v7() }
  const twice = await Promise.all([1, 2].map(() => me.post(`/campaigns/${id}/duplicate`, asked)))
  await me.put(`/campaigns/${asked.id}`, { name: 'Páscoa' })
  const again = await me.post(`/campaigns/${id}/duplicate`, asked)
  expect([...twice, again].map(({ status, body }) => [status, body.id])).toEqual(Array(3).fill([201, asked.id]))
  expect(again.body.name).toBe('Páscoa')
  expect((await me.get('/campaigns?count=true')).body.count).toBe(3)
  expect((await me.post(`/campaigns/${v7()}/duplicate`, { id: v7() })).status).toBe(404)
})

test('the list is narrowed by state, channel, origin, words and days, and pages by key', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const connectionId = await createConnection(tenant)
  for (const [name, more] of [
    ['Natal', { startsAt: '2030-12-20T15:00:00.000Z' }],
    ['Páscoa', { connectionIds: [connectionId], startsAt: '2030-04-10T15:00:00.000Z' }],
    ['SMS', { origin: 'sms' }],
  ] as const)
    await me.post('/campaigns', { name, ...more })
  const names = async (query: string) =>
    (await me.get(`/campaigns?${query}`)).body.items.map((one: { name: string }) => one.name)
  expect(await names('')).toEqual(['SMS', 'Páscoa', 'Natal'])
  expect(await names('searchParam=pascoa')).toEqual(['Páscoa'])
  expect(await names(`connectionId=${connectionId}`)).toEqual(['Páscoa'])
  expect(await names('origin=sms')).toEqual(['SMS'])
  expect(await names('state=running')).toEqual([])
  expect(await names('dateFrom=2030-12-01&dateTo=2030-12-20')).toEqual(['Natal'])
  const first = (await me.get('/campaigns?limit=2&count=true')).body
  expect([first.count, first.hasMore]).toEqual([3, true])
  expect(await names(`limit=2&cursor=${first.nextCursor}`)).toEqual(['Natal'])
  expect((await me.get('/campaigns?cursor=xyz')).status).toBe(422)
})

test('recipients are listed state by state, narrowed and searched; the report adds up what was counted', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const connectionId = await createConnection(tenant, { name: 'Loja' })
  const { id } = (await me.post('/campaigns', { name: 'Natal', steps, connectionIds: [connectionId] })).body
  const at = new Date()
  const add = async (name: string, more: object) => {
    const contactId = await createContact(tenant, { name })
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .insert(campaignRecipients)
        .values({ tenantId: tx.tenantId, campaignId: id, contactId, connectionId, variant: 0, ...more }),
    )
  }
  await add('Ana Lima', {
    state: 'read',
    messageId: v7(),
    sentAt: at,
    deliveredAt: at,
    readAt: at,
    answeredAt: at,
    optedOutAt: at,
    complainedAt: at,
    cost: 3_438,
  })
  await add('Bia Lima', { state: 'failed', messageId: v7(), failedAt: at, error: 'Número inválido.', variant: 1 })
  await add('Caio Reis', { state: 'skipped', reason: 'optedOut', connectionId: null })
  await add('Davi Reis', {})
  const names = async (query: string) =>
    (await me.get(`/campaigns/contacts/${id}?${query}`)).body.items.map(
      (one: { contact: { name: string } }) => one.contact.name,
    )
  expect(await names('')).toEqual(['Bia Lima', 'Ana Lima', 'Caio Reis', 'Davi Reis'])
  expect(await names('state=read,failed')).toEqual(['Bia Lima', 'Ana Lima'])
  expect(await names('reason=optedOut')).toEqual(['Caio Reis'])
  expect(await names('answered=yes')).toEqual(['Ana Lima'])
  expect(await names('optedOut=yes')).toEqual(['Ana Lima'])
  expect(await names(`error=${encodeURIComponent('Número inválido.')}`)).toEqual(['Bia Lima'])
  expect(await names('error=outro')).toEqual([])
  expect(await names('variant=1')).toEqual(['Bia Lima'])
  expect(await names('complained=yes')).toEqual(['Ana Lima'])
  expect(await names(`connectionId=${connectionId}&state=read,skipped`)).toEqual(['Ana Lima'])
  expect(await names(`connectionId=${v7()}`)).toEqual([])
  expect(await names('searchParam=lima')).toEqual(['Bia Lima', 'Ana Lima'])
  const page = (await me.get(`/campaigns/contacts/${id}?limit=3&count=true`)).body
  expect([page.count, page.items.length, await names(`limit=3&cursor=${page.nextCursor}`)]).toEqual([
    4,
    3,
    ['Davi Reis'],
  ])
  const report = (await me.get(`/campaigns/${id}/report`)).body
  expect(report).toMatchObject({
    numbers: { total: 4, skipped: 1, waiting: 1, sent: 1, delivered: 1, read: 1, answered: 1, failed: 1, cost: 3_438 },
    variants: [
      { step: 0, variant: 0, numbers: { read: 1 } },
      { step: 0, variant: 1, numbers: { failed: 1 } },
    ],
    failures: [{ error: 'Número inválido.', count: 1 }],
    skipped: [{ reason: 'optedOut', count: 1 }],
    connections: [{ connection: { name: 'Loja' }, numbers: { sent: 1 } }],
  })
  expect(report.course).toHaveLength(1)
  // Who read it buys within the days in which an answer counts; who did not get it buys for reasons of their own.
  const pipeline = (await me.post('/pipelines', { name: 'Vendas' })).body
  const stage = { pipelineId: pipeline.id, name: 'Nova', color: '#112233', position: 1, probability: 50 }
  const { id: stageId } = (await me.post('/stages', stage)).body
  expect(report.orders).toEqual({ created: 0, won: 0, wonCents: 0 })
  const buys = (contactId: string, more: object = {}) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.insert(opportunities).values({
        ...{
          tenantId: tx.tenantId,
          name: 'Vestido',
          pipelineId: pipeline.id,
          stageId,
          position: 1,
          contactId,
        },
        ...{ value: 15_000, status: 'win', createdAt: new Date(at.getTime() + 1_000), ...more },
      }),
    )
  const people = (await me.get(`/campaigns/contacts/${id}`)).body.items as { contact: { id: string; name: string } }[]
  const named = (name: string) => people.find(({ contact }) => contact.name === name)?.contact.id ?? ''
  await buys(named('Ana Lima'))
  await buys(named('Ana Lima'), { status: 'open' })
  await buys(named('Ana Lima'), { createdAt: new Date(at.getTime() + 9 * 86_400_000) })
  await buys(named('Davi Reis'))
  expect((await me.get(`/campaigns/${id}/report`)).body.orders).toEqual({ created: 2, won: 1, wonCents: 15_000 })
  await buys(named('Davi Reis'), { createdAt: new Date(at.getTime() - 1_000) })
  const who = async (orders: string) =>
    (await me.get(`/campaigns/contacts/${id}?orders=${orders}`)).body.items.map(
      ({ contact }: (typeof people)[number]) => contact.name,
    )
  expect([await who('created'), await who('won')]).toEqual([['Ana Lima'], ['Ana Lima']])
  const job = await me.post(`/campaigns/contacts/${id}/export`, { format: 'csv', state: ['read'] })
  expect(job).toMatchObject({
    ...{ status: 202, body: { kind: 'exportCampaignRecipients', subject: 'Natal', subjectId: id, total: 1 } },
  })
  expect((await as(tenant.agent).post(`/campaigns/contacts/${id}/export`, {})).status).toBe(403)
})

test('an export of recipients has each once, also those who move from state to state meanwhile', async () => {
  const { readRecipients } = await import('./recipients.list.ts')
  const tenant = await seedTenant()
  const { id } = (await as(tenant.admin).post('/campaigns', { name: 'Natal', steps })).body
  for (const name of ['Ana', 'Bia', 'Caio', 'Davi']) {
    const contactId = await createContact(tenant, { name })
    for (const step of name === 'Ana' ? [0, 1] : [0])
      await withTenant(tenant.tenantId, (tx) =>
        tx.db
          .insert(campaignRecipients)
          .values({ tenantId: tx.tenantId, campaignId: id, contactId, step, state: step ? 'sent' : 'waiting' }),
      )
  }
  const becomes = (state: 'waiting' | 'delivered') =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.update(campaignRecipients).set({ state }).where(eq(campaignRecipients.campaignId, id)),
    )
  const asked = { ...recipientsQuery.parse({ limit: 2 }), campaignId: id }
  const actor = { ...tenant.admin, userId: tenant.admin.id, tenantId: tenant.tenantId, permissions: new Set([]) }
  const read: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await readRecipients(actor, { ...asked, cursor })
    read.push(...page.items.map(({ contact, step }) => `${contact.name} ${step}`))
    if (!page.nextCursor) break
    cursor = page.nextCursor
    await becomes(read.length === 2 ? 'delivered' : 'waiting')
  }
  expect(read.toSorted()).toEqual(['Ana 0', 'Ana 1', 'Bia 0', 'Caio 0', 'Davi 0'])
})

test('a campaign by rules, or by a segment as it was when it started, is read and listed', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  await createContact(tenant, { name: 'Ana', number: '5511987650401' })
  const rules = { match: 'all', rules: [{ field: 'name', op: 'contains', value: ' a ' }] }
  const segment = (await me.post('/segments', { name: 'Com a', isShared: true, rules })).body.id
  const include = [
    { kind: 'rules', rules },
    { kind: 'segment', segmentId: segment },
  ]
  const startsAt = '2035-01-01T12:00:00.000Z'
  const made = await me.post('/campaigns', {
    name: 'Natal',
    steps,
    connectionIds: [connectionId],
    audience: { include },
    startsAt,
  })
  expect(made.status).toBe(201)
  const { id } = made.body
  const kept = { match: 'all', rules: [{ field: 'name', op: 'contains', value: 'a' }] }
  expect((await me.get(`/campaigns/${id}`)).body.audience.include[0]).toEqual({ kind: 'rules', rules: kept })
  expect(await me.post(`/campaigns/${id}/start`)).toMatchObject({ status: 200, body: { state: 'scheduled' } })
  const read = await me.get(`/campaigns/${id}`)
  expect([read.status, read.body.audience?.include[1]]).toEqual([
    200,
    { kind: 'segment', segmentId: segment, rules: kept },
  ])
  expect((await me.post(`/campaigns/${id}/withdraw`)).body.audience.include[1]).toEqual({
    kind: 'segment',
    segmentId: segment,
  })
})

test('who ordered is listed from the newest order on, each send once, page by page', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const connectionId = await createConnection(tenant)
  const two = [steps[0], { ...steps[0], afterHours: 24 }]
  const { id } = (await me.post('/campaigns', { name: 'Natal', steps: two, connectionIds: [connectionId] })).body
  const at = (hours: number) => new Date(Date.now() - (100 - hours) * 3_600_000)
  await set(tenant, id, { startedAt: at(0) })
  const pipeline = (await me.post('/pipelines', { name: 'Vendas' })).body
  const stage = { pipelineId: pipeline.id, name: 'Nova', color: '#112233', position: 1, probability: 50 }
  const { id: stageId } = (await me.post('/stages', stage)).body
  const add = async (name: string, sends: number[], orders: number[]) => {
    const contactId = await createContact(tenant, { name })
    await withTenant(tenant.tenantId, async (tx) => {
      const { tenantId } = tx
      for (const [step, hours] of sends.entries())
        await tx.db.insert(campaignRecipients).values({
          ...{ tenantId, campaignId: id, contactId, connectionId, variant: 0, step },
          ...{ state: 'sent', messageId: v7(), sentAt: at(hours) },
        })
      for (const hours of orders)
        await tx.db.insert(opportunities).values({
          ...{ tenantId, name: 'Vestido', pipelineId: pipeline.id, stageId, position: 1, contactId },
          createdAt: at(hours),
        })
    })
  }
  await add('Ana', [1], [2, 50, 60])
  await add('Bia', [1, 30], [10, 20, 40])
  await add('Caio', [1], [55])
  await add('Davi', [1], [])
  await add('Eva', [50], [40])
  const seen: [string, number][] = []
  for (let cursor = ''; ; ) {
    const { body } = await me.get(`/campaigns/contacts/${id}?orders=created&limit=2${cursor && `&cursor=${cursor}`}`)
    for (const { contact, step } of body.items) seen.push([contact.name, step])
    if (!body.nextCursor) break
    cursor = body.nextCursor
  }
  expect(seen).toEqual([
    ['Ana', 0],
    ['Caio', 0],
    ['Bia', 1],
    ['Bia', 0],
  ])
  const first = (await me.get(`/campaigns/contacts/${id}?orders=created&step=0&count=true`)).body
  expect([first.count, first.items.length]).toEqual([3, 3])
})

test('the page of a campaign of a million costs its tallies, not its rows', async () => {
  const tenant = await seedTenant()
  const { id } = (await as(tenant.admin).post('/campaigns', { name: 'Grande' })).body
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(campaignTallies).values({
      ...{
        tenantId: tx.tenantId,
        campaignId: id,
        step: 0,
        variant: 0,
        connectionId: v7(),
        mark: 'total',
        at: new Date(0),
        writer: 0,
        count: 1_000_000,
      },
    }),
  )
  const plan = await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.execute(sql`set local enable_seqscan = off`)
    const { rows } = await tx.db.execute(
      sql`explain select mark, sum(count) from campaign_tallies where tenant_id = ${tenant.tenantId} and campaign_id = any(${sql.param([id])}::uuid[]) group by 1`,
    )
    return JSON.stringify(rows)
  })
  expect(plan).toContain('campaign_tallies_pk')
  expect((await as(tenant.admin).get(`/campaigns/${id}`)).body.numbers).toMatchObject({
    total: 1_000_000,
    waiting: 1_000_000,
  })
})

test('what a channel cannot send is told at its field before anything starts', () => {
  const way = (kind: 'waba' | 'evolution' | 'email' | 'instagram', name: string) => ({
    id: name,
    name,
    kind,
    abilities: abilitiesOf(kind, {}),
  })
  const problems = (content: object, ...ways: ReturnType<typeof way>[]) =>
    contentProblems(campaignContent.parse(content), { ways, templates: [], files: new Map() }).map(({ path }) => path)
  const words = { parts: [{ kind: 'text', body: 'Oi' }] }
  expect(problems({}, way('evolution', 'W'))).toEqual(['parts'])
  expect(problems(words, way('evolution', 'W'))).toEqual([])
  expect(problems(words, way('waba', 'O'))).toEqual(['template'])
  expect(problems(words, way('email', 'E'))).toEqual(['subject'])
  expect(problems(words, way('instagram', 'I'))).toEqual(['parts'])
  expect(problems({ template: { name: 'promo', language: 'pt_BR' } }, way('evolution', 'W'))).toEqual(['parts'])
  expect(problems({ template: { name: 'promo', language: 'pt_BR' } }, way('waba', 'O'))).toEqual(['template'])
  expect(problems({ parts: [{ kind: 'text', body: '{{lua}} {{var.x}}' }] }, way('evolution', 'W'))).toEqual([
    'parts.0.body',
    'parts',
  ])
  expect(problems({ parts: [{ kind: 'file', body: '' }] }, way('evolution', 'W'))).toEqual(['parts.0.mediaId'])
})

test('what goes by who has read needs channels that tell it', () => {
  const way = (kind: 'waba' | 'sms' | 'telegram', name: string) => ({
    id: name,
    name,
    kind,
    abilities: abilitiesOf(kind, {}),
  })
  const step = campaignStep.parse({ variants: steps[0]?.variants })
  const tested = { ...step, test: { percent: 20, hours: 4, by: 'read' as const } }
  const followed = { ...step, unless: 'read' as const }
  const problems = (...ways: ReturnType<typeof way>[]) => readingProblems([tested, followed], ways)
  expect(problems(way('waba', 'O'))).toEqual([])
  expect(problems(way('waba', 'O'), way('sms', 'SMS da loja'))).toEqual([
    { path: 'steps.0.test', message: 'SMS da loja não diz quem leu. Decida o teste pela mais respondida.' },
    { path: 'steps.1.unless', message: 'SMS da loja não diz quem leu. Envie a quem não respondeu, ou a todos.' },
  ])
  expect(readingProblems([{ ...tested, test: { ...tested.test, by: 'answered' } }], [way('telegram', 'T')])).toEqual([])
})
