import { alwaysOpen } from '@balcao/contract/core/business-hours.ts'
import { asc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createConnection, createContact, createTicket, withTenant, schema } = await startTestApp()
const { rescueInbound, settleInbound } = await import('../inbound/inbound.service.ts')
const { cleanJournal } = await import('../inbound/journal.ts')
const { runDueTurns } = await import('../../conversations/turns/turns.loop.ts')
const { createJobs } = await import('../../core/jobs/jobs.loop.ts')

const closed = alwaysOpen.map((day) => ({ ...day, type: 'C' as const }))
const minute = 60_000
const day = 24 * 60 * minute
const ago = (ms: number) => new Date(Math.floor((Date.now() - ms) / 1_000) * 1_000)

type Row = Partial<typeof schema.journal.$inferInsert>
/** A company that is closed just now, with a channel and what came over it. */
const channel = async (kind: 'telegram' | 'waba' = 'telegram') => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { tenantId, admin } = tenant
  await as(admin).put('/settings', { businessHours: closed, messageBusinessHours: 'Voltamos amanhã.' })
  const phoneNumberId = `10700${tenantId}`
  const meta = {
    phoneNumberId,
    wabaId: '2001',
    apiVersion: 'v25.0',
    appSecret: 'segredo-do-aplicativo',
    verifyToken: 'verifica-1',
  }
  const config =
    kind === 'waba'
      ? { ...meta, accessToken: 'token-de-acesso-da-loja' }
      : { botToken: `1${tenantId}:${'t'.repeat(35)}` }
  const connectionId = await createConnection(tenant, { kind, config, name: 'Loja', externalId: `x${tenantId}` })
  let n = 0
  const add = async (payload: unknown, more: Row = {}) => {
    const id = v7()
    n += 1
    const row = {
      tenantId,
      id,
      connectionId,
      eventKey: `k${n}`,
      payload,
      receivedAt: ago(10 * minute - n * 1_000),
      ...more,
    }
    await withTenant(tenantId, ({ db }) => db.insert(schema.journal).values(row))
    return id
  }
  const entry = async (id: string) => {
    const [row] = await withTenant(tenantId, ({ db }) =>
      db.select().from(schema.journal).where(eq(schema.journal.id, id)),
    )
    return row
  }
  const path = `/whatsapp/${connectionId}/journal`
  const replay = async (id: string) => {
    const reply = await as(admin).post(`${path}/${id}/replay`)
    await handle()
    return reply
  }
  /** All that a person, a system or a screen could notice. */
  const world = () =>
    withTenant(tenantId, async ({ db }) => ({
      messages: await db.select().from(schema.messages).orderBy(asc(schema.messages.seq)),
      tickets: await db.select().from(schema.tickets),
      contacts: await db.select().from(schema.contacts),
      identities: await db.select().from(schema.contactIdentities),
      connections: await db.select().from(schema.connections),
      notifications: await db.select().from(schema.notifications),
      logs: await db.select().from(schema.ticketLogs),
      turns: await db.select().from(schema.turns),
      outbox: await db.select().from(schema.outbox),
    }))
  const bodies = async () => (await world()).messages.map(({ body }) => body)
  return { ...tenant, connectionId, path, add, entry, replay, world, bodies }
}
const handle = async () => {
  await rescueInbound()
  await settleInbound()
  await runDueTurns()
}
const work = async () => {
  const jobs = createJobs()
  while ((await jobs.run()).did);
  await jobs.finish()
}

const rita = { id: 77, is_bot: false, first_name: 'Rita' }
const inChat = (message_id: number, text: string, more: object = {}) => ({
  ...{ message_id, text, from: rita, chat: { id: 77, type: 'private', first_name: 'Rita' } },
  date: ago(30 * minute).getTime() / 1_000,
  ...more,
})
const said = (n: number, text: string) => ({ update_id: n, message: inChat(n, text) })
const edited = (n: number, text: string, minutesAgo: number) => ({
  update_id: 1_000 + n + minutesAgo,
  edited_message: inChat(n, text, { edit_date: ago(minutesAgo * minute).getTime() / 1_000 }),
})

