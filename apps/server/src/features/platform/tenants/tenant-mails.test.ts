import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, createUser, schema, seedTenant, withPlatform, withTenant } = await startTestApp()
await withPlatform('test', (tx) => tx.db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))
const superadmin = await createUser(0, { profile: 'superadmin', name: 'Plataforma' })

const put = (tenantId: number, to: string, state: 'queued' | 'refused' = 'queued') =>
  withTenant(tenantId, (tx) =>
    tx.db.insert(schema.mails).values({
      tenantId,
      kind: 'invite',
      to,
      content: 'selado',
      messageId: `<${to}>`,
      state,
      error: state === 'refused' ? '550 não existe' : null,
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  )

test('whoever runs the platform sees the mails of every company, page by page, and of one alone', async () => {
  const [one, two] = [await seedTenant(), await seedTenant()]
  await put(one.tenantId, 'a@lista-geral.local')
  await put(two.tenantId, 'b@lista-geral.local', 'refused')
  await put(one.tenantId, 'c@lista-geral.local')
  await put(0, 'eu@lista-geral.local')
  const read = async (query: string) =>
    (await as(superadmin).get(`/tenantMails?searchParam=lista-geral&${query}`)).body as {
      items: { to: string; tenant: { id: number; name: string } }[]
      nextCursor: string
    }

  const first = await read('limit=3')
  const rest = await read(`limit=3&cursor=${first.nextCursor}`)
  expect([...first.items, ...rest.items].map(({ to, tenant }) => [to[0], tenant.id])).toEqual([
    ['e', 0],
    ['c', one.tenantId],
    ['b', two.tenantId],
    ['a', one.tenantId],
  ])
  expect(first.items[0]?.tenant.name).toBe('Plataforma')
  expect(first.items[1]?.tenant.name).not.toBe('Plataforma')
  expect(JSON.stringify(first)).not.toContain('selado')
  expect((await read(`tenantId=${two.tenantId}`)).items).toMatchObject([
    { to: 'b@lista-geral.local', error: '550 não existe' },
  ])
  expect((await read('tenantId=0')).items).toHaveLength(1)
  expect((await read('state=queued')).items).toHaveLength(3)
  for (const stranger of [one.admin, one.agent]) expect((await as(stranger).get('/tenantMails')).status).toBe(403)
})
