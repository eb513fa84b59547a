import { ne, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createConnection, createContact, withTenant, schema } = kit
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')
const { keepMarked, rebuildEpisodes } = await import('./episodes.loop.ts')

type Tenant = Awaited<ReturnType<typeof open>>
const open = async () => {
  const tenant = await seedTenant({
    queues: ['Vendas', 'Suporte'],
    settings: {
      slaTargets: [{ queueId: null, priority: null, firstAnswer: 10, resolution: 60 }],
    },
  })
  const other = await createUser(tenant.tenantId, {
    name: 'Davi Reis',
    queueIds: Object.values(tenant.queues),
  })
  const connectionId = await createConnection(tenant)
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.connections).set({ queueId: tenant.queues.Vendas }))
  return { ...tenant, other, connectionId }
}
const keepAll = async (tenantId: number) => {
  while (await keepMarked(tenantId));
}
const kept = async ({ tenantId }: Pick<Tenant, 'tenantId'>) => {
  await keepAll(tenantId)
  return read(tenantId)
}
const read = (tenantId: number) =>
  withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.ticketEpisodes).orderBy(schema.ticketEpisodes.ticketId, schema.ticketEpisodes.ordinal),
  )
type Facts = Awaited<ReturnType<typeof read>>[number]
/** What they add up to by the hour, as the database keeps it. */
const sumsOf = (tenantId: number) =>
  withTenant(tenantId, async (tx) => {
    const rows = await tx.db.select().from(schema.episodeSums).where(ne(schema.episodeSums.tickets, 0))
    return new Map(rows.map((row) => [[row.moment, row.dimension, row.hour.toISOString(), row.key].join(' '), row]))
  })
/** The same, added up here. */
const addedUp = (facts: Facts[]) => {
  const sums = new Map<string, { tickets: number; resolutionS: number; transfers: number; unanswered: number }>()
  const counted = facts.filter(({ isMerged }) => !isMerged)
  for (const one of counted)
    for (const [moment, at] of [
      ['opened', one.openedAt],
      ['closed', one.closedAt],
    ] as const) {
      if (!at) continue
      const hour = `${at.toISOString().slice(0, 13)}:00:00.000Z`
      const status = one.closedAt ? 'closed' : one.acceptedAt ? 'open' : 'pending'
      const keys = [
        ['all', ''],
        ['queue', one.queueId ?? ''],
        ['agent', one.userId ?? ''],
        ['reason', one.reasonId ?? ''],
        ['channel', one.channel],
        ['connection', one.connectionId],
        ['grade', String(one.grade ?? '')],
        ['status', status],
        ...(one.tagIds.length ? one.tagIds : ['']).map((tag) => ['tag', tag]),
      ]
      for (const [dimension, key] of keys) {
        const name = [moment, dimension, hour, key].join(' ')
        const sum = sums.get(name) ?? { tickets: 0, resolutionS: 0, transfers: 0, unanswered: 0 }
        sums.set(name, {
          tickets: sum.tickets + 1,
          resolutionS: sum.resolutionS + (one.resolutionS ?? 0),
          transfers: sum.transfers + one.transfers,
          unanswered:
            sum.unanswered + Number(one.closedAt !== null && one.openedByKind === 'contact' && !one.firstAnsweredAt),
        })
      }
    }
  return sums
}
let said = 0
const hear = async (tenant: Tenant, person: string, body = 'Oi') => {
  said += 1
  await ingest(tenant.tenantId, tenant.connectionId, [
    {
      kind: 'message',
      providerId: `m-${said}`,
      from: { identities: [{ kind: 'webchat', value: person }], name: `Cliente ${person}` },
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text', body },
    },
  ])
  await settleInbound()
}
const ticketsOf = ({ tenantId }: Pick<Tenant, 'tenantId'>) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.tickets).orderBy(schema.tickets.createdAt, schema.tickets.id))