test('what came is listed by page, state and day, and read whole', async () => {
  const { admin, path, add } = await channel()
  const first = await add(said(1, 'oi'), { state: 'done', receivedAt: ago(3 * day) })
  const second = await add({ novidade: 1 }, { state: 'unknown' })
  const third = await add(said(2, 'olá'), { state: 'failed', error: 'motivo', attempts: 5 })
  const ids = async (query = '') => {
    const { items } = (await as(admin).get(`${path}?${query}`)).body
    return items.map(({ id }: { id: string }) => id)
  }
  expect(await ids()).toEqual([third, second, first])
  expect(await ids('state=unknown&state=failed')).toEqual([third, second])
  const threeDaysAgo = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(ago(3 * day))
  expect(await ids(`dateFrom=${threeDaysAgo}&dateTo=${threeDaysAgo}`)).toEqual([first])
  const page = (await as(admin).get(`${path}?limit=2`)).body
  expect(page.items).toMatchObject([
    { kinds: ['message'], error: 'motivo', attempts: 5 },
    { kinds: [], state: 'unknown' },
  ])
  expect(page.items[0]).not.toHaveProperty('payload')
  expect(await ids(`limit=2&cursor=${page.nextCursor}`)).toEqual([first])
  expect((await as(admin).get(`${path}/${second}`)).body).toMatchObject({ payload: { novidade: 1 } })
  expect((await as(admin).get(`${path}/${v7()}`)).status).toBe(404)
  const elsewhere = await createConnection({ tenantId: admin.tenantId })
  expect((await as(admin).get(`/whatsapp/${elsewhere}/journal/${second}`)).status).toBe(404)
  expect((await as(admin).post(`/whatsapp/${elsewhere}/journal/${second}/replay`)).status).toBe(404)
  expect((await as(admin).get(`${path}/count`)).body).toEqual({ count: 3, isMore: false })
})

test('a day handled once more changes nothing, and says nothing to anybody', async () => {
  const { admin, connectionId, path, add, entry, replay, world, bodies } = await channel()
  const day = [
    await add(said(1, 'oi')),
    await add(edited(1, 'olá', 20)),
    await add(edited(1, 'olá!', 10)),
    await add({
      update_id: 9,
      my_chat_member: { chat: { id: 77, type: 'private' }, date: 1, new_chat_member: { status: 'kicked' } },
    }),
  ]
  await handle()
  expect(await bodies()).toEqual(['olá!', 'Voltamos amanhã.'])
  const before = await world()

  for (const id of day) {
    expect((await replay(id)).body).toMatchObject({ state: 'received', attempts: 0, error: null })
    expect(await entry(id)).toMatchObject({ state: 'done', conversation: null })
    expect(await world()).toEqual(before)
  }
  const told = (await as(admin).get(`/audit?entity=connection&entityId=${connectionId}`)).body.items
  expect(told[0]).toMatchObject({ action: 'journal.replayed', after: { name: 'Loja', count: 1 } })
  expect((await as(admin).get(path)).body.items).toMatchObject(Array(4).fill({ state: 'done' }))
})

