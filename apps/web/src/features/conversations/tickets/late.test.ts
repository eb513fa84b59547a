import { expect, test } from 'vitest'
import { pausedText, timeLeftOf, urgencyOf, waitingText } from './late.ts'
import { sampleTicket } from './test-ticket.ts'

const now = Date.parse('2026-11-20T15:00:00.000Z')
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

test.each([
  [0, 'espera 1 min'],
  [12, 'espera 12 min'],
  [4 * 60 + 3, 'espera 4h03'],
  [27 * 60 + 45, 'espera 27 h'],
  [75 * 60, 'espera 3 dias'],
])('after %i minutes the row says %s', (minutes, text) => {
  expect(waitingText(sampleTicket({ waitingSince: ago(minutes) }), now)).toBe(text)
})

test('what comes first presses: the end of a quarter of an hour of waiting, or of what was promised', () => {
  const pressing = (more: Parameters<typeof sampleTicket>[0]) => {
    const found = urgencyOf(sampleTicket({ createdAt: ago(60), ...more }), now)
    return found && `${found.tone}: ${found.text}`
  }
  expect(pressing({})).toBeNull()
  expect(pressing({ waitingSince: ago(5) })).toBe('calm: espera 5 min')
  expect(pressing({ waitingSince: ago(12) })).toBe('soon: espera 12 min')
  expect(pressing({ waitingSince: ago(16) })).toBe('over: espera 16 min')
  expect(pressing({ slaDueAt: ago(-90) })).toBe('calm: prazo 1h30')
  expect(pressing({ slaDueAt: ago(-5) })).toBe('soon: prazo 5 min')
  expect(pressing({ slaDueAt: ago(5) })).toBe('over: atraso 5 min')
  expect(pressing({ waitingSince: ago(5), slaDueAt: ago(-5) })).toBe('soon: prazo 5 min')
  expect(pressing({ waitingSince: ago(12), slaDueAt: ago(-90) })).toBe('soon: espera 12 min')
  expect(pressing({ waitingSince: ago(20), slaDueAt: ago(10) })).toBe('over: atraso 10 min')
  expect(pressing({ waitingSince: ago(16), status: 'closed' })).toBeNull()
  expect(pressing({ waitingSince: ago(16), pausedAt: ago(1) })).toBeNull()
})

test('what is promised is told until it is over, and rests with a pause', () => {
  const left = (minutes: number, more = {}) => timeLeftOf(sampleTicket({ slaDueAt: ago(-minutes), ...more }), now)
  const createdAt = ago(60)
  expect(left(90, { createdAt })).toEqual({ text: '1h30', tone: 'calm' })
  expect(left(5, { createdAt })).toEqual({ text: '5 min', tone: 'soon' })
  expect(left(-5)).toEqual({ text: 'atraso 5 min', tone: 'over' })
  expect(left(5, { pausedAt: ago(1) })).toBeNull()
  expect(left(5, { status: 'closed' })).toBeNull()
  expect(timeLeftOf(sampleTicket(), now)).toBeNull()
})

test('a pause says until when, by the clock of the company', () => {
  const paused = (pausedUntil: string | null, wakesOnReply = true) => pausedText({ pausedUntil, wakesOnReply }, now)
  expect(paused(ago(-60))).toBe('até 13:00')
  expect(paused('2026-11-24T12:00:00.000Z')).toBe('até 24/11')
  expect(paused(null)).toBe('até responder')
  expect(paused(null, false)).toBe('em pausa')
})
