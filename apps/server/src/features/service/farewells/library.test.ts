import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant } = await startTestApp()

test('supervisors keep the reasons, everybody reads them; a name is there once', async () => {
  const { supervisor, agent } = await seedTenant()
  const made = await as(supervisor).post('/reasons', { name: 'Venda concluída', color: '#217d39' })
  expect(made).toMatchObject({ status: 201, body: { isActive: true, color: '#217d39' } })
  expect((await as(supervisor).post('/reasons', { name: 'VENDA concluída' })).body.details).toMatchObject([
    { path: 'name' },
  ])
  expect((await as(supervisor).post('/reasons', { name: 'Sem cor', color: '' })).body.color).toBeNull()
  expect((await as(agent).post('/reasons', { name: 'x' })).status).toBe(403)
  await as(supervisor).put(`/reasons/${made.body.id}`, { isActive: false, version: 1 })
  expect((await as(agent).get('/reasons?isActive=true')).body.items).toMatchObject([{ name: 'Sem cor' }])
})

test('closing messages name only variables that exist', async () => {
  const { supervisor, agent } = await seedTenant()
  const refused = await as(supervisor).post('/farewellPrivateMessage', { name: 'Padrão', message: 'Tchau, {{nome}}!' })
  expect(refused).toMatchObject({ status: 422, body: { details: [{ path: 'message' }] } })
  const message = 'Obrigado, {{firstName}} & cia! Pedido {{extra.pedido}}, protocolo {{protocol}}.'
  await as(supervisor).post('/farewellPrivateMessage', { name: 'Padrão', message })
  expect((await as(agent).get('/farewellPrivateMessage')).body.items).toMatchObject([{ message }])
})
