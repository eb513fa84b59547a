import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import { reports } from '@balcao/contract/operations/reports/definitions.ts'
import type { ReportResult } from '@balcao/contract/operations/reports/reports.ts'
import { eq, inArray } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { assistantRuns, assistants, assistantVersions } from '../../../db/schema/automation/assistants.ts'
import { voiceCalls } from '../../../db/schema/automation/voice-calls.ts'
import { campaignRecipients, campaigns, campaignTallies } from '../../../db/schema/operations/campaigns.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createConnection, createContact, withTenant, schema } = kit
const { rebuildEpisodes } = await import('./episodes.loop.ts')

/** Monday to Friday from nine to six, without a break. */
const hours = Array.from({ length: 7 }, (_, day): BusinessDay => {
  const isOpen = day > 0 && day < 6
  return { day, label: String(day), type: isOpen ? 'H' : 'C', hr1: '09:00', hr2: '18:00', hr3: '', hr4: '' } as never
})

type Log = {
  at: string
  type: (typeof schema.ticketLogs.$inferInsert)['type']
  by?: string | null
  to?: Record<string, unknown>
}
type Told = {
  contactId: string
  row: Partial<typeof schema.tickets.$inferInsert>
  logs: Log[]
  /** Who said something when: `null` the customer. */
  said?: [at: string, by: string | null][]
  pauses?: [from: string, to: string][]
  closing?: Partial<typeof schema.ticketClosings.$inferInsert>
  tagIds?: string[]
}

/**
 * Five episodes, reckoned by hand, in the zone of São Paulo and its summer time of 2018/19: at midnight of 4 November the
 * clocks went from 0 to 1 h, at midnight of 17 February back to 23 h.
 *
 * | | opened | accepted | 1st answer | closed | who |
 * | A | Sat 3 Nov 23:30 (02:30 Z) | Sun 01:10 (03:10 Z) | 03:12 Z | Mon 10:00 (12:00 Z) | Ana, Vendas |
 * | B | Sat 16 Feb 23:30, the first time (01:30 Z) | – | – | 23:30, the second time (02:30 Z) | nobody |
 * | C | Sat 16 Feb 23:30, the second time (02:30 Z) | Mon 09:00 (12:00 Z) | 12:02 Z | Mon 18:30 (21:30 Z) | Ana, from 13:00 Davi in Suporte; paused from 10 to 12 h |
 * | D1 | Mon 4 Mar 09:00 (12:00 Z) | 12:05 Z | 12:06 Z | 12:30 Z | Ana |
 * | D2 | Tue 5 Mar 09:00 (12:00 Z), the customer came back | 12:10 Z | 12:11 Z | 13:00 Z | Davi, grade 5 |
 *
 * And E, closed because it was merged into D: it counts nowhere.
 */
