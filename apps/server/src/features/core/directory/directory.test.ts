import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { schema, seedTenant, statementCount, withPlatform, withTenant, createUser } = await startTestApp()
const { findDirectory, getDirectory, invalidateDirectory } = await import('./directory.ts')

afterEach(() => vi.useRealTimers())
const letTimePass = (ms: number) => vi.setSystemTime(Date.now() + ms)
/** A connection that was in a transaction before counts each of its statements twice. */
const atMost = (statements: number) => 2 * statements
const statementsOf = async (work: () => Promise<unknown>) => {
  const before = statementCount()
  await work()
  return statementCount() - before
}

test('companies in which nothing happens cost one statement together', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await seedTenant()).tenantId))
  const readAll = () => Promise.all(ids.map((id) => getDirectory(id)))
  const before = await readAll()
  vi.useFakeTimers({ toFake: ['Date'] })
  for (let round = 0; round < 3; round += 1) {
    letTimePass(2_500)
    expect(await statementsOf(readAll)).toBeLessThanOrEqual(atMost(1))
  }
  expect(await readAll()).toEqual(before)
})

test('only the part that changed is read again, and the others stay the same objects', async () => {
  const { tenantId } = await seedTenant({ queues: ['Vendas'] })
  const before = await getDirectory(tenantId)
  await withTenant(tenantId, (tx) => tx.db.insert(schema.tags).values({ tenantId, name: 'VIP', color: '#000000' }))
  invalidateDirectory(tenantId)
  let after = before
  expect(
    await statementsOf(async () => {
      after = await getDirectory(tenantId)
    }),
  ).toBeLessThanOrEqual(atMost(2))
  expect([...after.tags.values()].map(({ name }) => name)).toEqual(['VIP'])
  expect(after.people).toBe(before.people)
  expect(after.queues).toBe(before.queues)
})

test('every change another process makes is seen within seconds, whatever it is', async () => {
  const { tenantId, agent, queues } = await seedTenant({ queues: ['Vendas', 'Trocas'], agentIn: ['Vendas'] })
  const vendas = queues.Vendas ?? ''
  const changes: [string, string, (now: Awaited<ReturnType<typeof getDirectory>>) => unknown][] = [
    ['a setting', `update tenants set settings = '{"nullticket": true}'`, (now) => now.settings.nullticket],
    ['a suspension', `update tenants set status = 'suspended'`, (now) => now.status],
    ['who is online', `update users set is_online = true`, (now) => now.people.get(agent.id)?.isOnline],
    ['a blocked person', `update users set is_blocked = true`, (now) => now.people.get(agent.id)?.isBlocked],
    ['a queue left', `delete from queue_members`, (now) => now.people.get(agent.id)?.queueIds.length],
    [
      'a queue renamed',
      `update queues set name = 'Loja' where id = '${vendas}'`,
      (now) => now.queues.get(vendas)?.name,
    ],
    [
      'a reason',
      `insert into reasons (tenant_id, id, name) values (${tenantId}, gen_random_uuid(), 'Venda')`,
      (now) => now.reasons.size,
    ],
    [
      'a role',
      `insert into roles (tenant_id, id, name, permissions) values (${tenantId}, gen_random_uuid(), 'X', '[]')`,
      (now) => now.roles.size,
    ],
    ['a session that ended', `update refresh_tokens set revoked_at = now()`, (now) => now.endedSessions.size],
    ['somebody who is gone', `update users set deleted_at = now()`, (now) => now.people.size],
  ]
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.refreshTokens).values({
      tenantId,
      familyId: agent.id,
      userId: agent.id,
      hash: 'h',
      tokenVersion: 1,
      expiresAt: new Date(Date.now() + 60_000),
    }),
  )
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const [what, text, see] of changes) {
    const before = see(await getDirectory(tenantId))
    const [table = '', own = ''] = /^(?:update|delete from|insert into) (\w+)/.exec(text)?.slice(1) ?? []
    const scope = text.startsWith('insert')
      ? ''
      : `${text.includes(' where ') ? ' and' : ' where'} ${table === 'tenants' ? 'id' : 'tenant_id'} = ${tenantId}`
    await withPlatform('test', (tx) => tx.db.execute(sql.raw(text + scope + own)))
    letTimePass(2_500)
    expect([what, see(await getDirectory(tenantId))]).not.toEqual([what, before])
  }
})

test('what keeps changing by itself is not counted', async () => {
  const { tenantId, agent } = await seedTenant({ queues: ['Vendas'] })
  const before = await getDirectory(tenantId)
  await withTenant(tenantId, async (tx) => {
    await tx.db.update(schema.users).set({ lastLoginAt: new Date() }).where(eq(schema.users.id, agent.id))
    await tx.db.update(schema.queueMembers).set({ lastAssignedAt: new Date() })
    await tx.db.update(schema.tenants).set({ slaStaleAt: new Date() }).where(eq(schema.tenants.id, tenantId))
  })
  invalidateDirectory(tenantId)
  expect(await getDirectory(tenantId)).toBe(before) // nothing was read again
})

test('a change that commits while the directory is being read is seen by whoever asks after it', async () => {
  const { tenantId } = await seedTenant()
  for (let n = 0; n < 15; n += 1) {
    invalidateDirectory(tenantId)
    const reading = getDirectory(tenantId)
    const user = await createUser(tenantId) // tells at its end
    await reading
    expect((await getDirectory(tenantId)).people.has(user.id)).toBe(true)
  }
  expect(await findDirectory(999_999)).toBeUndefined()
})
