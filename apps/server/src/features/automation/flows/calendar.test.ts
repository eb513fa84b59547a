import {
  blankNode,
  type FlowNode,
  flowSettings,
  type NodeData,
  type NodeKind,
} from '@balcao/contract/automation/flows/graph.ts'
import { startGoogleCalendarSimulator } from '@balcao/simulators/google-calendar.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { killedWhile } from '../../../../test/killed.ts'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'

const { app, as, ownerUrl, seedTenant, createConnection, withTenant, schema, invalidateDirectory } =
  await startTestApp()
const { runDueTurns } = await import('../../conversations/turns/turns.loop.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { makeDueCalls } = await import('./calls.loop.ts')
const { bookTime } = await import('../../sales/calendar/bookings.ts')

const node = <K extends NodeKind>(
  kind: K,
  id: string,
  data: Partial<NodeData<K>>,
  next: Record<string, string> = {},
) => {
  const blank = blankNode(kind, id, { x: 0, y: 0 })
  return { ...blank, data: { ...blank.data, ...data }, next } as FlowNode
}

/** A company with a calendar of Google's, and a flow that books in it. */
const company = async () => {
  const google = await startGoogleCalendarSimulator()
  afterAll(() => google.close())
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant)
  const boss = as(tenant.admin)
  const account = await boss.post('/google-calendar-configs', {
    ...{ name: 'Agenda', config: { ...google.client, apiUrl: google.apiUrl, ownClient: true } },
  })
  const calendarId = account.body.id as string
  const authorization = `Bearer ${tenant.admin.token}`
  const asked = await app.inject({
    ...{ method: 'GET', url: `/api/google-calendar/auth/url?configId=${calendarId}`, headers: { authorization } },
  })
  const back = new URL(google.consent(asked.json().url))
  await app.inject({
    ...{ method: 'POST', url: '/api/google-calendar/auth/token', headers: { authorization } },
    cookies: { balcao_consent: asked.cookies[0]?.value ?? '' },
    payload: { state: back.searchParams.get('state'), code: back.searchParams.get('code') },
  })
  const id = (await boss.post('/chat-flow', { name: 'Horários' })).body.id as string
  const nodes = [
    node('start', 'start', {}, { next: 'c' }),
    node(
      'calendar',
      'c',
      { calendarId, minutes: 60, offers: 3, title: 'Visita de {{name}}', variable: 'hora' },
      { next: 'ok', none: 'cheio', failed: 'ruim' },
    ),
    node('ask', 'ok', { body: 'Marcado: {{var.hora}}', variable: 'fim' }),
    node('ask', 'cheio', { body: 'Sem horário', variable: 'fim' }),
    node('ask', 'ruim', { body: 'Fora do ar', variable: 'fim' }),
  ]
  const draft = { base: 1, upserts: nodes, settings: flowSettings.parse({}) }
  const { body } = await boss.post(`/chat-flow/${id}/draft`, draft)
  expect(await boss.post(`/chat-flow/${id}/publish`, { revision: body.revision })).toMatchObject({ status: 200 })
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.connections).set({ options: { chatFlowId: id } }))
  invalidateDirectory(tenant.tenantId)
  const work = async () => {
    for (let n = 0; n < 3; n += 1) {
      await runDueTurns()
      await makeDueCalls()
    }
    await runDueTurns()
  }
  const rows = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  let read = 0
  const hear = async (text: string) => {
    const from: InboundMessage['from'] = {
      ...{ identities: [{ kind: 'webchat', value: `v${tenant.tenantId}` }], name: 'Maria Lima' },
    }
    await ingest(tenant.tenantId, connectionId, [
      {
        ...{ kind: 'message', providerId: v7(), from, fromMe: false, timestamp: new Date() },
        content: { type: 'text', body: text },
      },
    ])
  }
  /** What the customer is told once everything due is done. */
  const told = async () => {
    await work()
    const ours = (await rows()).filter(({ fromMe, type }) => fromMe && type !== 'system' && type !== 'note')
    const later = ours.slice(read)
    read = ours.length
    return later
  }
  const talk = async (text: string) => {
    await hear(text)
    return told()
  }
  return { ...tenant, boss, google, calendarId, hear, told, talk, work }
}
const bodies = (rows: { body: string }[]) => rows.map(({ body }) => body)
const titles = (rows: { payload: unknown }[]) => {
  const payload = rows.at(-1)?.payload as { interactive?: { options: { title: string }[] } } | undefined
  return (payload?.interactive?.options ?? []).map(({ title }) => title)
}

