import { expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

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
