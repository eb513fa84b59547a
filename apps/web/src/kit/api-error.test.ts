import { expect, test } from 'vitest'
import { ApiError, reasonOf, unknownText } from './api-error.ts'

test('the reason of a refusal is what is wrong with its field, where one is named', () => {
  const refused = (details?: unknown) =>
    new ApiError({ status: 422, code: 'ERR_VALIDATION', message: 'Alguns campos precisam de correção.', details })
  const file = { path: 'file', message: 'O arquivo tem 16.000 colunas.' }
  expect(reasonOf(refused([file, { path: 'x', message: 'y' }]))).toBe('O arquivo tem 16.000 colunas.')
  expect(reasonOf(refused())).toBe('Alguns campos precisam de correção.')
  expect(reasonOf(new Error('boom'))).toBe(unknownText)
})
