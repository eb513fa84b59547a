import { channels } from '@balcao/contract/channels/index.ts'
import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { expect, test } from 'vitest'
import { configProblems, configValues, readConfig } from './config-values.ts'

const waba = {
  accessToken: true,
  appSecret: true,
  phoneNumberId: '123456789012345',
  wabaId: '987654321012345',
  verifyToken: 'segredo-da-loja',
  apiVersion: 'v25.0',
  baseUrl: 'https://graph.facebook.com',
}

test('a stored secret is an empty field, is not asked for again and does not travel', () => {
  const values = configValues(channels.waba.config, waba)
  expect(values.accessToken).toBe('')
  expect(configProblems(channels.waba.config, values, waba)).toEqual([])
  expect(readConfig(channels.waba.config, values)).not.toHaveProperty('accessToken')
})

test('a new secret travels; a new connection asks for it', () => {
  const token = 'a'.repeat(30)
  expect(
    readConfig(channels.waba.config, { ...configValues(channels.waba.config, waba), accessToken: token }).accessToken,
  ).toBe(token)
  expect(
    configProblems(channels.waba.config, configValues(channels.waba.config, null), null).map((one) => one.path),
  ).toContain('config.accessToken')
})

test('a list is written one per line and checked item by item', () => {
  const values = { ...configValues(channels.webchat.config, null), domains: 'loja.com.br\n\n *.loja.com.br ' }
  expect(readConfig(channels.webchat.config, values).domains).toEqual(['loja.com.br', '*.loja.com.br'])
  expect(configProblems(channels.webchat.config, values, null)).toEqual([])
  expect(configProblems(channels.webchat.config, { ...values, domains: 'https://loja.com.br/contato' }, null)).toEqual(
    [],
  )
  const wrong = configProblems(channels.webchat.config, { ...values, domains: 'loja.com.br\nminha loja' }, null)
  expect(wrong).toEqual([{ path: 'config.domains', message: expect.stringContaining('domínio') }])
})

test('an optional field left empty does not travel, a default one begins filled', () => {
  const values = configValues(channels.webchat.config, null)
  expect(values).toMatchObject({ allowAnyDomain: false, identityAudience: '' })
  expect(readConfig(channels.webchat.config, values)).not.toHaveProperty('identitySecret')
})

test('what is not shown does not travel, and a number stays a number', () => {
  const { config } = integrations.smtp
  const values = { ...configValues(config, null), from: 'a@loja.com.br', host: 'smtp.loja.com.br', port: 465 }
  expect(configProblems(config, values, null).map((one) => one.path)).toEqual(['config.user', 'config.password'])
  const open = { ...values, hasLogin: false, user: 'ana' }
  expect(configProblems(config, open, null)).toEqual([])
  expect(readConfig(config, open)).toMatchObject({ port: 465, hasLogin: false })
  expect(readConfig(config, open)).not.toHaveProperty('user')
})
