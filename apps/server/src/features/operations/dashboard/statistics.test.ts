import { statistics } from '@balcao/contract/operations/statistics.ts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createConnection, createTicket, createUser, schema, withTenant } = await startTestApp()

type Facts = Partial<typeof schema.ticketEpisodes.$inferInsert>
/** Facts as they would have been kept, worked out by hand below. */
const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const { tenantId, queues, agent } = tenant
  const other = await createUser(tenantId, { name: 'Davi Reis' })
  const connectionId = await createConnection(tenant)
  const [reason] = await withTenant(tenantId, ({ db }) =>
    db.insert(schema.reasons).values({ tenantId, name: 'Dúvida' }).returning({ id: schema.reasons.id }),
  )
  const keep = async (facts: Facts, status: 'open' | 'pending' | 'closed') => {
    const ticketId = await createTicket(tenant, { connectionId, status, queue: 'Vendas' })
    await withTenant(tenantId, ({ db }) =>
      db.insert(schema.ticketEpisodes).values({
        tenantId,
        ticketId,
        ordinal: 1,
        contactId: agent.id,
        connectionId,
        channel: 'webchat',
        priority: 'normal',
        openedByKind: 'contact',
        openedAt: new Date(),
        owners: [],
        ...facts,
      }),
    )
  }
  const at = (text: string) => new Date(`${text}-03:00`)
  const reasonId = reason?.id ?? null
  const done = { queueId: queues.Vendas, userId: agent.id, reasonId, closedByKind: 'user' } as const
  await keep(
    {
      ...done,
      openedAt: at('2026-03-09T23:59:00'),
      closedAt: at('2026-03-10T00:59:00'),
      waitS: 60,
      firstAnswerS: 120,
      resolutionS: 3_600,
      grade: 5,
      value: 10_000,
    },
    'closed',
  )
  await keep(
    {
      ...done,
      openedAt: at('2026-03-10T10:00:00'),
      closedAt: at('2026-03-10T10:30:00'),
      waitS: 180,
      firstAnswerS: 240,
      resolutionS: 1_800,
      grade: 4,
      value: 5_000,
    },
    'closed',
  )
  // A customer's word came by another channel, and nobody closed it by itself for a reason.
  await keep(
    {
      queueId: queues.Suporte,
      userId: other.id,
      channel: 'telegram',
      openedAt: at('2026-03-10T23:59:59'),
      acceptedAt: at('2026-03-11T00:00:30'),
      openedByKind: 'user',
    },
    'open',
  )
  await keep({ queueId: null, userId: null, openedAt: at('2026-03-12T08:00:00') }, 'pending')
  // It is counted where it was merged into, and the days end before the last one.
  await keep(
    { ...done, isMerged: true, openedAt: at('2026-03-10T12:00:00'), closedAt: at('2026-03-10T12:01:00') },
    'closed',
  )
  await keep({ openedAt: at('2026-03-13T00:00:00') }, 'pending')
  return { ...tenant, other, connectionId, reasonId }
}
const days = 'startDate=2026-03-10&endDate=2026-03-12'

test('the statistics of some days, in the company’s time zone, each worked out by hand', async () => {
  const tenant = await company()
  const { admin, agent, other, queues, connectionId, reasonId } = tenant
  const all = statistics.parse((await as(admin).get(`/dashboard/statistics?${days}`)).body)
  expect(all.times).toMatchObject({
    qtd_total_atendimentos: 3,
    qtd_demanda_ativa: 1,
    qtd_demanda_receptiva: 2,
    qtd_resolvidos: 1,
    TMA: 1_800,
    TME: 180,
    TPR: 240,
    nota: 4,
    qtd_notas: 1,
  })
  expect(all.channels).toEqual([
    { channel: 'webchat', label: 'Chat do site', qtd: 2, percentual: 66.7 },
    { channel: 'telegram', label: 'Telegram', qtd: 1, percentual: 33.3 },
  ])
  expect(all.evolutionChannels.map(({ dt_referencia, channel, qtd }) => [dt_referencia, channel, qtd])).toEqual([
    ['2026-03-10', expect.any(String), 1],
    ['2026-03-10', expect.any(String), 1],
    ['2026-03-12', 'webchat', 1],
  ])
  expect(all.evolutionChannelsName).toMatchObject([
    { dt_referencia: '2026-03-10', id: connectionId, qtd: 2 },
    { dt_referencia: '2026-03-12', id: connectionId, qtd: 1 },
  ])
  expect(all.evolutionByPeriod).toEqual([
    { dt_referencia: '2026-03-10', label: '10/03', qtd: 2, qtd_resolvidos: 2 },
    { dt_referencia: '2026-03-11', label: '11/03', qtd: 0, qtd_resolvidos: 0 },
    { dt_referencia: '2026-03-12', label: '12/03', qtd: 1, qtd_resolvidos: 0 },
  ])
  expect(all.evolutionByValue.map(({ value }) => value)).toEqual([5_000, 0, 0])
  expect(all.perUsersDetail).toHaveLength(2)
  expect(all.perUsersDetail.find(({ id }) => id === agent.id)).toMatchObject({
    qtd_por_usuario: 1,
    qtd_resolvidos: 1,
    qtd_em_atendimento: 0,
    TMA: 1_800,
    TME: 180,
    TPR: 240,
  })
  expect(all.perUsersDetail.find(({ id }) => id === other.id)).toMatchObject({
    name: 'Davi Reis',
    qtd_em_atendimento: 1,
    qtd_por_usuario: 1,
    TMA: null,
  })
  expect(all.queue.map(({ id, label, qtd }) => [id, label, qtd]).sort()).toEqual(
    [
      [queues.Vendas, 'Vendas', 1],
      [queues.Suporte, 'Suporte', 1],
      [null, 'Sem fila', 1],
    ].sort(),
  )
  expect(all.user.find(({ id }) => id === null)).toMatchObject({ label: 'Sem atendente', qtd: 1 })
  expect(all.status.map(({ status, qtd }) => [status, qtd]).sort()).toEqual([
    ['closed', 1],
    ['open', 1],
    ['pending', 1],
  ])
  expect(all.reasons).toEqual([{ id: reasonId, name: 'Dúvida', label: 'Dúvida', qtd: 1, percentual: 100 }])
})

