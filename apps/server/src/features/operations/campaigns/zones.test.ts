import { campaignWindow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { expect, test } from 'vitest'
import { opensAt, opensForAny, zoneFor } from './zones.ts'

const here = {
  timezone: 'America/Sao_Paulo',
  settings: { holidays: [{ date: '2026-12-25', description: 'Natal', active: true }] },
} as Parameters<typeof zoneFor>[2]
const window = campaignWindow.parse({ days: [0, 1, 2, 3, 4, 5, 6], byRecipientState: true })
const iso = (at: Date | null) => at?.toISOString().slice(0, 16)

test('whose clock counts: that of the state of a Brazilian number, where that is asked for', () => {
  expect(zoneFor('5568999990000', window, here)).toBe('America/Rio_Branco')
  expect(zoneFor('5592999990000', window, here)).toBe('America/Manaus')
  expect(zoneFor('5511999990000', window, here)).toBe('America/Sao_Paulo')
  expect(zoneFor('351912345678', window, here)).toBe('America/Sao_Paulo')
  expect(zoneFor('5568999990000', { ...window, byRecipientState: false }, here)).toBe('America/Sao_Paulo')
})

test('a holiday begins and ends by the clock of the recipient’s state, as the hours do', () => {
  const always = { ...window, from: '00:00', until: '00:00' }
  // Half past midnight of Christmas in São Paulo, half past ten of the eve in Acre.
  const night = new Date('2026-12-25T03:30:00Z')
  expect(iso(opensAt(always, 'America/Sao_Paulo', here, night))).toBe('2026-12-26T03:00')
  expect(iso(opensAt(always, 'America/Rio_Branco', here, night))).toBe('2026-12-25T03:30')
  expect(iso(opensForAny(always, here, night))).toBe('2026-12-25T03:30')
  // And an hour and a half after Christmas in São Paulo it still is Christmas in Acre.
  const after = new Date('2026-12-26T04:30:00Z')
  expect(iso(opensAt(always, 'America/Sao_Paulo', here, after))).toBe('2026-12-26T04:30')
  expect(iso(opensAt(always, 'America/Rio_Branco', here, after))).toBe('2026-12-26T05:00')
  // Eight in the morning comes two hours later there.
  const early = new Date('2026-12-28T11:00:00Z')
  expect(iso(opensAt(window, 'America/Sao_Paulo', here, early))).toBe('2026-12-28T11:00')
  expect(iso(opensAt(window, 'America/Rio_Branco', here, early))).toBe('2026-12-28T13:00')
})
