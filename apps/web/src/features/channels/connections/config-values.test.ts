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
  const values = configValues('waba', waba)
  expect(values.accessToken).toBe('')
  expect(configProblems('waba', values, waba)).toEqual([])
  expect(readConfig('waba', values)).not.toHaveProperty('accessToken')
})

test('a new secret travels; a new connection asks for it', () => {
  const token = 'a'.repeat(30)
  expect(readConfig('waba', { ...configValues('waba', waba), accessToken: token }).accessToken).toBe(token)
  expect(configProblems('waba', configValues('waba', null), null).map((one) => one.path)).toContain(
    'config.accessToken',
  )
})

test('a list is written one per line and checked item by item', () => {
  const values = { ...configValues('webchat', null), domains: 'loja.com.br\n\n *.loja.com.br ' }
  expect(readConfig('webchat', values).domains).toEqual(['loja.com.br', '*.loja.com.br'])
  expect(configProblems('webchat', values, null)).toEqual([])
  expect(configProblems('webchat', { ...values, domains: 'https://loja.com.br/contato' }, null)).toEqual([])
  const wrong = configProblems('webchat', { ...values, domains: 'loja.com.br\nminha loja' }, null)
  expect(wrong).toEqual([{ path: 'config.domains', message: expect.stringContaining('domínio') }])
})

test('an optional field left empty does not travel, a default one begins filled', () => {
  const values = configValues('webchat', null)
  expect(values).toMatchObject({ uploads: true, askName: false, position: 'right' })
  expect(readConfig('webchat', values)).not.toHaveProperty('identitySecret')
})
