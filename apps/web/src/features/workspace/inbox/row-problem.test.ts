import { expect, test } from 'vitest'
import type { Outgoing } from '../../conversations/messages/outbox-state.ts'
import { problemOf, problemsHere } from './row-problem.ts'

const entry = (ticketId: string, state: Outgoing['state']) => ({ state, message: { ticketId } }) as Outgoing

test('what this browser could not hand over is told by conversation, the worst first; what is on its way is not', () => {
  const here = problemsHere([entry('a', 'waiting'), entry('a', 'held'), entry('a', 'sending'), entry('b', 'undoable')])
  expect([...here]).toEqual([['a', 'held']])
})

test('the worst of what the server and this browser know is shown', () => {
  expect(problemOf({ notSent: null }, undefined)).toBeUndefined()
  expect(problemOf({ notSent: 'uncertain' }, 'held')).toBe('uncertain')
  expect(problemOf({ notSent: 'uncertain' }, 'failed')).toBe('failed')
  expect(problemOf({ notSent: 'failed' }, 'waiting')).toBe('failed')
})
