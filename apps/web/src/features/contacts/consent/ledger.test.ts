import type { ConsentEntry } from '@balcao/contract/contacts/consent.ts'
import { expect, test } from 'vitest'
import { linesOf, standingOf } from './ledger.ts'

const entry = (more: Partial<ConsentEntry>): ConsentEntry => ({
  id: crypto.randomUUID(),
  identity: { kind: 'phone', value: '5511987654321' },
  channel: 'waba',
  purpose: 'marketing',
  isGiven: false,
  source: 'word',
  proof: 'SAIR',
  author: { kind: 'contact', id: null, name: 'Ana' },
  at: '2026-11-22T12:00:00.000Z',
  ...more,
})

test('one word for two purposes and two identities is one line', () => {
  const bsuid = { kind: 'bsuid' as const, value: 'BR.1' }
  const said = [entry({}), entry({ purpose: 'research' }), entry({ identity: bsuid })]
  const before = entry({ isGiven: true, source: 'person', proof: 'No balcão', at: '2026-10-01T12:00:00.000Z' })
  expect(linesOf([...said, before])).toMatchObject([
    { proof: 'SAIR', purposes: ['marketing', 'research'] },
    { proof: 'No balcão', purposes: ['marketing'] },
  ])
})

test('the last word of each identity holds, and a no by any of them is a no', () => {
  const bsuid = { kind: 'bsuid' as const, value: 'BR.1' }
  const again = entry({ isGiven: true, at: '2026-11-23T12:00:00.000Z' })
  expect(standingOf([again, entry({})])).toEqual([{ channel: 'waba', purpose: 'marketing', isGiven: true }])
  expect(standingOf([again, entry({ identity: bsuid })])).toEqual([
    { channel: 'waba', purpose: 'marketing', isGiven: false },
  ])
  expect(standingOf([])).toEqual([])
})
