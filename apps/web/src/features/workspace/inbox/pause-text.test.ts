import { expect, test } from 'vitest'
import { setTimeZone } from '../../../kit/format.ts'
import { pausedText } from './pause-text.ts'

test('a pause says until when, and what ends it sooner', () => {
  setTimeZone('America/Sao_Paulo')
  const pausedUntil = '2030-01-05T11:00:00.000Z'
  expect(pausedText({ pausedUntil, wakesOnReply: false })).toBe('Pausado até 05/01/2030, 08:00.')
  expect(pausedText({ pausedUntil, wakesOnReply: true })).toBe(
    'Pausado até 05/01/2030, 08:00, ou até o cliente responder.',
  )
  expect(pausedText({ pausedUntil: null, wakesOnReply: true })).toBe('Pausado até o cliente responder.')
  expect(pausedText({ pausedUntil: null, wakesOnReply: false })).toBe('Pausado até alguém retomar.')
})
