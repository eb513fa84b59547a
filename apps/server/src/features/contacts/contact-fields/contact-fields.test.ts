import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant } = await startTestApp()

test('a company’s own fields hold values of their type; what was there before may stay', async () => {
  const { admin, agent } = await seedTenant()
  const define = (key: string, type: string, options: string[] = []) =>
    as(admin).post('/contactFields', { name: `Campo ${key}`, key, type, options })
  const contact = (
    await as(agent).post('/contacts', { name: 'Maria', extraInfo: [{ name: 'plano', value: 'Bronze' }] })
  ).body

  expect(await define('plano', 'list')).toMatchObject({ status: 422, body: { details: [{ path: 'options' }] } })
  expect(await define('plano', 'list', ['Ouro', 'Prata'])).toMatchObject({
    status: 201,
    body: { options: ['Ouro', 'Prata'] },
  })
  expect(await define('PLANO', 'text')).toMatchObject({ status: 409 })
  await define('filhos', 'number')
  await define('nascimento', 'date')
  await define('aceita', 'boolean')
  expect(await as(agent).post('/contactFields', { name: 'x', key: 'x' })).toMatchObject({ status: 403 })

  const save = (...extraInfo: { name: string; value: string }[]) =>
    as(agent).put(`/contacts/${contact.id}`, { extraInfo })
  expect(await save({ name: 'plano', value: 'Bronze' }, { name: 'filhos', value: '2' })).toMatchObject({ status: 200 })
  const refused = await save(
    { name: 'plano', value: 'Cobre' },
    { name: 'filhos', value: 'dois' },
    { name: 'nascimento', value: '2026-02-31' },
    { name: 'aceita', value: 'talvez' },
    { name: 'livre', value: 'qualquer' },
  )
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.body.details.map((one: { path: string }) => one.path)).toEqual([
    'extraInfo.0.value',
    'extraInfo.1.value',
    'extraInfo.2.value',
    'extraInfo.3.value',
  ])
  expect(
    await save(
      { name: 'plano', value: 'Ouro' },
      { name: 'filhos', value: '-1234,5' },
      { name: 'nascimento', value: '1990-02-28' },
      { name: 'aceita', value: 'Sim' },
    ),
  ).toMatchObject({ status: 200 })
})
