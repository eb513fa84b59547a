import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createUser } = await startTestApp()

const filter = (more: object = {}) => ({ name: 'Minha fila', query: 'aba=pendentes&fila=1', ...more })

test('one keeps filters of one’s own, and nobody else knows of them', async () => {
  const tenant = await seedTenant()
  const made = await as(tenant.agent).post('/savedFilters', filter())
  expect(made).toMatchObject({ status: 201, body: { ...filter(), isShared: false, userId: tenant.agent.id } })
  const { id } = made.body
  expect((await as(tenant.agent).post('/savedFilters', filter({ name: 'MINHA fila' }))).status).toBe(409)
  expect((await as(tenant.agent).put(`/savedFilters/${id}`, { name: 'Outra' })).body.name).toBe('Outra')
  for (const person of [tenant.admin, (await seedTenant()).admin]) {
    expect((await as(person).get('/savedFilters')).body.items).toEqual([])
    expect((await as(person).put(`/savedFilters/${id}`, { name: 'x' })).status).toBe(404)
    expect((await as(person).delete(`/savedFilters/${id}`)).status).toBe(404)
  }
  expect((await as(tenant.agent).delete(`/savedFilters/${id}`)).status).toBe(204)
})

test('sharing takes the right to see all; others read what is shared, and only its owner changes it', async () => {
  const tenant = await seedTenant()
  const refused = await as(tenant.agent).post('/savedFilters', filter({ isShared: true }))
  expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'isShared' }] } })
  const { body } = await as(tenant.supervisor).post('/savedFilters', filter({ isShared: true }))

  expect((await as(tenant.agent).get('/savedFilters')).body.items).toMatchObject([{ id: body.id, isShared: true }])
  for (const person of [tenant.agent, tenant.admin]) {
    expect((await as(person).put(`/savedFilters/${body.id}`, { name: 'x' })).status).toBe(403)
    expect((await as(person).delete(`/savedFilters/${body.id}`)).status).toBe(403)
  }
  expect((await as(tenant.supervisor).put(`/savedFilters/${body.id}`, { isShared: false })).body.isShared).toBe(false)
  expect((await as(tenant.agent).get(`/savedFilters/${body.id}`)).status).toBe(404)
})

test('the same name may stand for different people’s filters', async () => {
  const tenant = await seedTenant()
  const colleague = await createUser(tenant.tenantId)
  for (const person of [tenant.agent, colleague])
    expect((await as(person).post('/savedFilters', filter())).status).toBe(201)
})
