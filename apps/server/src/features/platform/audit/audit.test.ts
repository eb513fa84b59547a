import { auditChanges, auditSubject } from '@balcao/contract/platform/audit-words.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, schema, seedTenant, createTicket, createUser, invalidateDirectory, withTenant, withPlatform } =
  await startTestApp()

const textOf = async (token: string, url: string) =>
  (await app.inject({ url: `/api${url}`, headers: { authorization: `Bearer ${token}` } })).body

test('who, what and when: the record is filtered by person, kind and day, and read as a spreadsheet', async () => {
  const tenant = await seedTenant()
  const other = await createUser(tenant.tenantId, { profile: 'admin', name: 'Olga Reis' })
  await as(tenant.admin).post('/tags', { name: 'Antiga', color: '#112233' })
  const { id } = (await as(other).post('/tags', { name: 'Nova', color: '#112233' })).body
  await as(other).put(`/tags/${id}`, { name: 'Novíssima' })
  await as(tenant.admin).put('/settings', { signed: true })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.audit)
      .set({ at: new Date('2026-03-02T02:30:00Z') }) // still the first of March where the company is
      .where(eq(schema.audit.action, 'tag.updated')),
  )
  const list = async (query: string) =>
    (await as(tenant.admin).get(`/audit?${query}`)).body.items.map((row: { action: string }) => row.action)

  expect(await list(`userId=${other.id}`)).toEqual(['tag.created', 'tag.updated'])
  expect(await list('entity=settings')).toEqual(['update'])
  expect(await list('dateFrom=2026-03-01&dateTo=2026-03-01')).toEqual(['tag.updated'])
  expect(await list('isImpersonated=true')).toEqual([])

  const csv = await textOf(tenant.admin.token, '/audit/export.csv?dateTo=2026-03-01')
  expect(csv.split('\r\n')).toEqual([
    '\uFEFFQuando;Quem;Suporte;Ação;O quê;Nome;Mudanças',
    '01/03/2026 23:30:00;Olga Reis;;Alterou;Etiqueta;Novíssima;Nome: Nova → Novíssima',
    '',
  ])
  expect((await list('entity=audit'))[0]).toBe('audit.exported')
  expect((await as(tenant.supervisor).get('/audit/export.csv')).status).toBe(403)
})

test('what an entry is about has a name, and so have the ids in it', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { Vendas } = tenant.queues
  await as(tenant.admin).post('/fastreply', {
    key: 'frete',
    message: 'O frete é grátis.',
    scope: 'queue',
    queueId: Vendas,
  })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', status: 'open', userId: tenant.admin.id })
  await as(tenant.admin).post('/noRedis', { id: v7(), ticketId, body: 'Olá' })
  const { protocol } = (await as(tenant.admin).get(`/tickets/${ticketId}`)).body
  const read = async (entity: string) => (await as(tenant.admin).get(`/audit?entity=${entity}`)).body.items[0]

  const quick = await read('quickMessage')
  expect([auditSubject(quick), auditChanges(quick)]).toEqual([
    'frete',
    expect.arrayContaining([{ label: 'Fila', before: null, after: 'Vendas' }]),
  ])
  expect(auditSubject(await read('ticket'))).toBe(String(protocol))
  expect(await textOf(tenant.admin.token, '/audit/export.csv?entity=ticket')).toContain(`;${protocol};`)
})

await withPlatform('test', ({ db }) => db.insert(schema.tenants).values({ id: 0, name: 'Plataforma' }))

test('the platform reads what its people did, in which company; companies do not', async () => {
  const tenant = await seedTenant()
  const superadmin = await createUser(0, { profile: 'superadmin', name: 'Sofia Reis' })
  invalidateDirectory(0)
  await as(superadmin).put(`/tenants/${tenant.tenantId}`, { maxUsers: 77 })
  const { items } = (await as(superadmin).get(`/tenantsAudit?tenantId=${tenant.tenantId}`)).body
  expect(items).toMatchObject([
    {
      action: 'tenant.updated',
      entity: 'tenant',
      user: { name: 'Sofia Reis' },
      tenant: { id: tenant.tenantId },
      after: { maxUsers: 77 },
    },
  ])
  expect(await textOf(superadmin.token, `/tenantsAudit/export.csv?tenantId=${tenant.tenantId}`)).toContain(
    'Limite de usuários: ',
  )
  const exported = await withPlatform('test', (tx) =>
    tx.db.select().from(schema.platformAudit).where(eq(schema.platformAudit.action, 'audit.exported')),
  )
  expect(exported).toMatchObject([{ userId: superadmin.id, subjectTenantId: tenant.tenantId }])
  expect((await as(tenant.admin).get('/tenantsAudit')).status).toBe(403)
})