test('a status and an account’s trouble told again change nothing', async () => {
  const { tenantId, connectionId, agent, add, replay, world, ...tenant } = await channel('waba')
  const contactId = await createContact({ tenantId, ...tenant }, { number: '5511977771111' })
  const ticketId = await createTicket({ tenantId, ...tenant }, { userId: agent.id, contactId, connectionId })
  const messageId = v7()
  const ours = { tenantId, id: messageId, ticketId, contactId, connectionId, userId: agent.id, timestamp: new Date() }
  const sent = {
    fromMe: true,
    type: 'text' as const,
    body: 'x',
    status: 'sent' as const,
    providerId: 'wamid.1',
    attempts: 1,
  }
  await withTenant(tenantId, ({ db }) => db.insert(schema.messages).values({ ...ours, ...sent }))
  const status = (name: string, more: object = {}) => ({
    kind: 'status',
    status: { id: 'wamid.1', status: name, timestamp: '1', biz_opaque_callback_data: messageId, ...more },
  })
  const delivered = await add(status('delivered'))
  const read = await add(status('read'))
  const trouble = await add({ kind: 'error', error: { code: 190, title: 'Token' } })
  await handle()
  expect((await world()).messages).toMatchObject([{ status: 'read' }])
  expect((await world()).connections).toMatchObject([{ status: 'ERROR' }])
  // Mended since.
  await withTenant(tenantId, ({ db }) =>
    db.update(schema.connections).set({ status: 'CONNECTED', statusText: 'Conectado.', statusAt: new Date() }),
  )
  const before = await world()
  for (const id of [delivered, read, trouble]) {
    await replay(id)
    expect(await world()).toEqual(before)
  }

  // Put back to be sent once more: what became of the attempt before is no word of this one.
  const again = { status: 'queued' as const, providerId: null, attempts: 0 }
  await withTenant(tenantId, ({ db }) => db.update(schema.messages).set(again))
  await replay(read)
  expect((await world()).messages).toMatchObject([again])
})

test('what was not understood, or failed, is handled as it would be today', async () => {
  const { add, entry, replay, world, bodies } = await channel()
  const understood = await add(said(1, 'oi'), { state: 'unknown' })
  const stillUnknown = await add({ novidade: 1 }, { state: 'unknown' })
  const failed = await add(said(2, 'cadê?'), { state: 'failed', attempts: 5, error: 'motivo', conversation: '77' })
  await replay(understood)
  expect(await entry(understood)).toMatchObject({ state: 'done' })
  await replay(stillUnknown)
  expect(await entry(stillUnknown)).toMatchObject({ state: 'unknown' })
  await replay(failed)
  expect(await entry(failed)).toMatchObject({ state: 'done', attempts: 0, error: null })
  expect((await bodies()).toSorted()).toEqual(['Voltamos amanhã.', 'cadê?', 'oi'])
  expect((await world()).tickets).toHaveLength(1)
})

test('what is in the queue is left alone; what was replayed holds nobody back', async () => {
  const { add, path, admin, entry, bodies } = await channel()
  const now = new Date()
  const waits = await add(said(1, 'espera'), { attempts: 2, conversation: '77', error: 'motivo', processedAt: now })
  expect((await as(admin).post(`${path}/${waits}/replay`)).body).toMatchObject({ attempts: 2, error: 'motivo' })
  expect(await entry(waits)).toMatchObject({ attempts: 2, conversation: '77', processedAt: now })
  const audit = await as(admin).get('/audit?entity=connection')
  expect(audit.body.items.filter(({ action }: { action: string }) => action === 'journal.replayed')).toEqual([])

  const old = await add(said(2, 'antiga'), { state: 'failed', conversation: '88' })
  await as(admin).post(`${path}/${old}/replay`)
  await add(
    { update_id: 3, message: inChat(3, 'viva', { chat: { id: 88, type: 'private', first_name: 'Bia' } }) },
    { conversation: '88' },
  )
  await handle()
  expect(await bodies()).toEqual(expect.arrayContaining(['antiga', 'viva']))
})

