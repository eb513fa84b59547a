import { startCepSimulator } from '@balcao/simulators/cep.ts'
import { afterAll, expect, test } from 'vitest'

const service = await startCepSimulator()
afterAll(() => service.close())
process.env.CEP_URL = `${service.url}/api/cep/v2`
const { startTestApp } = await import('../../../../test/kit.ts')
const { as, seedTenant } = await startTestApp()

const store = { name: 'Loja do Centro', address: 'Praça da Sé, 1 – Sé, São Paulo – SP' }

test('supervisors keep the places, everybody of the company reads them, nobody else does; it is in the record', async () => {
  const [{ admin, supervisor, agent }, other] = [await seedTenant(), await seedTenant()]
  const made = await as(supervisor).post('/places', { ...store, latitude: -23.55052, longitude: -46.63331 })
  expect(made).toMatchObject({ status: 201, body: { ...store, latitude: -23.55052, longitude: -46.63331 } })
  expect((await as(agent).get('/places?searchParam=praca')).body.items).toMatchObject([store])
  expect((await as(agent).post('/places', store)).status).toBe(403)
  expect((await as(supervisor).post('/places', { ...store, name: 'LOJA do centro' })).body.details).toMatchObject([
    { path: 'name' },
  ])
  expect((await as(supervisor).post('/places', { ...store, name: 'Longe', latitude: 91 })).status).toBe(422)
  expect((await as(other.admin).get('/places')).body.items).toEqual([])
  expect((await as(other.admin).put(`/places/${made.body.id}`, { name: 'Minha', version: 1 })).status).toBe(404)
  expect((await as(supervisor).delete(`/places/${made.body.id}`)).status).toBe(204)
  expect(
    (await as(admin).get('/audit?entity=place')).body.items.map((entry: { action: string }) => entry.action),
  ).toEqual(['place.deleted', 'place.created'])
})

test('a CEP becomes an address, with its point where it is known, and is asked for once', async () => {
  const { agent } = await seedTenant()
  const expected = { cep: '01001-000', street: 'Praça da Sé', city: 'São Paulo', state: 'SP', latitude: -23.5502784 }
  for (const text of ['01001-000', '01001000'])
    expect(await as(agent).get(`/cep/${text}`)).toMatchObject({ status: 200, body: expected })
  expect(service.requests).toHaveLength(1)
  expect((await as(agent).get('/cep/69900-970')).body).toMatchObject({ street: '', latitude: null, longitude: null })
  expect((await as(undefined).get('/cep/01001-000')).status).toBe(401)
})

test('what is no CEP, one nobody has, and a service that is away are told apart', async () => {
  const { agent } = await seedTenant()
  expect((await as(agent).get('/cep/0100')).body.details).toMatchObject([{ message: 'Um CEP tem 8 números.' }])
  for (let time = 0; time < 2; time++)
    expect(await as(agent).get('/cep/99999-999')).toMatchObject({ status: 404, body: { error: 'ERR_CEP_NOT_FOUND' } })
  expect(service.requests.filter(({ path }) => path.endsWith('99999999'))).toHaveLength(1)
  for (const fault of [{ status: 500 }, { drop: true }, { status: 200, body: { oi: 1 } }]) {
    service.faults.next(fault)
    expect(await as(agent).get('/cep/88010-400')).toMatchObject({ status: 503, body: { error: 'ERR_CEP_AWAY' } })
  }
  expect((await as(agent).get('/cep/88010-400')).body.city).toBe('Florianópolis')
})
