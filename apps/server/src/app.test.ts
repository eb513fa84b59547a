import { expect, test } from 'vitest'
import { startTestApp } from '../test/kit.ts'

const { as, seedTenant } = await startTestApp()

test('a refusal names the field and says why in Portuguese, also where the rule has no words of its own', async () => {
  const { admin } = await seedTenant()
  const reasons = async (path: `/${string}`, body: object) => {
    const { status, body: answer } = await as(admin).put(path, body)
    return [status, answer.details]
  }
  expect(await reasons('/settings', { protocolLinkDays: 400, signed: 'sim', nuvens: true })).toEqual([
    422,
    [
      { path: 'signed', message: 'Valor inválido.' },
      { path: 'protocolLinkDays', message: 'O maior valor é 365.' },
      { path: '', message: 'Campo desconhecido: nuvens.' },
    ],
  ])
  const { body } = await as(admin).post('/tags', { name: 'x'.repeat(61), color: '#0b7a75', isActive: null })
  expect(body.details).toEqual([
    { path: 'name', message: 'Use no máximo 60 caracteres.' },
    { path: 'isActive', message: 'Preencha este campo.' },
  ])
})
