import fs from 'node:fs'
import path from 'node:path'
import { desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { statementCount } from '../../../db/database.ts'
import { byRule, byUser } from '../../../kit/actor.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { commitTicketChanges } from './commit-ticket-changes.ts'
import { findTickets } from './ticket-rows.ts'

const { as, seedTenant, createUser, createTicket, createConnection, schema, withTenant } = await startTestApp()
const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const logsOf = (tenant: Tenant, ticketId: string) =>
  withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.ticketLogs)
      .where(eq(schema.ticketLogs.ticketId, ticketId))
      .orderBy(desc(schema.ticketLogs.id)),
  )

test('nobody else tells that a ticket changed, nor writes its history past the author', () => {
  const source = path.resolve(import.meta.dirname, '../../..')
  const files = fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('demo'))
  const saying = (pattern: RegExp) =>
    files
      .filter((file) => pattern.test(fs.readFileSync(path.join(source, file), 'utf8')))
      .map((file) => path.basename(file))
  expect(saying(/(emit\(tx, |name: )'ticket\.updated'/)).toEqual(['commit-ticket-changes.ts'])
  expect(saying(/insert\(ticketLogs\)|insert into ticket_logs/)).toEqual(['ticket-history.ts'])
})

test('many tickets cost the statements of one', async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const connectionId = await createConnection(tenant)
  const tag = await as(tenant.admin).post('/tags', { name: 'VIP', color: '#112233' })
  const cost = async (count: number) => {
    const ids = await Promise.all(
      Array.from({ length: count }, () => createTicket(tenant, { queue: 'Vendas', connectionId })),
    )
    return withTenant(tenant.tenantId, async (tx) => {
      const before = await findTickets(tx, ids)
      const from = statementCount()
      const after = await commitTicketChanges(
        tx,
        before.map((ticket, at) => ({
          before: ticket,
          set: at % 2 ? { queueId: tenant.queues.Suporte } : { priority: 'high', value: 100 + at },
          tagIds: [tag.body.id],
          logs: [{ type: 'queue', queueId: tenant.queues.Suporte }, { type: 'tags' }],
          lines: [{ type: 'system', body: 'Mudou.' }],
          notices: [{ kind: 'call', text: 'Olhe.', userIds: [tenant.agent.id] }],
        })),
        byRule('Teste'),
      )
      expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
      expect(after.every(({ tags, version }) => tags.length === 1 && version === 2)).toBe(true)
      return statementCount() - from
    })
  }
  await cost(1) // what is kept from then on
  // What other work of this process asks meanwhile is counted too.
  expect(await cost(30)).toBeLessThan((await cost(2)) + 10)
})

test('whoever leaves: pauses end, followers hear of it, and the history says what changed, from whom and why', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const heir = await createUser(tenant.tenantId, { name: 'Davi Reis', queueIds: [tenant.queues.Vendas ?? ''] })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id })
  await as(tenant.agent).post(`/ticketsPause/${id}/pause`, {})
  await as(tenant.supervisor).put(`/tickets/${id}/marks`, { isFollowed: true })
  expect((await as(tenant.admin).delete(`/users/${tenant.agent.id}`, { handOverTo: heir.id })).status).toBe(204)

  expect((await as(heir).get(`/tickets/${id}`)).body).toMatchObject({ userId: heir.id, pausedAt: null })
  expect(events).toContainEqual(
    expect.objectContaining({
      name: 'ticket.notice',
      payload: expect.objectContaining({ ticketId: id, kind: 'followed' }),
      audience: { kind: 'users', userIds: [tenant.supervisor.id] },
    }),
  )
  const [received, given] = await logsOf(tenant, id)
  for (const entry of [received, given])
    expect(entry).toMatchObject({
      author: { kind: 'user', id: tenant.admin.id, name: 'Carla Dias' },
      from: { userId: tenant.agent.id },
      to: { userId: heir.id },
      cause: { kind: 'leaving', id: tenant.agent.id },
    })
  expect((await as(tenant.admin).get(`/tickets/${id}/logs`)).body.items[0]).toMatchObject({
    author: { kind: 'user' },
    to: { userId: heir.id },
  })
})

test('each entry tells of its own fields alone', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const id = await createTicket(tenant, { queue: 'Vendas' })
  await as(tenant.agent).put(`/tickets/${id}`, { status: 'open', priority: 'urgent' })
  const logs = new Map((await logsOf(tenant, id)).map((entry) => [entry.type, entry]))
  expect(logs.get('open')).toMatchObject({
    from: { status: 'pending', userId: null },
    to: { status: 'open', userId: tenant.agent.id },
    author: { kind: 'user', id: tenant.agent.id, name: 'Ana Souza' },
  })
  expect(logs.get('priority')).toMatchObject({ from: { priority: 'normal' }, to: { priority: 'urgent' } })
  expect(logs.get('priority')?.to).not.toHaveProperty('status')
})

test('told without a change, it keeps its version', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const id = await createTicket(tenant, { queue: 'Vendas' })
  const [after] = await withTenant(tenant.tenantId, async (tx) => {
    const [before] = await findTickets(tx, [id])
    return before ? commitTicketChanges(tx, [{ before }], byUser({ userId: tenant.agent.id, name: 'Ana' })) : []
  })
  expect(after?.version).toBe(1)
  expect(
    events.filter(({ name, payload }) => name === 'ticket.updated' && (payload as { id: string }).id === id),
  ).toHaveLength(1)
})