test('a filter is replayed as a job that is watched, the oldest first', async () => {
  const { admin, connectionId, path, add, entry, bodies } = await channel()
  const failed = [await add(said(1, 'um'), { state: 'failed' }), await add(said(2, 'dois'), { state: 'failed' })]
  const unknown = await add({ novidade: 1 }, { state: 'unknown' })
  expect((await as(admin).post(`${path}/replay`, {})).status).toBe(422)
  const { body } = await as(admin).post(`${path}/replay`, { state: ['failed'] })
  expect(body).toMatchObject({ kind: 'replayEvents', subject: 'Loja', total: 2, canPause: true })
  await work()
  expect((await as(admin).get('/bulkJobs')).body.items).toMatchObject([{ state: 'done', done: 2, failed: 0 }])
  await handle()
  expect((await bodies()).filter((text) => text !== 'Voltamos amanhã.')).toEqual(['um', 'dois'])
  expect(await Promise.all([...failed, unknown].map(entry))).toMatchObject([
    { state: 'done' },
    { state: 'done' },
    { state: 'unknown', processedAt: null },
  ])
  const told = (await as(admin).get(`/audit?entity=connection&entityId=${connectionId}`)).body.items
  expect(told[0]).toMatchObject({ action: 'journal.replayed', after: { state: ['failed'], count: 2 } })
})

test('no more wait at one time than are handled soon', async () => {
  const { tenantId, admin, connectionId, path, add, entry } = await channel()
  const late = await add({ novidade: 1 }, { state: 'unknown' })
  const crowd = Array.from({ length: 2_000 }, (_, n) => ({ tenantId, connectionId, eventKey: `c${n}`, payload: {} }))
  await withTenant(tenantId, ({ db }) => db.insert(schema.journal).values(crowd))
  await as(admin).post(`${path}/replay`, { state: ['unknown'] })
  await work()
  expect(await entry(late)).toMatchObject({ state: 'unknown' })
  await withTenant(tenantId, ({ db }) =>
    db.update(schema.journal).set({ state: 'done' }).where(eq(schema.journal.state, 'received')),
  )
  await work()
  expect(await entry(late)).toMatchObject({ state: 'received' })
})

test('a channel that was deleted replays nothing, and says so', async () => {
  const { tenantId, admin, path, add, entry } = await channel()
  const id = await add(said(1, 'oi'), { state: 'failed' })
  await as(admin).post(`${path}/replay`, { state: ['failed'] })
  await withTenant(tenantId, ({ db }) => db.update(schema.connections).set({ deletedAt: new Date() }))
  for (const asked of [`${path}/${id}/replay`, `${path}/replay`])
    expect(await as(admin).post(asked, { state: ['failed'] })).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_WAPP_FOUND', message: 'Não encontramos este canal. Ele pode ter sido excluído.' },
    })
  await work()
  expect((await as(admin).get('/bulkJobs')).body.items).toMatchObject([
    { state: 'failed', error: 'O canal foi excluído.' },
  ])
  expect(await entry(id)).toMatchObject({ state: 'failed' })
})

test('whoever may look may not replay, and others may not even look', async () => {
  const { admin, agent, path, add } = await channel()
  const id = await add(said(1, 'oi'), { state: 'done' })
  const statuses = async () => {
    const asked = ['', `/${id}`, '/count'].map((at) => as(agent).get(path + at))
    asked.push(...[`/${id}/replay`, '/replay'].map((at) => as(agent).post(path + at, { state: ['done'] })))
    return (await Promise.all(asked)).map(({ status }) => status)
  }
  expect(await statuses()).toEqual([403, 403, 403, 403, 403])
  const role = await as(admin).post('/roles', { name: 'Suporte', permissions: ['journal.read'] })
  expect((await as(admin).put(`/users/${agent.id}`, { roleId: role.body.id })).status).toBe(200)
  expect(await statuses()).toEqual([200, 200, 200, 403, 403])
})

test('handled ones go after seven days, whatever their channel; the others stay', async () => {
  const { add, entry } = await channel()
  const old = ago(8 * day)
  const [gone, stays, fresh] = [
    await add({}, { state: 'done', receivedAt: old }),
    await add({}, { state: 'failed', receivedAt: old }),
    await add({}, { state: 'done' }),
  ]
  await cleanJournal()
  expect(await entry(gone)).toBeUndefined()
  expect(await entry(stays)).toBeDefined()
  expect(await entry(fresh)).toBeDefined()
})
