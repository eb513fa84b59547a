import { expect, test } from 'vitest'
import { isToldBy } from './notices.ts'
import type { NoticePreferences } from './notifications.ts'

const prefer = (more: Partial<NoticePreferences>): NoticePreferences => ({ off: {}, quiet: null, ...more })

test('everything is told until somebody turns it off, this way and of this kind', () => {
  expect(isToldBy('push', 'message', prefer({}), '03:00')).toBe(true)
  const off = prefer({ off: { message: ['push', 'sound'] } })
  expect(isToldBy('push', 'message', off, '12:00')).toBe(false)
  expect(isToldBy('desktop', 'message', off, '12:00')).toBe(true)
  expect(isToldBy('push', 'call', off, '12:00')).toBe(true)
})

test.each([
  ['22:00', '07:00', '23:30', false],
  ['22:00', '07:00', '06:59', false],
  ['22:00', '07:00', '07:00', true],
  ['12:00', '13:00', '12:30', false],
  ['12:00', '13:00', '13:30', true],
])('from %s to %s, at %s, it is told: %s; the bell always', (from, to, clock, isTold) => {
  const quiet = prefer({ quiet: { from, to } })
  expect(isToldBy('desktop', 'message', quiet, clock)).toBe(isTold)
  expect(isToldBy('bell', 'message', quiet, clock)).toBe(true)
})
