import { expect, test } from 'vitest'
import { z } from 'zod'
import { channelKinds, channels, configFields, identityStrength, secretFields } from '../../channels/index.ts'
import { integrations } from '../integrations/index.ts'
import { configProblems, fieldsOf, shownConfig } from './fields.ts'

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
  expect(fields.identityKey).toMatchObject({ type: 'text', multiline: true, secret: false, required: false })
  expect(fields).not.toHaveProperty('color') // what a window looks like is set on a page of its own
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

const providers = [...Object.values(channels), ...Object.values(integrations)]
test.each(providers)(
  'every heading, condition and address of $kind speaks of fields it has',
  ({ config, ...provider }) => {
    const names = fieldsOf(config).map((field) => field.name)
    const known = [...Object.keys(config.shape), 'id', 'webhookUrl', 'appWebhookUrl', 'channelKey', 'origin']
    for (const { shownWhen, neededWhen, required, default: preset } of fieldsOf(config)) {
      for (const { field } of [shownWhen ?? [], neededWhen ?? []].flat()) expect(names).toContain(field)
      if (!shownWhen) continue
      expect(required && preset !== undefined).toBe(false)
    }
    for (const step of [...(provider.steps?.before ?? []), ...(provider.steps?.after ?? [])])
      if (typeof step !== 'string') expect(names).toContain(step.shownWhen.field)
    const templates = [
      ...(provider.addresses ?? []).map((one) => one.value),
      provider.preview?.path ?? '',
      provider.settingsPage?.path ?? '',
    ]
    for (const [, name] of templates.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)])) expect(known).toContain(name)
    if (provider.oauth)
      expect(names).toEqual(expect.arrayContaining(['clientId', 'clientSecret', 'authorizeUrl', 'tokenUrl']))
  },
)

test('a field nobody is shown is neither asked for nor kept', () => {
  const { config } = integrations.smtp
  const filled = { from: 'a@loja.com.br', host: 'smtp.loja.com.br', port: 587, security: 'starttls', hasLogin: true }
  expect(configProblems(config, filled).map((one) => one.path)).toEqual(['config.user', 'config.password'])
  const open = { ...filled, hasLogin: false, user: 'ana', password: 'segredo' }
  expect(configProblems(config, open)).toEqual([])
  expect(shownConfig(config, open)).not.toHaveProperty('password')
})

test('numbers, ports and servers have controls of their own, under their headings', () => {
  const [host, port] = fieldsOf(integrations.smtp.config).filter(({ name }) => name === 'host' || name === 'port')
  expect(host).toMatchObject({ type: 'host', section: 'Servidor de saída' })
  expect(port).toMatchObject({ type: 'number', default: 587 })
})

test('an identity that two channels share has the same strength in both, and each has one', () => {
  const told = Object.values(channels).flatMap(({ identities }) => Object.entries<number>(identities))
  for (const [kind, strength] of told) expect([kind, Reflect.get(identityStrength, kind)]).toEqual([kind, strength])
  for (const strength of Object.values(identityStrength)) expect(strength).toBeGreaterThan(0)
})
