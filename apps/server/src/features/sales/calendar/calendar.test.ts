import { startGoogleCalendarSimulator } from '@balcao/simulators/google-calendar.ts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { app, as, seedTenant, createContact, withTenant, withPlatform, schema } = kit
const { syncDueCalendars } = await import('./calendar.loop.ts')

const google = await startGoogleCalendarSimulator()
afterAll(() => google.close())
/** Due loops are everybody's: what another test left is none of this one's. */
beforeEach(() =>
  withPlatform('test', async (tx) => {
    await tx.db.delete(schema.calendarSyncs)
    await tx.db.delete(schema.integrations)
  }),
)

const day = (ahead: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date(Date.now() + ahead * 86_400_000))

const company = async () => {
  const tenant = await seedTenant()
  const call = as(tenant.admin)
  const { body: account } = await call.post('/google-calendar-configs', {
    name: 'Agenda',
    config: { ...google.client, apiUrl: google.apiUrl, ownClient: true },
  })
  const authorize = async () => {
    const asked = await app.inject({
      ...{ method: 'GET', url: `/api/google-calendar/auth/url?configId=${account.id}` },
      headers: { authorization: `Bearer ${tenant.admin.token}` },
    })
    const back = new URL(google.consent(asked.json().url))
    const answered = await app.inject({
      ...{ method: 'POST', url: '/api/google-calendar/auth/token' },
      headers: { authorization: `Bearer ${tenant.admin.token}` },
      cookies: { balcao_consent: asked.cookies[0]?.value ?? '' },
      payload: { state: back.searchParams.get('state'), code: back.searchParams.get('code') },
    })
    expect(answered.json()).toMatchObject({ isAuthorized: true })
  }
  await authorize()
  await call.post('/pipelines', { name: 'Vendas' })
  const [first] = (await call.get('/stages')).body.items as { id: string }[]
  const contactId = await createContact(tenant, { name: 'Padaria Sol' })
  const make = async (name: string, closingForecast: string | null) =>
    (await call.post('/opportunities', { name, stageId: first?.id, contactId, closingForecast })).body as { id: string }
  /** As if a minute had passed since the last look. */
  const sync = async () => {
    await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.calendarSyncs).set({ dueAt: new Date(0) }))
    await syncDueCalendars()
  }
  const eventOf = ({ id }: { id: string }) => google.events.get(`b${id.replaceAll('-', '')}`)
  const forecastOf = async ({ id }: { id: string }) => (await call.get(`/opportunities/${id}`)).body.closingForecast
  const config = async () => (await call.get(`/google-calendar-configs/${account.id}`)).body
  return { ...tenant, call, account, authorize, make, sync, eventOf, forecastOf, config }
}

test('forecasts become events, and follow what becomes of them', async () => {
  const shop = await company()
  const one = await shop.make('Reforma', day(5))
  await shop.make('Sem previsão', null)
  await shop.sync()
  expect(shop.eventOf(one)).toMatchObject({
    ...{ summary: 'Reforma · Padaria Sol', status: 'confirmed', start: { date: day(5) }, end: { date: day(6) } },
  })
  await shop.sync()
  const before = google.requests.length
  await shop.sync()
  // Nothing changed: one question alone.
  expect(google.requests.length - before).toBe(1)
  await shop.call.put(`/opportunities/${one.id}`, { closingForecast: day(8) })
  await shop.sync()
  expect(shop.eventOf(one)?.start).toEqual({ date: day(8) })
  await shop.call.put(`/opportunities/${one.id}`, { status: 'lose' })
  await shop.sync()
  expect(shop.eventOf(one)?.status).toBe('cancelled')
  await shop.call.put(`/opportunities/${one.id}`, { status: 'open' })
  await shop.sync()
  expect(shop.eventOf(one)?.status).toBe('confirmed')
})

test('a moved event moves its forecast; of two changes the newer stays', async () => {
  const shop = await company()
  const one = await shop.make('Reforma', day(5))
  await shop.sync()
  const id = shop.eventOf(one)?.id ?? ''
  const soon = new Date(Date.now() + 60_000)
  google.write({ id, start: { date: day(9) }, end: { date: day(10) }, at: soon })
  await shop.sync()
  expect(await shop.forecastOf(one)).toBe(day(9))
  const [told] = (await shop.call.get(`/opportunities/${one.id}/timeline`)).body
  expect(told).toMatchObject({ kind: 'forecast', rule: 'Google Agenda', from: day(5), to: day(9) })
  // Moved there long ago, written down here since: ours stays, and goes there again.
  await shop.call.put(`/opportunities/${one.id}`, { closingForecast: day(20) })
  google.write({ id, start: { date: day(2) }, end: { date: day(3) }, at: new Date(Date.now() - 3_600_000) })
  await shop.sync()
  expect(await shop.forecastOf(one)).toBe(day(20))
  expect(shop.eventOf(one)?.start).toEqual({ date: day(20) })
})