test('each call by its own name answers its part; queues and bad days are heard', async () => {
  const tenant = await company()
  const { admin, agent, queues } = tenant
  const all = statistics.parse((await as(admin).get(`/dashboard/statistics?${days}`)).body)
  for (const [path, part] of [
    ['times', all.times],
    ['channels', all.channels],
    ['evolution-channels', all.evolutionChannels],
    ['evolution-channels-name', all.evolutionChannelsName],
    ['evolution-by-period', all.evolutionByPeriod],
    ['evolution-by-value', all.evolutionByValue],
    ['per-users-detail', all.perUsersDetail],
    ['queue', all.queue],
    ['user', all.user],
    ['status', all.status],
    ['reasons', all.reasons],
  ] as const)
    expect((await as(admin).get(`/statistics-tickets-${path}?${days}`)).body).toEqual(part)
  // All but what stands in no queue.
  const ofTwo = statistics.parse(
    (await as(admin).get(`/dashboard/statistics?${days}&queues=${queues.Suporte},${queues.Vendas}`)).body,
  )
  expect(ofTwo).toMatchObject({
    times: { qtd_total_atendimentos: 2, TMA: all.times.TMA, nota: 4 },
    channels: [{ qtd: 1 }, { qtd: 1 }],
    reasons: all.reasons,
  })
  expect(ofTwo.perUsersDetail).toEqual(all.perUsersDetail)
  expect(ofTwo.queue.map(({ label, qtd }) => [label, qtd]).sort()).toEqual([
    ['Suporte', 1],
    ['Vendas', 1],
  ])
  expect(ofTwo.evolutionByPeriod.map(({ qtd }) => qtd)).toEqual([2, 0, 0])
  const ofSupport = (await as(admin).get(`/statistics-tickets-times?${days}&queues=${queues.Suporte}`)).body
  expect(ofSupport).toMatchObject({ qtd_total_atendimentos: 1, qtd_demanda_ativa: 1, qtd_resolvidos: 0, TMA: null })
  expect((await as(admin).get('/statistics-tickets-queue?startDate=2026-03-12&endDate=2026-03-10')).status).toBe(422)
  expect((await as(admin).get('/statistics-tickets-queue?startDate=2024-01-01&endDate=2026-03-10')).status).toBe(422)
  expect((await as(agent).get(`/statistics-tickets-times?${days}`)).status).toBe(403)
  // Hours of India begin at half past those of the sums.
  expect((await as(admin).put('/settings/timezone', { timezone: 'Asia/Kolkata' })).status).toBe(200)
  const inIndia = async (queues: string) =>
    statistics.parse(
      (await as(admin).get(`/dashboard/statistics?startDate=2026-03-09&endDate=2026-03-12&${queues}`)).body,
    )
  const [whole, two] = [await inIndia(''), await inIndia(`queues=${queues.Suporte},${queues.Vendas}`)]
  expect([whole.times.qtd_total_atendimentos, two.times.qtd_total_atendimentos]).toEqual([4, 3])
  expect([two.times.TMA, two.times.nota]).toEqual([whole.times.TMA, whole.times.nota])
  expect([two.perUsersDetail, two.reasons]).toEqual([whole.perUsersDetail, whole.reasons])
  expect(two.queue.map(({ id, qtd }) => [id, qtd]).sort()).toEqual(
    whole.queue.flatMap(({ id, qtd }) => (id ? [[id, qtd]] : [])).sort(),
  )
  const stranger = await seedTenant()
  expect((await as(stranger.admin).get(`/statistics-tickets-times?${days}`)).body.qtd_total_atendimentos).toBe(0)
})

test('a person’s panels are kept, for them alone, and goals by who may change settings', async () => {
  const tenant = await seedTenant()
  const { admin, supervisor } = tenant
  const dashboardPanels = [{ key: 'goals', size: 'wide', isHidden: false }]
  expect((await as(supervisor).put(`/users/${supervisor.id}/configs`, { dashboardPanels })).status).toBe(200)
  expect((await as(supervisor).get(`/users/${supervisor.id}`)).body.configs.dashboardPanels).toEqual(dashboardPanels)
  expect((await as(admin).get(`/users/${admin.id}`)).body.configs.dashboardPanels).toEqual([])
  const twice = [...dashboardPanels, ...dashboardPanels]
  expect((await as(supervisor).put(`/users/${supervisor.id}/configs`, { dashboardPanels: twice })).status).toBe(422)

  const goals = { attendances: 500, firstAnswerMinutes: 5, rating: 4.5 }
  expect((await as(supervisor).put('/settings', { goals })).status).toBe(403)
  expect((await as(admin).put('/settings', { goals })).body.goals).toEqual(goals)
  expect((await as(supervisor).get('/settings')).body.goals).toEqual(goals)
  expect((await as(admin).put('/settings', { goals: { ...goals, attendances: 0 } })).status).toBe(422)
})