test('free times are offered, and the chosen one is booked once', async () => {
  const shop = await company()
  const offered = titles(await shop.talk('oi'))
  expect(offered).toHaveLength(3)
  expect(bodies(await shop.talk('2'))).toEqual([`Marcado: ${offered[1]}`])
  const events = [...shop.google.events.values()]
  expect(events).toMatchObject([{ summary: 'Visita de Maria Lima', status: 'confirmed' }])
  expect(await withTenant(shop.tenantId, (tx) => tx.db.select().from(schema.calendarEvents))).toMatchObject([
    { eventId: events[0]?.id, isGone: false },
  ])
  // Asked again under the same key it is the same event.
  const [call] = await withTenant(shop.tenantId, (tx) =>
    tx.db.select().from(schema.chatFlowCalls).orderBy(schema.chatFlowCalls.createdAt),
  ).then((all) => all.slice(-1))
  const from = new Date(events[0]?.start?.dateTime ?? '')
  const again = {
    key: call?.id ?? '',
    from,
    to: new Date(from.getTime() + 3_600_000),
    title: 'Visita',
    description: '',
  }
  expect(await bookTime(shop.tenantId, shop.calendarId, again)).toBe(true)
  expect(shop.google.events.size).toBe(1)
})

test.each(['before the calendar is asked', 'after it was written in'])(
  'killed while it books, %s: booked once, told once',
  async (moment) => {
    const shop = await company()
    const offered = titles(await shop.talk('oi'))
    await shop.hear('2')
    await runDueTurns()
    const book = `(...given) => ${moment.startsWith('before') ? 'stopHere()' : 'bookTime(...given).then(stopHere)'}`
    await killedWhile(
      ownerUrl,
      `await load('index.ts')
    const { registerFlowHooks, flowHooks } = await load('automation/flows/hooks.ts')
    const { bookTime } = await load('sales/calendar/bookings.ts')
    const { makeDueCalls } = await load('automation/flows/calls.loop.ts')
    registerFlowHooks({ ...flowHooks(), calendar: { ...flowHooks().calendar, book: ${book} } })
    await makeDueCalls()`,
    )
    expect(shop.google.events.size).toBe(moment.startsWith('before') ? 0 : 1)
    expect(await shop.told()).toEqual([]) // whoever was killed had it for as long as its lease
    await withTenant(shop.tenantId, (tx) =>
      tx.db.execute(sql`update chat_flow_calls set due_at = now() - interval '1 second' where state = 'waiting'`),
    )
    await Promise.all([makeDueCalls(), makeDueCalls(), makeDueCalls()])
    expect(bodies(await shop.told())).toEqual([`Marcado: ${offered[1]}`])
    expect([...shop.google.events.values()]).toMatchObject([{ summary: 'Visita de Maria Lima', status: 'confirmed' }])
    expect(await withTenant(shop.tenantId, (tx) => tx.db.select().from(schema.calendarEvents))).toHaveLength(1)
    expect(await shop.told()).toEqual([])
  },
)

test('a time that somebody takes meanwhile is said to be taken, and others are offered', async () => {
  const shop = await company()
  const offered = titles(await shop.talk('oi'))
  // Written in the calendar itself, over all that was offered.
  const now = Date.now()
  const [start, end] = [new Date(now), new Date(now + 40 * 3_600_000)].map((one) => ({ dateTime: one.toISOString() }))
  shop.google.write({ summary: 'Feriado', start, end })
  const answer = await shop.talk('1')
  expect(answer[0]?.body).toBe('Esse horário acabou de ser ocupado.')
  expect(titles(answer)).not.toEqual(offered)
  expect(shop.google.events.size).toBe(1)
  // Of two who want one time the first has it.
  const from = new Date(now + 96 * 3_600_000)
  const one = { from, to: new Date(from.getTime() + 3_600_000), title: 'A', description: '' }
  const both = await Promise.all([1, 2].map(() => bookTime(shop.tenantId, shop.calendarId, { ...one, key: v7() })))
  expect(both.toSorted()).toEqual([false, true])
})

test('a full calendar and one that answers nothing go their own ways', async () => {
  const full = await company()
  const [start, end] = [0, 30].map((days) => ({ dateTime: new Date(Date.now() + days * 86_400_000).toISOString() }))
  full.google.write({ summary: 'Férias', start, end })
  expect(bodies(await full.talk('oi'))).toEqual(['Sem horário'])
  const broken = await company()
  broken.google.faults.next({ status: 403, match: ({ path }: { path: string }) => path.includes('/events') })
  expect(bodies(await broken.talk('oi'))).toEqual(['Fora do ar'])
})

test('a calendar that is gone, or not authorised, keeps the flow from being published', async () => {
  const shop = await company()
  expect((await shop.boss.get(`/chat-flow-naming/${shop.calendarId}`)).body.items).toMatchObject([{ name: 'Horários' }])
  const { body } = await shop.boss.post('/chat-flow', { name: 'Outro' })
  const one = node('calendar', 'c', { calendarId: v7() })
  await shop.boss.post(`/chat-flow/${body.id}/draft`, {
    ...{ base: 1, upserts: [node('start', 'start', {}, { next: 'c' }), one] },
  })
  expect((await shop.boss.get(`/chat-flow/${body.id}/problems`)).body.items).toContainEqual(
    expect.objectContaining({ nodeId: 'c', path: 'calendarId', message: 'Agenda não encontrada.', level: 'error' }),
  )
  expect((await shop.boss.get('/chat-flow-accounts')).body).toMatchObject({
    calendars: [{ id: shop.calendarId, name: 'Agenda', isReady: true }],
  })
})
