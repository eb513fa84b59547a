import { expect, test } from 'vitest'
import { newsOf } from './template-news.ts'

const state = { status: 'APPROVED', category: 'UTILITY', quality: 'GREEN' }
const change = (now: Partial<typeof state>, reason: string | null = null) =>
  newsOf({ name: 'pedido', language: 'pt_BR', ...state, ...now, reason, was: state })

test.each([
  ['a pause', { status: 'PAUSED' }, 'Modelo pedido: pausado', 'pausou'],
  ['another category', { category: 'MARKETING' }, 'Modelo pedido: agora é Marketing', 'de Utilidade para Marketing'],
  ['a worse quality', { quality: 'RED' }, 'Modelo pedido: qualidade baixa', 'bloqueiam'],
])('%s is told with what follows', (_name, now, title, text) => {
  expect(change(now)).toMatchObject({ title, text: expect.stringContaining(text) })
})

test('a refusal says why in words', () => {
  expect(change({ status: 'REJECTED' }, 'INVALID_FORMAT')?.text).toContain('variáveis ou o formato')
  expect(change({ status: 'REJECTED' }, 'SOMETHING_NEW')?.text).toContain('SOMETHING_NEW')
})

test('what was just sent to be judged, or is as it was, is no news', () => {
  expect(change({ status: 'PENDING' })).toBeUndefined()
  expect(change({})).toBeUndefined()
})
