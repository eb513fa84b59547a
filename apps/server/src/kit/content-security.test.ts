import { expect, test } from 'vitest'
import { appPolicy, framePolicy, policyText } from './content-security.ts'

const publicUrl = 'https://balcao.loja.com.br'

test('without settings a page reaches ourselves alone', () => {
  const policy = appPolicy({ publicUrl })

  expect(policy['connect-src']).toEqual(["'self'", 'wss://balcao.loja.com.br'])
  expect(Object.values(policy).flat().join(' ')).not.toMatch(/\*|(^| )(https?|wss?):( |$)/)
})

test('a server of calls adds its own origin to what one may connect to, and to nothing else', () => {
  const policy = appPolicy({ publicUrl, voice: ['wss://voz.operadora.com.br:7443/ws'] })

  expect(policy['connect-src']).toContain('wss://voz.operadora.com.br:7443')
  expect(policyText(policy).match(/operadora/g)).toHaveLength(1)
})

test.each(['wss://*.operadora.com.br', 'javascript:alert(1)', 'data:text/html,'])('%s is no origin', (address) => {
  expect(() => appPolicy({ publicUrl, voice: [address] })).toThrow()
})

test('the window of the web chat is framed by the sites of its channel alone', () => {
  const text = policyText(framePolicy({ publicUrl: 'http://localhost:3000' }, ["'self'", 'https://loja.com.br']))

  expect(text).toMatch(/; frame-ancestors 'self' https:\/\/loja\.com\.br$/)
  expect(text).toContain("connect-src 'self' ws://localhost:3000;")
})
