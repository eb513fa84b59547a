import { expect, test } from 'vitest'
import { startTestApp } from '../test/kit.ts'

const { app, as, seedTenant } = await startTestApp()

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

test('a refusal wears the same headers as an answer', async () => {
  const refused = await app.inject({ url: '/api/tickets', headers: { authorization: 'Bearer x' } })
  expect(refused.statusCode).toBe(401)
  expect(refused.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'self'"),
  })
})

test('boxes within boxes are refused before anything walks through them', async () => {
  const { admin } = await seedTenant()
  const { statusCode, json } = await app.inject({
    method: 'POST',
    url: '/api/tags',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    payload: `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  })
  expect([statusCode, json().error]).toEqual([422, 'ERR_VALIDATION'])
})

test('the reference of the API loads nothing from elsewhere and offers nothing of its maker', async () => {
  const page = (await app.inject({ url: '/api/docs' })).body
  const [, settings = ''] = /data-configuration='([^']+)'/.exec(page) ?? []
  expect(JSON.parse(settings)).toMatchObject({
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    mcp: { disabled: true },
    agent: { disabled: true },
  })
  expect(page).not.toMatch(/(src|href)="https?:/)
})