const golden = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], settings: { businessHours: hours } })
  const { tenantId, agent: ana } = tenant
  const davi = await createUser(tenantId, { name: 'Davi Reis', queueIds: Object.values(tenant.queues) })
  const connectionId = await createConnection(tenant, { name: 'Site' })
  const [x, y, z] = [await createContact(tenant), await createContact(tenant), await createContact(tenant)]
  const [sale, urgent, reasonId] = [v7(), v7(), v7()]
  const { Vendas = '', Suporte = '' } = tenant.queues
  const begun = { status: 'pending', userId: null, queueId: Vendas, whatsappId: connectionId }
  const open = (userId: string) => ({ status: 'open', userId })
  const closed = { status: 'closed' }
  const told: Record<string, Told> = {
    A: {
      contactId: x,
      row: { userId: ana.id, queueId: Vendas, firstAnsweredAt: new Date('2018-11-04T03:12Z') },
      logs: [
        { at: '2018-11-04T02:30Z', type: 'create', to: begun },
        { at: '2018-11-04T03:10Z', type: 'open', by: ana.id, to: open(ana.id) },
        { at: '2018-11-05T12:00Z', type: 'closed', by: ana.id, to: { ...closed, reasonId } },
      ],
      said: [
        ['2018-11-04T02:30Z', null],
        ['2018-11-04T03:12Z', ana.id],
      ],
      tagIds: [sale, urgent],
    },
    B: {
      contactId: y,
      row: { queueId: Vendas },
      logs: [
        { at: '2019-02-17T01:30Z', type: 'create', to: begun },
        { at: '2019-02-17T02:30Z', type: 'autoClose', to: closed },
      ],
      said: [['2019-02-17T01:30Z', null]],
    },
    C: {
      contactId: x,
      row: { userId: davi.id, queueId: Suporte, firstAnsweredAt: new Date('2019-02-18T12:02Z') },
      logs: [
        { at: '2019-02-17T02:30Z', type: 'create', to: begun },
        { at: '2019-02-18T12:00Z', type: 'open', by: ana.id, to: open(ana.id) },
        { at: '2019-02-18T13:00Z', type: 'pause', by: ana.id },
        { at: '2019-02-18T15:00Z', type: 'resume', by: ana.id },
        { at: '2019-02-18T16:00Z', type: 'transfered', by: ana.id, to: { userId: davi.id, queueId: Suporte } },
        { at: '2019-02-18T16:00Z', type: 'receivedTransfer', by: ana.id, to: { userId: davi.id, queueId: Suporte } },
        { at: '2019-02-18T21:30Z', type: 'closed', by: davi.id, to: closed },
      ],
      said: [
        ['2019-02-17T02:30Z', null],
        ['2019-02-18T12:02Z', ana.id],
        ['2019-02-18T17:00Z', davi.id],
      ],
      pauses: [['2019-02-18T13:00Z', '2019-02-18T15:00Z']],
      tagIds: [sale],
    },
    D: {
      contactId: z,
      row: {
        userId: davi.id,
        queueId: Vendas,
        firstAnsweredAt: new Date('2019-03-04T12:06Z'),
        slaResolveDueAt: new Date('2019-03-05T14:00Z'),
      },
      logs: [
        { at: '2019-03-04T12:00Z', type: 'create', to: begun },
        { at: '2019-03-04T12:05Z', type: 'open', by: ana.id, to: open(ana.id) },
        { at: '2019-03-04T12:30Z', type: 'closed', by: ana.id, to: closed },
        { at: '2019-03-05T12:00Z', type: 'reopen', to: { status: 'pending', userId: null } },
        { at: '2019-03-05T12:10Z', type: 'open', by: davi.id, to: open(davi.id) },
        { at: '2019-03-05T13:00Z', type: 'closed', by: davi.id, to: closed },
        { at: '2019-03-05T13:05Z', type: 'rating', to: { grade: 5 } },
      ],
      said: [
        ['2019-03-04T12:00Z', null],
        ['2019-03-04T12:06Z', ana.id],
        ['2019-03-05T12:00Z', null],
        ['2019-03-05T12:11Z', davi.id],
      ],
      closing: {
        closedAt: new Date('2019-03-04T12:30Z'),
        reopenedAt: new Date('2019-03-05T12:00Z'),
        firstAnswerDueAt: new Date('2019-03-04T12:10Z'),
        resolutionDueAt: new Date('2019-03-04T12:20Z'),
        priority: 'normal',
        tagIds: [],
      },
    },
    E: {
      contactId: z,
      row: {},
      logs: [
        { at: '2019-03-04T12:01Z', type: 'create', to: begun },
        { at: '2019-03-04T12:02Z', type: 'merge', by: ana.id, to: closed },
      ],
    },
  }
  await withTenant(tenantId, async ({ db }) => {
    await db.insert(schema.reasons).values({ tenantId, id: reasonId, name: 'Venda' } as never)
    await db.insert(schema.tags).values([
      { tenantId, id: sale, name: 'Venda', color: '#0b7a75' },
      { tenantId, id: urgent, name: 'Urgente', color: '#aa0000' },
    ])
    for (const [name, { contactId, row, logs, said = [], pauses = [], closing, tagIds = [] }] of Object.entries(told)) {
      const id = v7()
      const ended = logs.findLast(({ to }) => to?.status === 'closed')
      await db.insert(schema.tickets).values({
        ...{ tenantId, id, protocol: `2019${name}`, status: 'closed', contactId, connectionId, queueId: Vendas },
        ...{ createdAt: new Date(logs[0]?.at ?? ''), closedAt: new Date(ended?.at ?? ''), ...row },
        ...(ended?.to?.reasonId ? { reasonId: String(ended.to.reasonId) } : {}),
      })
      await db.insert(schema.ticketLogs).values(
        logs.map(({ at, type, by, to }) => ({
          ...{ tenantId, ticketId: id, type, to, createdAt: new Date(at) },
          author: by
            ? { kind: 'user' as const, id: by, name: 'Ana' }
            : { kind: 'contact' as const, id: null, name: 'João' },
        })),
      )
      const common = { tenantId, ticketId: id, contactId, connectionId, type: 'text' as const, body: 'Oi' }
      if (said.length)
        await db.insert(schema.messages).values(
          said.map(([at, by]) => ({
            ...{ ...common, id: v7(), fromMe: by !== null, userId: by, status: 'received' as const },
            ...{ timestamp: new Date(at), createdAt: new Date(at) },
          })),
        )
      for (const [from, to] of pauses)
        await db
          .insert(schema.ticketPauses)
          .values({ tenantId, ticketId: id, startedAt: new Date(from), endedAt: new Date(to) })
      if (closing) await db.insert(schema.ticketClosings).values({ tenantId, ticketId: id, ...closing } as never)
      if (tagIds.length)
        await db.insert(schema.ticketTags).values(tagIds.map((tagId) => ({ tenantId, ticketId: id, tagId })))
    }
  })
  await rebuildEpisodes(tenantId)
  const read = async (key: string, query = ''): Promise<ReportResult> => {
    const reply = await as(tenant.supervisor).get(`/reports/${key}?dateFrom=2018-11-01&dateTo=2019-03-31&${query}`)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body
  }
  return { ...tenant, connectionId, ana, davi, x, y, sale, urgent, reasonId, read }
}
const company = await golden()

/** The totals of a report by the names of its measures. */
const totals = ({ measures, total }: ReportResult) =>
  Object.fromEntries(measures.map(({ key }, at) => [key, total[at] ?? null]))
const rows = (result: ReportResult, measure: string) => {
  const at = result.measures.findIndex(({ key }) => key === measure)
  return Object.fromEntries(
    result.rows.filter(({ values }) => values[at]).map(({ label, values }) => [label, values[at] ?? null]),
  )
}

