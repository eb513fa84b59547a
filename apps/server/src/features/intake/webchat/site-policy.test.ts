import { expect, test } from 'vitest'
import { refusedBy } from './site-policy.ts'

const ours = 'https://app.balcao.com.br'
const refused = (policies: string[], nonce?: string) =>
  refusedBy({ policies, page: 'https://loja.com.br/planos', ours, nonce })

test.each([
  ['no policy', []],
  ['one that says nothing of scripts and frames', ["img-src 'self'"]],
  ['our address', [`script-src 'self' ${ours}; frame-src ${ours}`]],
  ['our address without its scheme', ['default-src app.balcao.com.br']],
  ['all below our domain', ["default-src 'self' *.balcao.com.br"]],
  ['everything of https', ['default-src https:']],
  ['what stands for a directive that is missing', [`script-src ${ours}; child-src ${ours}; default-src 'none'`]],
  ['an address with its path', [`script-src ${ours}/widget.js; frame-src ${ours}/webchat/`]],
])('lets the chat in: %s', (_, policies) => {
  expect(refused(policies)).toEqual([])
})

test.each([
  ['nothing allowed', ["default-src 'none'"], ['script-src', 'frame-src']],
  ['the page’s own alone', ["script-src 'self'"], ['script-src']],
  ['another domain', ['frame-src https://app.balcao.com', `script-src ${ours}`], ['frame-src']],
  ['one of two policies', [`script-src ${ours}`, "script-src 'self'"], ['script-src']],
  ['trust handed on without a nonce', [`script-src 'strict-dynamic' ${ours}`], ['script-src']],
  ['the first of two directives of a name', [`script-src 'self'; script-src ${ours}`], ['script-src']],
  ['a domain above ours', ['script-src https://*.app.balcao.com.br'], ['script-src']],
])('refuses: %s', (_, policies, missing) => {
  expect(refused(policies)).toEqual(missing)
})

test('the nonce of the tag is as good as the address, for scripts alone', () => {
  expect(refused(["script-src 'nonce-abc' 'strict-dynamic'"], 'abc')).toEqual([])
  expect(refused(["default-src 'nonce-abc'"], 'abc')).toEqual(['frame-src'])
  expect(refused(["script-src 'nonce-abc'"], 'xyz')).toEqual(['script-src'])
})
