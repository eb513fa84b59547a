import { alwaysOpen, type BusinessDay } from '@balcao/contract/core/business-hours.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createUser, createContact, createConnection, withTenant, schema, invalidateDirectory } =
  await startTestApp()
const { markBreaches } = await import('./breaches.ts')
const { recomputeStaleDeadlines } = await import('./recompute.ts')
const { distributeTickets } = await import('../distribution/distribute.ts')
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const anywhere = { queueId: null, priority: null }
const minutes = (count: number) => count * 60_000

/** A company with promises; conversations begin in its queue and belong to nobody. */
const promising = async (settings: Partial<TenantSettings>, more: Parameters<typeof seedTenant>[0] = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], ...more, settings })
  const connectionId = await createConnection(tenant)
  const begin = async (queue = 'Vendas') => {
    const contactId = await createContact(tenant)
    const body = { contactId, channelId: connectionId, status: 'pending', queueId: tenant.queues[queue] }
    const { body: ticket } = await as(tenant.admin).post('/tickets', body)
    return String(ticket.id)
  }
  return { ...tenant, connectionId, begin }
}
const rowOf = async ({ tenantId }: Pick<Tenant, 'tenantId'>, id: string) => {
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.tickets)
      .where(and(eq(schema.tickets.tenantId, tenantId), eq(schema.tickets.id, id))),
  )
  if (!row) throw new Error('no ticket')
  return row
}
type Columns = Partial<Awaited<ReturnType<typeof rowOf>>>
const set = ({ tenantId }: Pick<Tenant, 'tenantId'>, id: string, columns: Columns) =>
  withTenant(tenantId, (tx) => tx.db.update(schema.tickets).set(columns).where(eq(schema.tickets.id, id)))
const logsOf = ({ tenantId }: Pick<Tenant, 'tenantId'>, ticketId: string) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.ticketLogs).where(eq(schema.ticketLogs.ticketId, ticketId)))
const noticesOf = async ({ tenantId }: Pick<Tenant, 'tenantId'>) => {
  const rows = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'ticket.notice')).orderBy(schema.outbox.seq),
  )
  return rows.map(({ payload, audience }) => ({ payload, audience }))
}
const setOnline = async (...people: { tenantId: number; id: string }[]) => {
  for (const { tenantId, id } of people) {
    await withTenant(tenantId, (tx) =>
      tx.db.update(schema.users).set({ isOnline: true }).where(eq(schema.users.id, id)),
    )
    invalidateDirectory(tenantId)
  }
}
const put = (tenant: Tenant, id: string, patch: object) => as(tenant.admin).put(`/tickets/${id}`, patch)
const inMinutes = (from: Date, count: number) => new Date(from.getTime() + minutes(count))

