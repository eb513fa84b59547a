import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { fittedTo } from './fitted-to.ts'

const image = { type: 'image' as const, image: new Uint8Array([1]), mediaType: 'image/png' }
const pdf = { type: 'file' as const, data: new Uint8Array([2]), mediaType: 'application/pdf', filename: 'nota.pdf' }
const message = { role: 'user', content: [image, { ...pdf, text: 'Total: R$ 10' }] } as ModelMessage

test('a model gets files as it takes them, else their text; where personal data is hidden, always their text', () => {
  const all = { seesImages: true, readsFiles: true }
  expect(fittedTo(all, message, false).content).toEqual([image, pdf])
  const asText = { type: 'text', text: '[documento nota.pdf]\nTotal: R$ 10' }
  expect(fittedTo(all, message, true).content).toEqual([image, asText])
  expect(fittedTo({ seesImages: false, readsFiles: false }, message, false).content).toEqual([
    { type: 'text', text: '[uma imagem, que você não vê]' },
    asText,
  ])
  expect(fittedTo(all, { role: 'user', content: 'oi' }, true).content).toBe('oi')
})