test('how many there were, and in how much time, by the clock', async () => {
  expect(totals(await company.read('volume'))).toEqual({
    ...{ tickets: 5, receptive: 5, proactive: 0, closed: 5, active: 0, reopened: 1, reopenedShare: 20 },
  })
  expect(totals(await company.read('prazos'))).toEqual({
    firstAnswer: (2_520 + 120_720 + 360 + 660) / 4,
    firstAnswerMet: 100,
    resolution: (120_600 + 3_600 + 154_800 + 1_800 + 3_600) / 5,
    resolutionMet: 50,
    wait: (2_400 + 120_600 + 300 + 600) / 4,
    handling: (118_200 + 27_000 + 1_500 + 3_000) / 4,
    paused: 7_200 / 5,
    unanswered: 1,
  })
})

test('and in business hours', async () => {
  expect(totals(await company.read('prazos', 'time=business'))).toMatchObject({
    // Of nights and weekends nothing counts; C waited until the minute of opening, and was answered two later.
    firstAnswer: (0 + 120 + 360 + 660) / 4,
    wait: (0 + 0 + 300 + 600) / 4,
    resolution: (3_600 + 0 + 32_400 + 1_800 + 3_600) / 5,
    handling: (3_600 + 25_200 + 1_500 + 3_000) / 4,
    paused: 7_200 / 5,
  })
})

test('days, hours and weekdays are of the zone, through both changes of its clocks', async () => {
  expect(rows(await company.read('volume', 'dimension=day'), 'tickets')).toEqual({
    '03/11/2018': 1,
    '16/02/2019': 2,
    '04/03/2019': 1,
    '05/03/2019': 1,
  })
  expect(rows(await company.read('volume', 'dimension=hour'), 'tickets')).toEqual({ '23 h': 3, '9 h': 2 })
  expect(rows(await company.read('volume', 'dimension=weekday'), 'tickets')).toEqual({
    Sábado: 3,
    Segunda: 1,
    Terça: 1,
  })
  expect(rows(await company.read('horarios'), 'tickets')).toEqual({
    'Sábado, 23 h': 3,
    'Segunda, 9 h': 1,
    'Terça, 9 h': 1,
  })
  expect(rows(await company.read('volume', 'dimension=month'), 'tickets')).toEqual({
    'nov/2018': 1,
    'fev/2019': 2,
    'mar/2019': 2,
  })
  expect(rows(await company.read('volume', 'dimension=day&timezone=Asia/Tokyo'), 'tickets')).toEqual({
    '04/11/2018': 1,
    '17/02/2019': 2,
    '04/03/2019': 1,
    '05/03/2019': 1,
  })
  const days = await company.read('volume', 'dimension=day')
  expect(days.rows).toHaveLength(30 + 31 + 31 + 28 + 31)
  const closed = await company.read('volume', 'dimension=day&moment=closed')
  expect(rows(closed, 'closed')).toEqual({
    '05/11/2018': 1,
    '16/02/2019': 1,
    '18/02/2019': 1,
    '04/03/2019': 1,
    '05/03/2019': 1,
  })
})

test('by agent, queue, tag, reason, channel and grade', async () => {
  const people = await company.read('estatisticas-atendimentos-usuarios')
  expect(rows(people, 'tickets')).toEqual({ 'Ana Souza': 2, 'Davi Reis': 2, 'Sem atendente': 1 })
  expect(rows(people, 'handling')).toEqual({ 'Ana Souza': (118_200 + 1_500) / 2, 'Davi Reis': (27_000 + 3_000) / 2 })
  expect(rows(people, 'transferred')).toEqual({ 'Davi Reis': 50 })
  expect(rows(await company.read('filas'), 'tickets')).toEqual({ Vendas: 4, Suporte: 1 })
  const tags = await company.read('etiquetas')
  expect(rows(tags, 'tickets')).toEqual({ Venda: 2, Urgente: 1, 'Sem etiqueta': 3 })
  expect(totals(tags).tickets).toBe(5)
  expect(rows(await company.read('motivos'), 'closed')).toEqual({ Venda: 1, 'Sem motivo': 4 })
  const ways = await company.read('canais')
  expect(rows(ways, 'tickets')).toEqual({ Site: 5 })
  expect(totals(ways)).toMatchObject({ messagesIn: 1, messagesOut: (1 + 0 + 2 + 1 + 1) / 5 })
  expect(rows(await company.read('avaliacoes', 'dimension=agent'), 'grade')).toEqual({ 'Davi Reis': 5 })
})

test('filters narrow, and a period is compared with the days before it', async () => {
  const { ana, davi, queues, sale, read } = company
  expect(totals(await read('volume', `userIds=${ana.id}`)).tickets).toBe(2)
  expect(totals(await read('volume', `queuesIds=${queues.Suporte}&userIds=${davi.id}`)).tickets).toBe(1)
  expect(totals(await read('volume', `tagIds=${sale}`)).tickets).toBe(2)
  expect(totals(await read('volume', 'channels=waba')).tickets).toBe(0)
  const { body } = await as(company.supervisor).get(
    '/reports/volume?dateFrom=2019-03-05&dateTo=2019-03-06&compare=true',
  )
  expect(body).toMatchObject({ period: { from: '2019-03-05' }, periodBefore: { from: '2019-03-03', to: '2019-03-04' } })
  expect(body.rows.map((row: { values: number[]; before: number[] }) => [row.values[0], row.before[0]])).toEqual([
    [1, 0],
    [0, 1],
  ])
  expect([body.total[5], body.totalBefore[5]]).toEqual([1, 0])
})

