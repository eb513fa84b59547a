import { expect, test } from 'vitest'
import { email } from './common.ts'

const sentence = (text: string) => email.safeParse(text).error?.issues[0]?.message

test('an e-mail left empty is asked for, a wrong one is called wrong, a right one is written small', () => {
  expect(sentence('  ')).toBe('Informe o e-mail.')
  expect(sentence('ana@')).toBe('E-mail inválido.')
  expect(email.parse(' Ana@Loja.com.br ')).toBe('ana@loja.com.br')
})
