import { expect, test } from 'vitest'
import { z } from 'zod'
import { configFields, fieldsOf } from './fields.ts'
import { channelKinds, secretFields } from './index.ts'

const byName = (kind: Parameters<typeof configFields>[0]) =>
  Object.fromEntries(configFields(kind).map((field) => [field.name, field]))

test.each(channelKinds)('every field of %s has a label in Portuguese, not its own name', (kind) => {
  for (const field of configFields(kind)) expect(field.label).not.toBe(field.name)
})

test.each(channelKinds)('the form of %s hides what the server encrypts', (kind) => {
  const hidden = configFields(kind).flatMap((field) => (field.secret ? [field.name] : []))
  expect(hidden).toEqual(secretFields(kind))
})

test('the web chat form has one control per kind of value, with its defaults', () => {
  const fields = byName('webchat')
  expect(fields.domains).toMatchObject({ type: 'list', default: [], required: false, multiline: true })
  expect(fields.allowAnyDomain).toMatchObject({ type: 'boolean', default: false })
  expect(fields.color).toMatchObject({ type: 'color', label: 'Cor', default: '#0B7A75' })
  expect(fields.position).toMatchObject({
    type: 'select',
    default: 'right',
    options: [
      { value: 'right', label: 'À direita' },
      { value: 'left', label: 'À esquerda' },
    ],
  })
  expect(fields.welcome).toMatchObject({ type: 'text', multiline: true })
  expect(fields.identitySecret).toMatchObject({ type: 'text', secret: true, required: false, default: undefined })
})

test('what WhatsApp cannot do without is required, what has a default is not', () => {
  const fields = byName('waba')
  expect(fields.accessToken).toMatchObject({ secret: true, required: true })
  expect(fields.baseUrl).toMatchObject({ required: false, default: 'https://graph.facebook.com' })
})

test('hints survive default and optional, on whichever side they were written', () => {
  const key = z.string().meta({ label: 'Chave', secret: true })
  const [inside, outside, both] = fieldsOf(
    z.object({
      inside: key.optional(),
      outside: z.string().nullable().default(null).meta({ label: 'Fora' }),
      both: key.default('x').meta({ label: 'Outra chave' }),
    }),
  )
  expect(inside).toMatchObject({ label: 'Chave', secret: true, required: false })
  expect(outside).toMatchObject({ label: 'Fora', secret: false, type: 'text' })
  expect(both).toMatchObject({ label: 'Outra chave', secret: true, default: 'x' })
})