test('what is added up by the hour and what is read of each episode say the same', async () => {
  const { tenantId, ana, davi, queues, sale, reasonId, connectionId, read } = company
  const [anyWay, anyChannel] = [`whatsappIds=${connectionId}`, 'channels=webchat']
  const everybody = {
    name: 'Todos',
    isShared: true,
    rules: { match: 'all', rules: [{ field: 'name', op: 'isNot', value: 'Ninguém' }] },
  }
  const segment = await as(company.supervisor).post('/segments', everybody)
  expect(segment.status, JSON.stringify(segment.body)).toBe(201)
  /** The same of everybody's segment, which no sum of an hour knows, with and without filters that leave out nothing. */
  const isSame = async (key: string, query: string, all: string) => {
    const ofEpisodes = await read(key, `${query}&segmentId=${segment.body.id}`)
    for (const asked of [query, `${query}&${all}`])
      expect(await read(key, asked), `${key} ${asked}`).toEqual(ofEpisodes)
  }
  for (const { key, dimensions } of reports.filter(({ source }) => source === 'episodes' || source === 'backlog'))
    for (const dimension of dimensions)
      for (const more of ['time=business', 'moment=closed&timezone=Asia/Tokyo'])
        await isSame(key, `dimension=${dimension}&${more}`, `${anyWay}&${anyChannel}`)
  const people = `userIds=${ana.id},${davi.id}`
  for (const filter of [
    `queuesIds=${queues.Vendas}`,
    people,
    `reasonIds=${reasonId}`,
    `tagIds=${sale}`,
    'channels=waba',
  ])
    await isSame('prazos', filter, filter === 'channels=waba' ? anyWay : `${anyWay}&${anyChannel}`)
  for (const state of ['status=closed', 'status=open']) await isSame('pendencias', state, `${anyWay}&${anyChannel}`)
  await isSame('estatisticas-atendimentos-usuarios', people, `${anyWay}&${anyChannel}`)
  // Hours of India begin at half past those of the world.
  expect(rows(await read('volume', 'dimension=hour&timezone=Asia/Kolkata'), 'tickets')).toEqual({
    '7 h': 1,
    '8 h': 2,
    '17 h': 2,
  })

  // What is over beside what is not, narrowed by something else as well.
  const [kept] = await withTenant(tenantId, ({ db }) => db.select().from(schema.ticketEpisodes).limit(1))
  if (!kept) throw new Error('There are episodes')
  const active = [new Date('2019-03-04T15:00Z'), null].map((acceptedAt, at) => ({
    ...{ ...kept, id: v7(), ordinal: 90 + at, userId: ana.id, queueId: queues.Vendas, closedAt: null, acceptedAt },
    ...{ openedAt: new Date('2019-03-04T14:00Z'), resolutionS: null, isResolutionMet: null, waitS: 60, transfers: 2 },
  }))
  await withTenant(tenantId, ({ db }) => db.insert(schema.ticketEpisodes).values(active))
  for (const state of ['closed', 'closed,open', 'pending,open,closed', 'open', 'pending'])
    for (const asked of [`queuesIds=${queues.Vendas}`, 'dimension=agent', anyWay, 'moment=closed&dimension=queue'])
      await isSame(
        'atendimentos-por-parametros',
        `status=${state}&${asked}`,
        asked === anyWay ? anyChannel : `${anyWay}&${anyChannel}`,
      )
  const count = async (status: string) =>
    totals(await read('volume', `queuesIds=${queues.Vendas}&status=${status}`)).tickets ?? 0
  expect(await count('closed,open')).toBe((await count('closed')) + 1)
  const added = active.map(({ id }) => id)
  await withTenant(tenantId, ({ db }) =>
    db.delete(schema.ticketEpisodes).where(inArray(schema.ticketEpisodes.id, added)),
  )
})