describe('what is promised', () => {
  test('the most exact promise counts: queue and priority, queue, priority, any', async () => {
    const tenant = await promising({ slaTargets: [{ ...anywhere, firstAnswer: 10, resolution: 100 }] })
    const vendas = tenant.queues.Vendas ?? ''
    await as(tenant.admin).put('/settings', {
      slaTargets: [
        { ...anywhere, firstAnswer: 10, resolution: 100 },
        { queueId: null, priority: 'urgent', firstAnswer: 5, resolution: 50 },
        { queueId: vendas, priority: null, firstAnswer: 20, resolution: null },
        { queueId: vendas, priority: 'urgent', firstAnswer: 1, resolution: 2 },
      ],
    })
    const due = async (id: string) => {
      const { createdAt, slaFirstDueAt, slaResolveDueAt } = await rowOf(tenant, id)
      const after = (at: Date | null) => at && Math.round((at.getTime() - createdAt.getTime()) / minutes(1))
      return [after(slaFirstDueAt), after(slaResolveDueAt)]
    }
    const [sale, help] = [await tenant.begin('Vendas'), await tenant.begin('Suporte')]
    expect(await due(sale)).toEqual([20, null])
    expect(await due(help)).toEqual([10, 100])
    await put(tenant, sale, { priority: 'urgent' })
    await put(tenant, help, { priority: 'urgent' })
    expect(await due(sale)).toEqual([1, 2])
    expect(await due(help)).toEqual([5, 50])
    await put(tenant, sale, { queueId: tenant.queues.Suporte })
    expect(await due(sale)).toEqual([5, 50])
  })

  test('the list can be ordered by it, and the ticket tells it', async () => {
    const tenant = await promising({
      slaTargets: [{ queueId: null, priority: 'urgent', firstAnswer: 5, resolution: null }],
    })
    const [calm, urgent] = [await tenant.begin(), await tenant.begin()]
    const { body } = await put(tenant, urgent, { priority: 'urgent' })
    expect(body.slaDueAt).toBe((await rowOf(tenant, urgent)).slaFirstDueAt?.toISOString())
    const list = await as(tenant.admin).get('/tickets?sort=sla&showAll=true&status=pending')
    expect(list.body.items.map((one: { id: string }) => one.id)).toEqual([urgent, calm])
  })

  test('closed hours do not count: the queue has its own, a person too where the company says so', async () => {
    const never: BusinessDay[] = alwaysOpen.map((day) => ({ ...day, type: 'C' }))
    const tenant = await promising({
      slaTargets: [{ ...anywhere, firstAnswer: 60, resolution: 60 }],
      businessHours: never,
      useUserBusinessHours: true,
    })
    const id = await tenant.begin()
    expect((await rowOf(tenant, id)).slaDueAt).toBeNull()
    await withTenant(tenant.tenantId, (tx) =>
      tx.db.update(schema.users).set({ allowedHours: alwaysOpen }).where(eq(schema.users.id, tenant.agent.id)),
    )
    invalidateDirectory(tenant.tenantId)
    await as(tenant.agent).put(`/tickets/${id}`, { status: 'open' })
    const { createdAt, slaResolveDueAt } = await rowOf(tenant, id)
    expect(slaResolveDueAt).toEqual(inMinutes(createdAt, 60))
    await as(tenant.admin).put(`/queue/${tenant.queues.Suporte}`, { businessHours: alwaysOpen })
    const help = await rowOf(tenant, await tenant.begin('Suporte'))
    expect(help.slaFirstDueAt?.getTime()).toBeGreaterThan(help.createdAt.getTime() + minutes(59))
  })

  test('groups are promised nothing, nor is anything without targets', async () => {
    const tenant = await promising({})
    expect(await rowOf(tenant, await tenant.begin())).toMatchObject({ slaFirstDueAt: null, slaResolveDueAt: null })
  })

  test('new targets and new hours reckon anew what is active, and tell of it', async () => {
    const tenant = await promising({ slaTargets: [{ ...anywhere, firstAnswer: 60, resolution: null }] })
    const [waiting, closed] = [await tenant.begin(), await tenant.begin()]
    await set(tenant, waiting, { slaFirstBreachedAt: new Date() })
    await put(tenant, closed, { status: 'closed' })
    const before = await rowOf(tenant, closed)
    await as(tenant.admin).put('/settings', { slaTargets: [{ ...anywhere, firstAnswer: 30, resolution: 90 }] })
    await recomputeStaleDeadlines()
    const after = await rowOf(tenant, waiting)
    expect(after.slaFirstDueAt).toEqual(inMinutes(after.createdAt, 30))
    expect(after.slaResolveDueAt).toEqual(inMinutes(after.createdAt, 90))
    expect(after.slaFirstBreachedAt).toBeNull() // there is time again
    expect((await rowOf(tenant, closed)).version).toBe(before.version)
    const version = after.version
    await recomputeStaleDeadlines()
    expect((await rowOf(tenant, waiting)).version).toBe(version)
    await as(tenant.admin).put('/settings', { slaTargets: [] })
    await recomputeStaleDeadlines()
    expect((await rowOf(tenant, waiting)).slaDueAt).toBeNull()
  })

  test('a new promise that is over already is late without calling anybody', async () => {
    const tenant = await promising({})
    const id = await tenant.begin()
    await setOnline(tenant.agent, tenant.supervisor)
    await set(tenant, id, { createdAt: new Date(Date.now() - minutes(600)) })
    await as(tenant.admin).put('/settings', { slaTargets: [{ ...anywhere, firstAnswer: 30, resolution: null }] })
    await recomputeStaleDeadlines()
    await markBreaches()
    expect((await rowOf(tenant, id)).slaFirstBreachedAt).not.toBeNull()
    expect(await noticesOf(tenant)).toEqual([])
    await put(tenant, id, { priority: 'high' })
    await markBreaches()
    expect(await noticesOf(tenant)).toEqual([])
  })

  test('a ticket reopened is promised its end anew', async () => {
    const tenant = await promising({ slaTargets: [{ ...anywhere, firstAnswer: 10, resolution: 60 }] })
    const id = await tenant.begin()
    const past = new Date(Date.now() - minutes(600))
    await set(tenant, id, { createdAt: past, slaResolveDueAt: inMinutes(past, 60), slaResolveBreachedAt: new Date() })
    await put(tenant, id, { status: 'closed' })
    await put(tenant, id, { status: 'open' })
    const { slaResolveDueAt, slaResolveBreachedAt } = await rowOf(tenant, id)
    expect(Math.abs((slaResolveDueAt?.getTime() ?? 0) - Date.now() - minutes(60))).toBeLessThan(5_000)
    expect(slaResolveBreachedAt).toBeNull()
    await put(tenant, id, { priority: 'high' }) // still counted from then
    expect(
      Math.abs(((await rowOf(tenant, id)).slaResolveDueAt?.getTime() ?? 0) - Date.now() - minutes(60)),
    ).toBeLessThan(5_000)
  })
})