test('what else stands in the calendar is shown, also after its tokens of change grew too old', async () => {
  const shop = await company()
  const at = `${day(3)}T14:00:00-03:00`
  const other = google.write({
    summary: 'Visita',
    start: { dateTime: at },
    end: { dateTime: `${day(3)}T15:00:00-03:00` },
  })
  await shop.sync()
  const list = async () =>
    (await as(shop.agent).get(`/google-calendar/events?startDate=${day(0)}&endDate=${day(10)}`)).body.items
  expect(await list()).toMatchObject([
    { summary: 'Visita', startDateTime: new Date(at).toISOString(), opportunityId: null },
  ])
  google.cancel(other.id)
  google.write({ summary: 'Feira', start: { date: day(4) }, end: { date: day(6) } })
  google.forgetSyncTokens()
  await shop.sync()
  expect(await list()).toMatchObject([{ summary: 'Feira', startDay: day(4), endDay: day(6) }])
  const stranger = await company()
  await shop.sync()
  expect((await stranger.call.get(`/google-calendar-configs/${shop.account.id}`)).status).toBe(404)
})

test('a token that is refused is renewed once; a rate waits; a consent taken back is said', async () => {
  const shop = await company()
  await shop.sync()
  const [token] = google.living
  expect(token).toBeTruthy()
  // Google forgets the token before its time.
  ;(google.living as Set<string>).clear()
  const one = await shop.make('Reforma', day(5))
  await shop.sync()
  expect(shop.eventOf(one)?.status).toBe('confirmed')
  google.faults.next({
    ...{ status: 403, times: 1, match: ({ path }: { path: string }) => path.startsWith('/calendar/') },
    body: { error: { code: 403, errors: [{ reason: 'rateLimitExceeded' }] } },
  })
  await shop.sync()
  expect(await shop.config()).toMatchObject({ problem: expect.stringContaining('esperar'), state: 'working' })
  await shop.sync()
  expect((await shop.config()).problem).toBeNull()
  google.revoke()
  await shop.sync()
  expect(await shop.config()).toMatchObject({ state: 'broken', isAuthorized: false })
  // Consented to anew, it is compared at once, and what the account does not have is written there again.
  ;(google.events as Map<string, unknown>).clear()
  google.forgetSyncTokens()
  await shop.authorize()
  expect(await shop.config()).toMatchObject({ state: 'working', problem: null, isAuthorized: true })
  await syncDueCalendars()
  expect(shop.eventOf(one)?.status).toBe('confirmed')
  expect(await shop.config()).toMatchObject({ problem: null })
})

test('events are written, changed and taken out by hand; forecasts are not', async () => {
  const shop = await company()
  const event = {
    ...{ summary: 'Reunião', startDateTime: `${day(2)}T10:00:00-03:00`, endDateTime: `${day(2)}T11:00:00-03:00` },
    ...{ description: 'Fechamento', location: 'Loja', attendees: ['ana@loja.com.br'] },
  }
  const { status, body } = await shop.call.post('/google-calendar-create/events', event)
  expect(status).toBe(201)
  expect([...google.events.values()].find(({ summary }) => summary === 'Reunião')).toMatchObject({
    ...{ location: 'Loja', attendees: [{ email: 'ana@loja.com.br' }] },
  })
  const changed = await shop.call.put(`/google-calendar-update/events/${body.id}`, { ...event, summary: 'Outra' })
  expect(changed.body).toMatchObject({ id: body.id, summary: 'Outra' })
  const wrong = await shop.call.post('/google-calendar-create/events', { ...event, endDateTime: event.startDateTime })
  expect(wrong.body.details).toMatchObject([{ path: 'endDateTime' }])
  const listed = await shop.call.post('/google-calendar-list/events', { startDate: day(0), endDate: day(5) })
  expect(listed.body.items).toHaveLength(1)
  expect((await shop.call.delete(`/google-calendar-delete/events/${body.id}`)).status).toBe(204)
  const one = await shop.make('Reforma', day(5))
  await shop.sync()
  const ours = (await shop.call.get(`/google-calendar/events?startDate=${day(0)}&endDate=${day(9)}`)).body.items.find(
    ({ opportunityId }: { opportunityId: string }) => opportunityId === one.id,
  )
  expect((await shop.call.delete(`/google-calendar-delete/events/${ours.id}`)).status).toBe(409)
})

test('disconnected, what is ours leaves the calendar, and then the account goes', async () => {
  const shop = await company()
  const one = await shop.make('Reforma', day(5))
  google.write({ summary: 'Nossa não', start: { date: day(4) }, end: { date: day(5) } })
  await shop.sync()
  expect((await shop.call.delete(`/integrations/${shop.account.id}`)).body.message).toContain('Desconecte')
  expect((await shop.call.delete(`/google-calendar-configs/${shop.account.id}`)).status).toBe(204)
  expect((await shop.config()).isLeaving).toBe(true)
  await shop.sync()
  expect(shop.eventOf(one)?.status).toBe('cancelled')
  expect([...google.events.values()].find(({ summary }) => summary === 'Nossa não')?.status).toBe('confirmed')
  expect((await shop.call.get('/google-calendar-configs')).body.items).toEqual([])
  expect(
    await withTenant(shop.tenantId, (tx) =>
      tx.db.select().from(schema.calendarEvents).where(eq(schema.calendarEvents.tenantId, shop.tenantId)),
    ),
  ).toEqual([])
})
