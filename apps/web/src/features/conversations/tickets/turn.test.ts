import { expect, test } from 'vitest'
import { agentText, turnOf } from './turn.ts'

test('what is offered to somebody waits for their turn; what is accepted is theirs', () => {
  const offered = { status: 'pending', userId: 'ana', username: 'Ana' } as const
  expect(turnOf(offered)).toEqual({ userId: 'ana', name: 'Ana' })
  expect(agentText(offered)).toBe('Na vez de Ana')
  expect(agentText({ ...offered, status: 'open' })).toBe('Ana')
  expect(turnOf({ status: 'pending', userId: null, username: null })).toBeNull()
  expect(agentText({ status: 'pending', userId: null, username: null })).toBeNull()
})
