import { expect, test } from 'vitest'
import { isOwnMachine, isPublicAddress } from './public-address.ts'

test('a provider reaches public addresses with HTTPS, and no others', () => {
  for (const address of [
    'https://balcao.loja.com.br/hooks/waba/1',
    'https://203.0.113.7/hooks',
    'https://[2001:db8::1]/',
  ])
    expect(isPublicAddress(address), address).toBe(true)
  for (const address of [
    'http://balcao.loja.com.br/hooks/waba/1',
    'https://localhost:3000/hooks',
    'https://servidor/hooks',
    'https://balcao.local/hooks',
    'https://127.0.0.1/hooks',
    'https://10.0.0.5/hooks',
    'https://172.20.1.1/hooks',
    'https://192.168.0.9/hooks',
    'https://[::1]/hooks',
    'https://[fd00::1]/hooks',
    'nada',
  ])
    expect(isPublicAddress(address), address).toBe(false)
})

test('an address of the own machine is good for nobody else', () => {
  for (const address of ['http://localhost:3000/reset/1', 'http://127.0.0.1:3000', 'http://[::1]/'])
    expect(isOwnMachine(address), address).toBe(true)
  for (const address of ['http://192.168.0.9:3000', 'https://localhost.loja.com.br', 'nada'])
    expect(isOwnMachine(address), address).toBe(false)
})