test('the time of the team, across a midnight when the clocks changed', async () => {
  const { tenantId, ana, davi, read } = company
  const [online, away] = [
    { state: 'online' as const, reason: null },
    { state: 'away' as const, reason: 'Almoço' },
  ]
  const spans = [
    // Ana: 22 h of 3 November to midnight, when the clocks went on to 1 h, and an hour more; then away for half an hour.
    { userId: ana.id, ...online, startedAt: new Date('2018-11-04T01:00Z'), endedAt: new Date('2018-11-04T04:00Z') },
    { userId: ana.id, ...away, startedAt: new Date('2018-11-04T04:00Z'), endedAt: new Date('2018-11-04T04:30Z') },
    // Davi: 23 h of 16 February, both times it was that, and an hour of the 17th; offline counts nowhere.
    { userId: davi.id, ...online, startedAt: new Date('2019-02-17T01:00Z'), endedAt: new Date('2019-02-17T04:00Z') },
    {
      ...{ userId: davi.id, state: 'offline' as const, reason: null },
      ...{ startedAt: new Date('2019-02-17T04:00Z'), endedAt: new Date('2019-02-18T04:00Z') },
    },
    // Begun before the period and ended in it.
    { userId: davi.id, ...away, startedAt: new Date('2018-10-31T03:00Z'), endedAt: new Date('2018-11-01T03:15Z') },
  ]
  await withTenant(tenantId, ({ db }) =>
    db.insert(schema.agentStates).values(spans.map((one) => ({ tenantId, ...one }))),
  )
  const team = await read('tempo-da-equipe')
  expect(rows(team, 'onlineTime')).toEqual({ 'Ana Souza': 10_800, 'Davi Reis': 10_800 })
  expect(rows(team, 'awayTime')).toEqual({ 'Ana Souza': 1_800, 'Davi Reis': 900 })
  expect(rows(team, 'onlineShare')['Ana Souza']).toBeCloseTo((100 * 10_800) / 12_600)
  expect(totals(team)).toEqual({ onlineTime: 21_600, awayTime: 2_700, onlineShare: (100 * 21_600) / 24_300 })
  expect(rows(await read('tempo-da-equipe', 'dimension=day'), 'onlineTime')).toEqual({
    '03/11/2018': 7_200,
    '04/11/2018': 3_600,
    '16/02/2019': 7_200,
    '17/02/2019': 3_600,
  })
  expect(totals(await read('tempo-da-equipe', `userIds=${davi.id}`))).toMatchObject({
    onlineTime: 10_800,
    awayTime: 900,
  })
  expect(rows(await read('tempo-da-equipe', 'dimension=day&timezone=UTC'), 'onlineTime')).toEqual({
    '04/11/2018': 10_800,
    '17/02/2019': 10_800,
  })
})

test('what campaigns reached, and where flows lose people', async () => {
  const { tenantId, read } = company
  const [campaignId, flowId, versionId] = [v7(), v7(), v7()]
  const count = (mark: string, number: number, step = 0) => ({
    ...{ tenantId, campaignId, step, variant: -1, connectionId: v7(), mark },
    ...{ at: new Date(0), writer: 0, count: number },
  })
  const node = (nodeId: string, title: string) => ({
    tenantId,
    flowId,
    nodeId,
    node: { kind: 'menu', name: title, data: { body: 'Sobre o que é?' } } as never,
    revision: 1,
  })
  await withTenant(tenantId, async ({ db }) => {
    await db.insert(campaigns).values([
      // The last minute of 4 November where the company is, and the first of the period after.
      {
        ...{ tenantId, id: campaignId, name: 'Natal', purpose: 'marketing', plan: {} as never },
        startedAt: new Date('2018-11-05T01:59:30Z'),
      },
      { tenantId, name: 'Páscoa', purpose: 'marketing', plan: {} as never, startedAt: new Date('2019-04-01T03:00Z') },
      { tenantId, name: 'Rascunho', purpose: 'service', plan: {} as never },
    ])
    await db
      .insert(campaignTallies)
      .values([
        count('total', 100),
        count('sent', 60),
        count('sent', 30, 1),
        count('delivered', 80),
        count('read', 40),
        count('answered', 10),
        count('failed:131026', 6),
        count('failed:131047', 4),
        count('skipped:optedOut', 3),
        count('optedOut', 2),
      ])
    const [ticket] = await db.select().from(schema.tickets).where(eq(schema.tickets.protocol, '2019C'))
    await db.insert(schema.chatFlows).values({ tenantId, id: flowId, name: 'Boas-vindas', settings: {} as never })
    await db.insert(schema.chatFlowNodes).values([node('a', 'Nome'), node('b', '')])
    const runs = Array.from({ length: 4 }, () => v7())
    await db.insert(schema.chatFlowRuns).values(
      runs.map((id) => ({
        ...{ tenantId, id, ticketId: ticket?.id ?? '', flowId, versionId, startedBy: 'queue' as const },
        ...{ state: {} as never, endedAt: new Date('2019-01-02T00:00Z') },
      })),
    )
    const step = (
      run: number,
      nodeId: string,
      endedWhy: 'silence' | 'retries' | 'end' | null,
      at = '2019-02-17T12:00Z',
    ) => ({
      ...{ tenantId, runId: runs[run] ?? '', flowId, versionId, stepId: 's', nodeId },
      ...{ endedWhy: endedWhy as never, createdAt: new Date(at) },
    })
    await db.insert(schema.chatFlowSteps).values([
      // Two of four gave up at the first step, one of whom came by it twice; one at the second; one reached the end.
      step(0, 'a', null),
      step(0, 'a', 'silence'),
      step(1, 'a', 'retries'),
      step(2, 'a', null),
      step(2, 'b', 'silence'),
      step(3, 'a', null),
      step(3, 'b', 'end'),
      step(3, 'b', 'silence', '2019-04-01T03:00Z'),
    ])
  })
  const reached = await read('campanhas')
  expect(reached.rows.map(({ label, values }) => [label, ...values])).toEqual([['Natal', 90, 80, 40, 10, 10, 2]])
  expect(totals(reached)).toEqual({ sent: 90, delivered: 80, read: 40, answered: 10, failed: 10, optedOut: 2 })
  const lost = await read('fluxos')
  expect(lost.rows.map(({ label, values }) => [label, ...values])).toEqual([
    ['Boas-vindas › Nome', 2, 4, 50],
    ['Boas-vindas › Menu de opções “Sobre o que é?”', 1, 2, 50],
  ])
  expect(totals(lost)).toEqual({ dropped: 3, passed: 6, droppedShare: 50 })
})

