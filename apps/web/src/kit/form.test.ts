import { expect, test } from 'vitest'
import { z } from 'zod'
import { resolverOf } from './form.ts'

const schema = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(5),
  email: z.email(),
  days: z.array(z.object({ hour: z.int().max(23) })),
  kind: z.enum(['a', 'b']),
})

test('each field shows its first problem, in Portuguese, under its own path', () => {
  expect(resolverOf(schema)({ name: '  ', email: 'x', days: [{ hour: 3 }, { hour: 30 }], kind: 'c' })).toEqual({
    name: 'Informe o nome.',
    email: 'E-mail inválido.',
    'days.1.hour': 'O maior valor é 23.',
    kind: 'Escolha uma das opções.',
  })
  expect(resolverOf(schema)({ name: 'abcdef', days: [], kind: 'a' })).toEqual({
    name: 'Use no máximo 5 caracteres.',
    email: 'Preencha este campo.',
  })
})

test('a valid form has no errors, and rules over two fields are added after the schema', () => {
  const good = { name: 'Ana', email: 'ana@loja.com.br', days: [], kind: 'a' }
  expect(resolverOf(schema)(good)).toEqual({})
  expect(resolverOf(schema, () => [{ path: 'name', message: 'Já existe.' }])(good)).toEqual({ name: 'Já existe.' })
})