test('a conversation is one episode, and another one when it is opened again', async () => {
  const tenant = await open()
  const { agent, other, queues } = tenant
  await hear(tenant, '100')
  const [ticket] = await ticketsOf(tenant)
  const id = ticket?.id ?? ''
  expect(await kept(tenant)).toMatchObject([
    { ticketId: id, ordinal: 1, openedByKind: 'contact', closedAt: null, acceptedAt: null, channel: 'webchat' },
  ])

  await as(agent).put(`/tickets/${id}`, { status: 'open' })
  await as(agent).post(`/messages/${id}`, { id: v7(), body: 'Bom dia!' })
  await as(agent).put(`/tickets/${id}`, { isTransference: true, userId: other.id, queueId: queues.Suporte })
  await hear(tenant, '100', 'Obrigado')
  await as(other).put(`/tickets/${id}`, { status: 'closed' })
  const [first, ...none] = await kept(tenant)
  expect(none).toEqual([])
  expect(first).toMatchObject({
    userId: other.id,
    queueId: queues.Suporte,
    firstAnsweredBy: agent.id,
    closedBy: other.id,
    closedByKind: 'user',
    transfers: 1,
    messagesIn: 2,
    messagesOut: 1,
    isFirstAnswerMet: true,
    isResolutionMet: true,
  })
  expect(first?.owners.map(({ userId, queueId }) => [userId, queueId])).toEqual([
    [null, queues.Vendas],
    [agent.id, queues.Vendas],
    [other.id, queues.Suporte],
  ])

  await as(agent).put(`/tickets/${id}`, { status: 'open' })
  await as(agent).post(`/messages/${id}`, { id: v7(), body: 'Mais uma coisa' })
  await as(agent).put(`/tickets/${id}`, { status: 'closed' })
  const [again, second] = await kept(tenant)
  expect(again).toEqual(first)
  expect(second).toMatchObject({
    ordinal: 2,
    reopenedFrom: id,
    userId: agent.id,
    openedByKind: 'user',
    firstAnsweredBy: agent.id,
    waitS: null,
    firstAnswerS: null,
    messagesIn: 0,
    messagesOut: 1,
    transfers: 0,
  })
  await as(tenant.admin).delete(`/contactsforce/${ticket?.contactId}`)
  expect(await kept(tenant)).toEqual([])
})

test('a closing that is taken back was none, and a transfer neither', async () => {
  const tenant = await open()
  const { agent, other } = tenant
  await hear(tenant, '200')
  const id = (await ticketsOf(tenant))[0]?.id ?? ''
  await as(agent).put(`/tickets/${id}`, { status: 'open' })
  await as(agent).put(`/tickets/${id}`, { status: 'closed', isUndoable: true })
  expect(await kept(tenant)).toMatchObject([{ closedBy: agent.id }])
  expect((await as(agent).post(`/tickets/${id}/undo`)).status).toBe(200)
  expect(await kept(tenant)).toMatchObject([{ ordinal: 1, closedAt: null, closedBy: null, userId: agent.id }])
  await as(agent).put(`/tickets/${id}`, { isTransference: true, userId: other.id, isUndoable: true })
  expect(await kept(tenant)).toMatchObject([{ transfers: 1, userId: other.id }])
  expect((await as(agent).post(`/tickets/${id}/undo`)).status).toBe(200)
  expect(await kept(tenant)).toMatchObject([{ transfers: 0, userId: agent.id }])
})

test('a pause that a message ends is time at rest', async () => {
  const tenant = await open()
  const { tenantId, agent } = tenant
  await hear(tenant, '300')
  const id = (await ticketsOf(tenant))[0]?.id ?? ''
  await as(agent).put(`/tickets/${id}`, { status: 'open' })
  await as(agent).post(`/ticketsPause/${id}/pause`, { wakesOnReply: true })
  await withTenant(tenantId, async (tx) => {
    const text = `update tickets set created_at = created_at - interval '2 hours', paused_at = paused_at - interval '1 hour' where tenant_id = $1 and id = $2`
    await tx.rows({ name: '', text }, [tenantId, id])
    const logs = `update ticket_logs set created_at = created_at - interval '2 hours' where tenant_id = $1 and ticket_id = $2`
    await tx.rows({ name: '', text: logs }, [tenantId, id])
  })
  await hear(tenant, '300', 'Voltei')
  await as(agent).put(`/tickets/${id}`, { status: 'closed' })
  const [episode] = await kept(tenant)
  expect(Math.round((episode?.pausedS ?? 0) / 60)).toBe(60)
  expect(Math.round((episode?.handlingS ?? 0) / 60)).toBe(60)
  expect(Math.round((episode?.resolutionS ?? 0) / 60)).toBe(120)
})

test('closed before it became part of another, it is still counted today', async () => {
  const tenant = await open()
  const { agent, admin } = tenant
  await hear(tenant, '400')
  const id = (await ticketsOf(tenant))[0]?.id ?? ''
  await as(agent).put(`/tickets/${id}`, { status: 'open' })
  await as(agent).put(`/tickets/${id}`, { status: 'closed' })
  await hear(tenant, '400', 'Mais uma coisa')
  const later = (await ticketsOf(tenant)).at(-1)?.id ?? ''
  expect(later).not.toBe(id)
  expect((await as(admin).post(`/tickets/${id}/merge`, { intoId: later })).status).toBe(200)
  await keepAll(tenant.tenantId)
  expect((await as(admin).get('/monitor')).body.today).toMatchObject({ created: 2, closed: 1 })
  await expectSameToday(admin)
})

/** What people and customers do, in any order. What a conversation refuses is refused, and changes nothing. */
type Act = { who: number; which: number; kind: string; more: number }
/** The first page and the monitor say of today what reports do. */
const expectSameToday = async (admin: Tenant['admin']) => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date())
  const countOf = async (moment: string) => {
    const { body } = await as(admin).get(`/reports/volume?dateFrom=${day}&dateTo=${day}&moment=${moment}`)
    return body.total[0]
  }
  const today = { created: await countOf('opened'), closed: await countOf('closed') }
  const page = (await as(admin).get('/dashboard')).body
  expect({ created: page.createdToday, closed: page.closedToday }).toEqual(today)
  expect((await as(admin).get('/monitor')).body.today).toMatchObject(today)
}