test('what assistants did in conversations, and phone calls', async () => {
  const { tenantId, read, davi, supervisor } = company
  const [assistantId, otherId, versionId] = [v7(), v7(), v7()]
  await withTenant(tenantId, async ({ db }) => {
    const tickets = await db.select().from(schema.tickets)
    const idOf = (name: string) => tickets.find(({ protocol }) => protocol === `2019${name}`)?.id ?? ''
    await db.insert(assistants).values([
      { tenantId, id: assistantId, name: 'Bia', config: {} as never },
      { tenantId, id: otherId, name: 'Caio', config: {} as never },
    ])
    await db
      .insert(assistantVersions)
      .values({ tenantId, id: versionId, assistantId, number: 1, config: {} as never, revision: 1 })
    const run = (
      ticket: string,
      at: string,
      outcome: 'answered' | 'handedOver' | 'failed',
      ms: number,
      costMicros: number,
      of = assistantId,
    ) => ({
      ...{ tenantId, ticketId: idOf(ticket), assistantId: of, versionId, state: 'done' as const, heardSeq: 0 },
      ...{ outcome, ms, costMicros, createdAt: new Date(at) },
    })
    await db.insert(assistantRuns).values([
      // B closed without anybody of the team; A was answered twice and handed over, once by each; what failed is none.
      run('B', '2019-02-17T01:31Z', 'answered', 1_000, 10_000),
      run('A', '2018-11-04T02:31Z', 'answered', 2_000, 20_000),
      run('A', '2018-11-04T02:40Z', 'answered', 3_000, 30_000),
      run('A', '2018-11-04T02:50Z', 'handedOver', 2_000, 0, otherId),
      run('D', '2019-03-05T12:01Z', 'failed', 9_000, 90_000),
    ])
    const call = (values: Partial<typeof voiceCalls.$inferInsert>) => ({
      ...{ tenantId, integrationId: v7(), number: '+5511988887777', assistantId: 'a', phoneNumberId: 'p' },
      ...{ userId: davi.id, createdAt: new Date('2019-03-05T12:30Z'), dueAt: null, ...values },
    })
    const [startedAt, endedAt] = [new Date('2019-03-05T12:31Z'), new Date('2019-03-05T12:33Z')]
    await db.insert(voiceCalls).values([
      call({
        ...{ ticketId: idOf('D'), status: 'ended', startedAt, endedAt, costUsd: 0.25 },
        endedReason: 'customer-ended-call',
      }),
      call({ ...{ status: 'ended', startedAt, endedAt, costUsd: 0.05 }, endedReason: 'voicemail' }),
      call({ ...{ status: 'failed', userId: null, createdAt: new Date('2019-03-06T12:00Z') } }),
    ])
  })
  const work = await read('assistentes')
  expect(work.rows.map(({ label, values }) => [label, ...values])).toEqual([
    ['Bia', 2, 3, 1, 0, 0, 2, 6],
    ['Caio', 1, 0, 0, 1, 100, 2, 0],
  ])
  expect(work.total).toEqual([2, 3, 1, 1, 50, 2, 6])
  expect((await read('assistentes', `queuesIds=${company.queues.Suporte}`)).total[0]).toBe(0)
  const calls = await read('ligacoes', 'dimension=callStatus')
  expect(calls.rows.map(({ label, values }) => [label, ...values.slice(0, 2)])).toEqual([
    ['Encerrada', 2, 1],
    ['Não completada', 1, 0],
  ])
  expect(totals(calls)).toEqual({
    ...{ calls: 3, callsTalked: 1, callsTalkedShare: 100 / 3, callTime: 120, callTotalTime: 120 },
    callCost: expect.closeTo(0.3),
  })
  const behind = async (query: string) =>
    (await as(supervisor).get(`/tickets-report?startDate=2018-11-01&endDate=2019-03-31&${query}`)).body.items.map(
      (row: { ticket: string }) => row.ticket,
    )
  expect(await behind(`report=assistentes&dimension=assistant&within=${otherId}`)).toEqual(['2019A'])
  expect(await behind('report=assistentes&dimension=month&within=2019-02-01')).toEqual(['2019B'])
  expect(await behind('report=ligacoes&dimension=callStatus&within=ended')).toEqual(['2019D'])
  expect(await behind('report=ligacoes&dimension=callStatus&within=failed')).toEqual([])
})

test('what is left in the evening, and who comes back', async () => {
  const left = await as(company.supervisor).get('/reports/pendencias?dateFrom=2019-02-15&dateTo=2019-02-19')
  expect(left.body.rows.map((row: { values: number[] }) => row.values)).toEqual([
    [0, 0, 0],
    [1, 2, 1],
    [1, 0, 0],
    [0, 0, 1],
    [0, 0, 0],
  ])
  const cohort = await company.read('retorno')
  expect(cohort.rows.map(({ label, values }) => [label, ...values])).toEqual([
    ['nov/2018', 1, 0, 0, 100, 0, null, null],
    ['fev/2019', 1, 0, null, null, null, null, null],
    ['mar/2019', 1, null, null, null, null, null, null],
  ])
})

