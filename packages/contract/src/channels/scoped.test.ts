import { expect, test } from 'vitest'
import { idWithin, knownAs, scopedId } from './index.ts'

test('whom a page knows is somebody else to another page; a phone is the same everywhere', () => {
  const known = [
    { kind: 'phone' as const, value: '5511987654321' },
    { kind: 'messenger' as const, value: scopedId('page-1', 'psid-7') },
  ]
  expect(known.map(knownAs)).toEqual(['phone', 'messenger@page-1'])
  expect(idWithin(known, 'messenger', 'page-1')).toBe('psid-7')
  expect(idWithin(known, 'messenger', 'page-10')).toBeUndefined()
  expect(idWithin(known, 'instagram', 'page-1')).toBeUndefined()
})
