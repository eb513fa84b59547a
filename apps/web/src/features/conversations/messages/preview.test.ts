import { expect, test } from 'vitest'
import { isForwardable, previewText } from './preview.ts'
import { sampleMessage } from './test-message.ts'

test('one line has no marks of writing and no signature', () => {
  expect(previewText({ type: 'text', body: '*Ana Souza*:\n*Bom* dia,\n_tudo_ bem?' })).toBe('Bom dia, tudo bem?')
  expect(previewText({ type: 'image', body: '' })).toBe('Imagem')
})

test('what stays in the house, or is not there, is not sent on', () => {
  expect(isForwardable(sampleMessage({}))).toBe(true)
  expect(isForwardable(sampleMessage({ type: 'note' }))).toBe(false)
  expect(isForwardable(sampleMessage({ isDeleted: true }))).toBe(false)
  expect(isForwardable(sampleMessage({ type: 'image', mediaState: 'fetching' }))).toBe(false)
})