const kinds = [
  ...['hear', 'hear', 'accept', 'say', 'transfer', 'toQueue', 'return', 'close', 'close', 'reopen', 'pause', 'resume'],
  ...['undo', 'tag', 'grade', 'merge', 'channel', 'mergeContacts', 'delete', 'dismiss'],
]
const acts = fc.array(
  fc.record({ who: fc.nat(2), which: fc.nat(5), kind: fc.constantFrom(...kinds), more: fc.nat(5) }),
  { minLength: 25, maxLength: 40 },
)

test('what is kept is what is read again, whatever happened', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (some) => {
      const tenant = await open()
      const { tenantId, agent, other, admin, queues } = tenant
      const people = [agent, other, admin]
      const elsewhere = await createConnection(tenant)
      const { body: tag } = await as(admin).post('/tags', { name: 'Urgente', color: '#0b7a75' })
      const second = await createContact(tenant, { name: 'Outra pessoa' })
      const act = async ({ who, which, kind, more }: Act, at: number) => {
        const me = as(people[who])
        const all = await ticketsOf(tenant)
        const ticket = all[which % Math.max(1, all.length)]
        if (kind === 'hear' || !ticket) return hear(tenant, `${tenantId}-${which % 4}`)
        const change = (patch: object) => me.put(`/tickets/${ticket.id}`, patch)
        const aQueue = Object.values(queues)[more % 2]
        const done: Record<string, () => Promise<unknown>> = {
          accept: () => change({ status: 'open', takeOver: true }),
          say: () => me.post(`/messages/${ticket.id}`, { id: v7(), body: 'Certo' }),
          transfer: () =>
            change({ isTransference: true, userId: people[more % 3]?.id, queueId: aQueue, isUndoable: more > 2 }),
          toQueue: () => change({ queueId: aQueue }),
          return: () => change({ status: 'pending' }),
          close: () => change({ status: 'closed', isUndoable: more > 2 }),
          reopen: () => change({ status: more > 2 ? 'open' : 'pending' }),
          pause: () => me.post(`/ticketsPause/${ticket.id}/pause`, { wakesOnReply: more > 2 }),
          resume: () => me.post(`/ticketsPause/${ticket.id}/pause/end`),
          undo: () => me.post(`/tickets/${ticket.id}/undo`),
          tag: () => change({ tagIds: more > 2 ? [tag.id] : [] }),
          grade: () => as(admin).post('/ratings', { ticketId: ticket.id, grade: more % 3 }),
          merge: () => me.post(`/tickets/${ticket.id}/merge`, { intoId: all[more % all.length]?.id }),
          channel: () => as(admin).put(`/ticketsChannelId/${ticket.id}`, { whatsappId: elsewhere }),
          mergeContacts: () =>
            at > 15 ? as(admin).post(`/contacts/${second}/merge`, { otherId: ticket.contactId }) : Promise.resolve(),
          delete: () =>
            at > 20 ? as(admin).delete(`/contactsforce/${ticket.contactId}`) : change({ priority: 'high' }),
          dismiss: () => (at > 30 ? as(admin).delete(`/users/${other.id}`) : Promise.resolve()),
        }
        await done[kind]?.()
        if (at % 7 === 0) await keepAll(tenantId)
      }
      for (const [at, one] of some.entries()) await act(one, at)

      const before = await kept(tenant)
      const marks = await withTenant(tenantId, (tx) => tx.db.select().from(schema.episodeMarks))
      expect(marks).toEqual([])
      // Each ticket with a history has its episodes, and the last one stands as the ticket does.
      for (const ticket of await ticketsOf(tenant)) {
        const mine = before.filter(({ ticketId }) => ticketId === ticket.id)
        expect(mine.map(({ ordinal }) => ordinal)).toEqual(mine.map((_, at) => at + 1))
        const last = mine.at(-1)
        expect(last).toMatchObject({ userId: ticket.userId, queueId: ticket.queueId, contactId: ticket.contactId })
        expect(last?.closedAt === null).toBe(ticket.status !== 'closed')
        expect(mine.slice(0, -1).every(({ closedAt }) => closedAt !== null)).toBe(true)
      }
      const sums = await sumsOf(tenantId)
      const expected = addedUp(before)
      expect([...sums.keys()].toSorted()).toEqual([...expected.keys()].toSorted())
      for (const [name, sum] of expected) expect(sums.get(name), name).toMatchObject(sum)

      await expectSameToday(admin)

      await withTenant(tenantId, (tx) => tx.db.delete(schema.ticketEpisodes).where(sql`true`))
      expect(await sumsOf(tenantId)).toEqual(new Map())
      await rebuildEpisodes(tenantId)
      expect(await read(tenantId)).toEqual(before)
      expect(await sumsOf(tenantId)).toEqual(sums)
    }),
    { numRuns: 6, endOnFailure: true },
  )
})
