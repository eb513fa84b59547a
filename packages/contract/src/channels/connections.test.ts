import { expect, test } from 'vitest'
import { connectionsFilter, isSought } from './connections.ts'
import { abilitiesOf, channelKinds, channels } from './index.ts'

const shop = {
  kind: 'zapi',
  status: 'ERROR',
  name: 'Loja São João',
  account: { number: '5511930002000', name: 'Aurora' },
} as const
const isFound = (asked: Record<string, unknown>) => isSought(shop, connectionsFilter.parse(asked))

test('a channel is found by its name, its account, its number or its kind, whatever the accents', () => {
  for (const searchParam of ['', 'sao joao', 'LOJA', '93000', 'aurora', 'z-api'])
    expect(isFound({ searchParam })).toBe(true)
  expect(isFound({ searchParam: 'filial' })).toBe(false)
})

test('kinds and states narrow it down together', () => {
  expect(isFound({ kind: ['zapi', 'waba'], status: ['ERROR'] })).toBe(true)
  expect(isFound({ kind: ['zapi'], status: ['CONNECTED'] })).toBe(false)
  expect(isFound({ kind: ['waba'] })).toBe(false)
})

test('a number that is linked like a phone is against the rules of its network, and warned of as such', () => {
  const linked = channelKinds.filter((kind) => abilitiesOf(kind, {}).supports.includes('link'))
  expect(linked).toContain('baileys')
  for (const kind of linked) expect(channels[kind], kind).toMatchObject({ isUnofficial: true })
})