test('the calls that outside callers know, and the conversations behind a number', async () => {
  const { supervisor, davi, agent } = company
  const period = 'startDate=2018-11-01&endDate=2019-03-31'
  const people = await as(supervisor).get(`/statistics-per-users?${period}`)
  expect(people.body).toMatchObject([
    { name: 'Ana Souza', qtd_em_atendimento: 0, qtd_pendentes: 0, qtd_resolvidos: 2, qtd_por_usuario: 2 },
    { name: 'Davi Reis', qtd_resolvidos: 2, nota_media: 5 },
  ])
  const list = await as(supervisor).get(`/tickets-report?${period}&userId=${davi.id}&count=true`)
  expect(list.body).toMatchObject({
    count: 2,
    items: [
      { ticket: '2019D', waitS: 600 },
      { ticket: '2019C', transfers: 1 },
    ],
  })
  const one = await as(supervisor).get(`/tickets-report?${period}&limit=1`)
  const next = await as(supervisor).get(`/tickets-report?${period}&limit=1&cursor=${one.body.nextCursor}`)
  expect([one.body.items[0].openedAt, next.body.items[0].openedAt]).toEqual([
    '2019-03-05T12:00:00.000Z',
    '2019-03-04T12:00:00.000Z',
  ])
  const within = await as(supervisor).get(`/tickets-report?${period}&dimension=weekdayHour&within=623`)
  expect(within.body.items.map((row: { ticket: string }) => row.ticket)).toEqual(['2019C', '2019B', '2019A'])
  const nobody = await as(supervisor).get(`/tickets-report?${period}&dimension=agent&within=`)
  expect(nobody.body.items).toMatchObject([{ ticket: '2019B', user: null }])
  const contacts = await as(supervisor).get('/contacts-report?count=true')
  expect(contacts.body.count).toBe(3)
  for (const path of ['/reports/volume', '/tickets-report', '/contacts-report', '/statistics-per-users'])
    expect((await as(agent).get(path)).status).toBe(403)
  expect((await as(supervisor).get('/reports/nada')).status).toBe(404)
  expect((await as(supervisor).get('/reports/volume?dimension=tag')).status).toBe(422)
})

test('a period that cannot be is refused in words, for the report, its rows and its file', async () => {
  const wrong = {
    'dateFrom=2019-03-02&dateTo=2019-03-01': 'O fim do período vem antes do começo.',
    'dateFrom=1969-01-01&dateTo=2019-03-01': 'Escolha datas entre 1990 e 2099.',
    'dateFrom=2001-01-01&dateTo=2019-03-01': 'Escolha um período de até dez anos.',
  }
  for (const [period, message] of Object.entries(wrong))
    for (const path of ['/reports/volume', '/tickets-report', '/reports/volume/file/csv']) {
      const { status, body } = await as(company.supervisor).get(`${path}?${period}`)
      expect({ path, status, messages: body.details?.map((one: { message: string }) => one.message) }).toEqual({
        ...{ path, status: 422, messages: [message] },
      })
    }
})

test('behind each row are the conversations, contacts and hours it counts', async () => {
  const { supervisor, agent, tenantId, ana, x, sale, read } = company
  const period = 'dateFrom=2018-11-01&dateTo=2019-03-31'
  const ask = async (list: string, report: string, row: Record<string, string>) => {
    const reply = await as(supervisor).get(`/${list}?report=${report}&${period}&${new URLSearchParams(row)}`)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body.items as Record<string, unknown>[]
  }
  const tickets = async (report: string, dimension: string, within: string) =>
    (await ask('tickets-report', report, { dimension, within })).map(({ ticket }) => ticket)
  const contacts = async (report: string, dimension: string, within: string) =>
    (await ask('contacts-report', report, { dimension, within })).map(({ id }) => id)

  // Left in the evening: one on the 16th and through the 17th, none after it was closed on the 18th.
  expect(await tickets('pendencias', 'day', '2019-02-17')).toEqual(['2019C'])
  expect(await tickets('pendencias', 'day', '2019-02-18')).toEqual([])
  expect((await as(supervisor).get('/tickets-report?report=pendencias&dimension=day&within=ontem')).status).toBe(422)

  const [atName] = (await read('fluxos')).rows
  expect(await tickets('fluxos', 'flowStep', atName?.id ?? '')).toEqual(['2019C'])
  expect(await tickets('fluxos', 'flowStep', 'outra:etapa')).toEqual([])

  // New in November, and nobody in a month in which others only came again.
  expect(await contacts('retorno', 'cohort', '2018-11-01')).toEqual([x])
  expect(await contacts('retorno', 'cohort', '2018-12-01')).toEqual([])
  expect((await contacts('retorno', 'cohort', '2019-03-01')).length).toBe(1)

  const [campaign] = (await read('campanhas')).rows
  await withTenant(tenantId, ({ db }) =>
    db.insert(campaignRecipients).values([
      { tenantId, campaignId: campaign?.id ?? '', contactId: x, state: 'sent', sentAt: new Date() },
      { tenantId, campaignId: campaign?.id ?? '', contactId: company.y, state: 'skipped' },
    ]),
  )
  expect(await contacts('campanhas', 'campaign', campaign?.id ?? '')).toEqual([x])

  await withTenant(tenantId, async ({ db }) => {
    await db.insert(schema.contactTags).values({ tenantId, contactId: x, tagId: sale })
    await db.update(schema.contacts).set({ number: '5511912345678' }).where(eq(schema.contacts.id, x))
  })
  const ofContacts = async (report: string, row: Record<string, string>) =>
    (await as(supervisor).get(`/contacts-report?report=${report}&${new URLSearchParams(row)}`)).body.items.map(
      ({ id }: { id: string }) => id,
    )
  expect(await ofContacts('contatos-por-etiquetas', { dimension: 'contactTag', within: sale })).toEqual([x])
  expect(await ofContacts('contatos-por-etiquetas', { dimension: 'contactTag', within: '' })).not.toContain(x)
  expect(await ofContacts('contatos-por-estado', { dimension: 'contactState', within: 'SP' })).toContain(x)
  expect(await ofContacts('contatos-por-estado', { dimension: 'contactState', within: '' })).not.toContain(x)
  expect((await ofContacts('contatos-por-kanban', { dimension: 'contactLane', within: '' })).length).toBe(3)
  const thisMonth = `${(await as(supervisor).get('/reports/lista-contatos?dimension=month')).body.rows.at(-1).id}`
  expect((await ofContacts('lista-contatos', { dimension: 'month', within: thisMonth })).length).toBe(3)

  const hours = async (query: string) =>
    (await as(supervisor).get(`/agent-states-report?${period}&${query}`)).body.items
  expect(await hours(`dimension=agent&within=${ana.id}`)).toMatchObject([
    { user: 'Ana Souza', state: 'away', reason: 'Almoço', seconds: 1_800 },
    { user: 'Ana Souza', state: 'online', reason: null, seconds: 10_800 },
  ])
  // Of a day, as far as it lies in it.
  expect(await hours('dimension=day&within=2018-11-03')).toMatchObject([{ user: 'Ana Souza', seconds: 7_200 }])
  expect((await as(agent).get('/agent-states-report')).status).toBe(403)
})