describe('pauses', () => {
  const paused = async () => {
    const tenant = await promising({ slaTargets: [{ ...anywhere, firstAnswer: 60, resolution: 120 }] })
    const id = await tenant.begin()
    await as(tenant.admin).post(`/ticketsPause/${id}/pause`, {})
    const before = await rowOf(tenant, id)
    // As if it had been begun 50 minutes ago and put away 40 minutes ago.
    const ago = (count: number) => new Date(Date.now() - minutes(count))
    await set(tenant, id, {
      createdAt: ago(50),
      pausedAt: ago(40),
      slaFirstDueAt: inMinutes(ago(50), 60),
      slaResolveDueAt: inMinutes(ago(50), 120),
    })
    expect(before.pausedAt).not.toBeNull()
    return { tenant, id }
  }
  const left = (due: Date | null) => Math.round(((due?.getTime() ?? 0) - Date.now()) / minutes(1))

  test('what is put away is promised later by as long, whoever takes it up', async () => {
    for (const take of [
      (id: string, tenant: Tenant) => as(tenant.admin).post(`/ticketsPause/${id}/pause/end`),
      (id: string, tenant: Tenant) => as(tenant.admin).put(`/tickets/${id}`, { status: 'open' }),
    ]) {
      const { tenant, id } = await paused()
      await take(id, tenant)
      const row = await rowOf(tenant, id)
      expect([left(row.slaFirstDueAt), left(row.slaResolveDueAt)]).toEqual([50, 110])
      await put(tenant, id, { priority: 'high' }) // and it stays so
      const later = await rowOf(tenant, id)
      expect([left(later.slaFirstDueAt), left(later.slaResolveDueAt)]).toEqual([50, 110])
    }
  })

  test('the customer who writes takes it up too, and the event tells the new time', async () => {
    const { tenant, id } = await paused()
    const { contactId } = await rowOf(tenant, id)
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .insert(schema.contactIdentities)
        .values({ tenantId: tenant.tenantId, kind: 'webchat', value: id, contactId }),
    )
    await ingest(tenant.tenantId, tenant.connectionId, [
      {
        kind: 'message',
        providerId: `m-${id}`,
        from: { identities: [{ kind: 'webchat', value: id }] },
        fromMe: false,
        timestamp: new Date(),
        content: { type: 'text', body: 'Voltei' },
      },
    ])
    await settleInbound()
    const row = await rowOf(tenant, id)
    expect(row.pausedAt).toBeNull()
    expect([left(row.slaFirstDueAt), left(row.slaResolveDueAt)]).toEqual([50, 110])
    const told = await withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'message.created')),
    )
    expect(told.at(-1)?.payload).toMatchObject({ ticket: { slaDueAt: row.slaFirstDueAt?.toISOString() } })
  })

  test('what was late before the pause stays late', async () => {
    const { tenant, id } = await paused()
    const past = new Date(Date.now() - minutes(45))
    await set(tenant, id, { slaFirstDueAt: past })
    await as(tenant.admin).post(`/ticketsPause/${id}/pause/end`)
    expect((await rowOf(tenant, id)).slaFirstDueAt).toEqual(past)
  })
})

