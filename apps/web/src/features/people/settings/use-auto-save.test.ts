import { expect, test } from 'vitest'
import { withoutSolved } from './use-auto-save.ts'

test('why a switch was refused goes with the switch that stood in its way', () => {
  const problems = { nullticket: 'Desative antes a outra.', pauseReasons: 'Repetido.' }
  expect(withoutSolved(problems, { NotViewAssignedTickets: false })).toEqual({ pauseReasons: 'Repetido.' })
  expect(withoutSolved(problems, { forceReason: true })).toEqual(problems)
})