test('files: a table for programs, for people and for paper', async () => {
  const file = (format: string) =>
    as(company.supervisor).get(`/reports/filas/file/${format}?dateFrom=2018-11-01&dateTo=2019-03-31`)
  const csv = String((await file('csv')).body)
  expect(csv.split('\r\n')[0]).toContain('Fila;Atendimentos;Encerrados')
  expect(csv).toContain('Vendas;4;4;0;')
  expect(csv).toContain('Total;5;5;0;')
  expect(String((await file('xlsx')).body).slice(0, 2)).toBe('PK')
  expect(String((await file('pdf')).body).slice(0, 5)).toBe('%PDF-')
})

test('no heading of a report on paper is broken within a word, and contacts of any day say so', async () => {
  const { extractText, getDocumentProxy } = await import('unpdf')
  const textOf = async (path: string) => {
    const reply = await kit.app.inject({
      url: `/api/reports/${path}`,
      headers: { authorization: `Bearer ${company.supervisor.token}` },
    })
    return (await extractText(await getDocumentProxy(new Uint8Array(reply.rawPayload)), { mergePages: true })).text
  }
  const queues = await textOf('filas/file/pdf?dateFrom=2018-11-01&dateTo=2019-03-31&compare=true')
  for (const word of ['Atendimentos', 'Transferidos', 'Encerrados']) expect(queues).toContain(word)
  expect(await textOf('contatos-por-carteira/file/pdf')).toContain('De qualquer data')
  const { body } = await as(company.supervisor).get('/reports/contatos-por-carteira?compare=true')
  expect(body).toMatchObject({ period: null, periodBefore: null, totalBefore: null })
  const dated = await as(company.supervisor).get('/reports/contatos-por-carteira?compare=true&dateFrom=2019-03-01')
  expect(dated.body).toMatchObject({ period: { from: '2019-03-01' }, totalBefore: [0] })
})

test('a saved report goes out by mail in the morning, once, to whom it names', async () => {
  const { tenantId, supervisor, admin } = company
  const { mailDueReports } = await import('./report-mails.loop.ts')
  const view = { name: 'Filas', report: 'filas', query: 'fila=', mailEvery: 'week' }
  expect((await as(supervisor).post('/reportViews', view)).status).toBe(422)
  const saved = await as(supervisor).post('/reportViews', { ...view, isShared: true, mailTo: ['dono@loja.com.br'] })
  expect(saved.status).toBe(201)
  expect(new Date(saved.body.mailAt).getUTCDay()).toBe(1)
  expect((await as(admin).get('/reportViews')).body.items).toMatchObject([{ name: 'Filas' }])
  expect((await as(admin).put(`/reportViews/${saved.body.id}`, { ...view, version: 1 })).status).toBe(403)
  const makeDue = () =>
    withTenant(tenantId, (tx) => tx.db.update(schema.reportViews).set({ mailAt: new Date(Date.now() - 60_000) }))
  const mails = () => withTenant(tenantId, (tx) => tx.db.select().from(schema.mails))
  await makeDue()
  await Promise.all([mailDueReports(), mailDueReports()])
  expect(await mails()).toMatchObject([{ kind: 'report', to: 'dono@loja.com.br' }])
  await mailDueReports()
  expect(await mails()).toHaveLength(1)
})