describe('broken promises', () => {
  const late = async (columns: Columns = {}) => {
    const tenant = await promising({ slaTargets: [{ ...anywhere, firstAnswer: 10, resolution: 60 }] })
    const id = await tenant.begin()
    await set(tenant, id, { slaFirstDueAt: new Date(Date.now() - 1_000), ...columns })
    return { tenant, id }
  }

  test('are marked once, whoever looks and however often, and told to whom they concern', async () => {
    const { tenant, id } = await late()
    const other = await createUser(tenant.tenantId, { queueIds: [tenant.queues.Suporte ?? ''] })
    await setOnline(tenant.agent, tenant.supervisor, { ...other, tenantId: tenant.tenantId })
    await Promise.all([markBreaches(), markBreaches(), markBreaches()])
    await markBreaches()
    expect((await logsOf(tenant, id)).filter((log) => log.type === 'slaBreach')).toMatchObject([
      { note: 'Primeira resposta' },
    ])
    const notices = await noticesOf(tenant)
    expect(notices).toMatchObject([{ payload: { kind: 'slaBreach', ticketId: id } }])
    expect(notices[0]?.audience).toEqual({
      kind: 'users',
      userIds: expect.arrayContaining([tenant.agent.id, tenant.supervisor.id]),
    })
    expect(JSON.stringify(notices[0]?.audience)).not.toContain(other.id)
    expect(JSON.stringify(notices[0]?.audience)).not.toContain(tenant.admin.id) // not online
    const { body } = await as(tenant.admin).get(`/tickets/${id}`)
    expect(body.slaBreachedAt).not.toBeNull()
  })

  test('each of the two is marked in its turn', async () => {
    const { tenant, id } = await late()
    await markBreaches()
    await set(tenant, id, { slaResolveDueAt: new Date(Date.now() - 500) })
    await markBreaches()
    const row = await rowOf(tenant, id)
    expect(row.slaFirstBreachedAt).not.toBeNull()
    expect(row.slaResolveBreachedAt).not.toBeNull()
    expect((await logsOf(tenant, id)).filter((log) => log.type === 'slaBreach').map((log) => log.note)).toEqual([
      'Primeira resposta',
      'Resolução',
    ])
  })

  test('what was answered, put away or closed breaks no promise', async () => {
    const answered = await late({ firstAnsweredAt: new Date() })
    const resting = await late({ pausedAt: new Date() })
    const closed = await late()
    await put(closed.tenant, closed.id, { status: 'closed' })
    await markBreaches()
    for (const { tenant, id } of [answered, resting, closed])
      expect((await rowOf(tenant, id)).slaFirstBreachedAt).toBeNull()
  })

  test('more than one round holds are all marked', async () => {
    const tenant = await promising({ slaTargets: [{ ...anywhere, firstAnswer: 10, resolution: 60 }] })
    const ids = await Promise.all(Array.from({ length: 130 }, () => tenant.begin()))
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ slaFirstDueAt: new Date(Date.now() - 1_000) })
        .where(eq(schema.tickets.tenantId, tenant.tenantId)),
    )
    await Promise.all([markBreaches(), markBreaches()])
    await markBreaches()
    const marks = await Promise.all(ids.map((id) => logsOf(tenant, id)))
    expect(marks.flat().filter(({ type }) => type === 'slaBreach')).toHaveLength(ids.length)
  })
})

test('what distribution hands over counts the hours of whoever gets it', async () => {
  const tenant = await promising({
    slaTargets: [{ ...anywhere, firstAnswer: 60, resolution: null }],
    businessHours: alwaysOpen,
    useUserBusinessHours: true,
  })
  const queueId = tenant.queues.Vendas
  await as(tenant.admin).put(`/queue/${queueId}`, { distribution: 'fewest' })
  const id = await tenant.begin()
  const wall = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' })
  const clockIn = (count: number) => wall.format(Date.now() + minutes(count))
  // Here for half an hour more, and again for the rest of the hour tomorrow.
  const hours = alwaysOpen.map((day) => {
    const [from, to] = [clockIn(-30), clockIn(30)]
    return { ...day, type: 'H' as const, hr1: from, hr2: to, hr3: to, hr4: to }
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ allowedHours: hours, isOnline: true }).where(eq(schema.users.id, tenant.agent.id)),
  )
  invalidateDirectory(tenant.tenantId)
  const before = await rowOf(tenant, id)
  await distributeTickets(tenant.tenantId)
  const after = await rowOf(tenant, id)
  expect(after.userId).toBe(tenant.agent.id)
  expect(after.slaFirstDueAt?.getTime()).toBeGreaterThan((before.slaFirstDueAt?.getTime() ?? 0) + minutes(60 * 20))
})

test('a promise names a queue of the company', async () => {
  const [tenant, other] = [await promising({}), await promising({})]
  const slaTargets = [{ queueId: other.queues.Vendas, priority: null, firstAnswer: 5, resolution: null }]
  expect(await as(tenant.admin).put('/settings', { slaTargets })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'slaTargets.0.queueId' }] },
  })
})

test('two promises for the same queue and priority are refused, and one that promises nothing', async () => {
  const tenant = await promising({})
  const target = { ...anywhere, firstAnswer: 10, resolution: null }
  expect(await as(tenant.admin).put('/settings', { slaTargets: [target, target] })).toMatchObject({ status: 422 })
  const nothing = await as(tenant.admin).put('/settings', {
    slaTargets: [{ ...anywhere, firstAnswer: null, resolution: null }],
  })
  expect(nothing.status).toBe(422)
})
