import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'

const { as, seedTenant, withTenant, schema } = await startTestApp()
const { setOnline } = await import('../presence/presence.ts')

const say = (user: TestUser, body: object, whose = user) => as(user).put(`/users/${whose.id}/availability`, body)
const pausesOf = (actor: TestUser, whose: TestUser, query = '') => as(actor).get(`/users/${whose.id}/pauses${query}`)
const presencesOf = async (tenantId: number) => {
  const rows = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'presence.user')).orderBy(schema.outbox.seq),
  )
  return rows.map(({ payload }) => payload)
}

test('a person steps away with a reason of the company, and comes back', async () => {
  const { agent, supervisor } = await seedTenant()
  expect((await say(agent, { state: 'online' })).body).toEqual({
    isOnline: true,
    isAway: false,
    awayReason: null,
    awaySince: null,
  })
  const away = await say(agent, { state: 'away', reason: 'Almoço' })
  expect(away.body).toMatchObject({ isOnline: true, isAway: true, awayReason: 'Almoço', awaySince: expect.any(String) })
  const options = await as(supervisor).get('/users/options')
  expect(options.body.find((one: TestUser) => one.id === agent.id)).toMatchObject(away.body)
  expect((await as(agent).get(`/users/${agent.id}`)).body).toMatchObject({ awayReason: 'Almoço' })
  await say(agent, { state: 'online' })
  expect((await pausesOf(supervisor, agent)).body.items).toMatchObject([
    { reason: 'Almoço', startedAt: away.body.awaySince, endedAt: expect.any(String) },
  ])
  expect(await presencesOf(agent.tenantId)).toMatchObject([
    { userId: agent.id, isOnline: true, isAway: false },
    { userId: agent.id, isOnline: true, isAway: true, awayReason: 'Almoço' },
    { userId: agent.id, isOnline: true, isAway: false },
  ])
})

test('the reason is one of the list; without a list it is their own', async () => {
  const { agent, admin } = await seedTenant()
  for (const reason of [undefined, '', 'Praia'])
    expect(await say(agent, { state: 'away', reason })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'reason' }] },
    })
  await as(admin).put('/settings', { pauseReasons: [] })
  expect((await say(agent, { state: 'away', reason: 'Médico' })).body.awayReason).toBe('Médico')
  expect((await say(agent, { state: 'away' })).body.awayReason).toBe('Pausa')
})

test('one pause at a time, however often and at once it is said', async () => {
  const { agent, supervisor } = await seedTenant()
  const replies = await Promise.all(Array.from({ length: 10 }, () => say(agent, { state: 'away', reason: 'Almoço' })))
  expect(new Set(replies.map(({ body }) => body.awaySince)).size).toBe(1)
  await say(agent, { state: 'away', reason: 'Reunião' })
  const { items } = (await pausesOf(supervisor, agent)).body
  expect(items).toMatchObject([
    { reason: 'Reunião', endedAt: null },
    { reason: 'Almoço', endedAt: expect.any(String) },
  ])
})

test('leaving ends the pause, another window does not', async () => {
  const { agent, supervisor, tenantId } = await seedTenant()
  await say(agent, { state: 'away', reason: 'Almoço' })
  await setOnline(tenantId, agent.id, true)
  expect((await pausesOf(supervisor, agent)).body.items).toMatchObject([{ endedAt: null }])
  await setOnline(tenantId, agent.id, false)
  expect((await pausesOf(supervisor, agent)).body.items).toMatchObject([{ endedAt: expect.any(String) }])
  await setOnline(tenantId, agent.id, true)
  expect((await presencesOf(tenantId)).at(-1)).toMatchObject({ isOnline: true, isAway: false })
})

test('what somebody did when is kept: at work, away and why, gone', async () => {
  const { agent, tenantId } = await seedTenant()
  await setOnline(tenantId, agent.id, true)
  await say(agent, { state: 'away', reason: 'Almoço' })
  await setOnline(tenantId, agent.id, true)
  await say(agent, { state: 'online' })
  await setOnline(tenantId, agent.id, false)
  const rows = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.agentStates).where(eq(schema.agentStates.userId, agent.id)),
  )
  const states = rows.toSorted((a, b) => a.id.localeCompare(b.id))
  expect(states.map(({ state, reason }) => [state, reason])).toEqual([
    ['online', null],
    ['away', 'Almoço'],
    ['online', null],
    ['offline', null],
  ])
  for (const [at, { endedAt }] of states.entries()) expect(endedAt).toEqual(states[at + 1]?.startedAt ?? null)
})

test("others' states are the supervisor's to set and to read, in the own company", async () => {
  const tenant = await seedTenant()
  const other = await seedTenant()
  const { agent, supervisor, admin } = tenant
  expect((await say(agent, { state: 'offline' }, supervisor)).status).toBe(403)
  expect((await pausesOf(agent, agent)).status).toBe(403)
  expect((await say(supervisor, { state: 'offline' }, agent)).status).toBe(200)
  expect((await say(admin, { state: 'away', reason: 'Treinamento' }, agent)).status).toBe(200)
  expect((await say(other.admin, { state: 'offline' }, agent)).status).toBe(404)
  expect((await pausesOf(other.admin, agent)).status).toBe(404)
  expect((await say(agent, { state: 'sleeping' })).status).toBe(422)
})

test('pauses are read by days of the company and page by page', async () => {
  const { agent, supervisor, tenantId } = await seedTenant()
  const at = (moment: string) => new Date(`${moment}-03:00`)
  const days = ['2026-11-16T23:30', '2026-11-17T00:10', '2026-11-17T12:00', '2026-11-18T00:00']
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.agentStates).values(
      days.map((day) => ({
        tenantId,
        userId: agent.id,
        state: 'away' as const,
        reason: day,
        startedAt: at(day),
        endedAt: new Date(at(day).getTime() + 60_000),
      })),
    ),
  )
  const read = await pausesOf(supervisor, agent, '?dateFrom=2026-11-17&dateTo=2026-11-17&limit=1')
  expect(read.body).toMatchObject({
    hasMore: true,
    items: [{ reason: days[2] }],
    totals: [
      { reason: days[1], times: 1, seconds: 60 },
      { reason: days[2], times: 1, seconds: 60 },
    ],
  })
  const next = await pausesOf(
    supervisor,
    agent,
    `?dateFrom=2026-11-17&dateTo=2026-11-17&cursor=${read.body.nextCursor}`,
  )
  expect(next.body).toMatchObject({ hasMore: false, items: [{ reason: days[1] }] })
  expect((await pausesOf(supervisor, agent, '?cursor=x')).status).toBe(422)
})
