import { expect, test } from 'vitest'
import type { Outgoing } from '../../conversations/messages/outbox-state.ts'
import { problemOf, problemsHere } from './row-problem.ts'

const entry = (ticketId: string, state: Outgoing['state'], body = '') =>
  ({ state, message: { ticketId, type: body ? 'text' : 'image', body } }) as Outgoing

test('what this browser could not hand over is told by conversation, the worst first; what is on its way is not', () => {
  const here = problemsHere([
    entry('a', 'waiting', 'Bom dia'),
    entry('a', 'held', '*Ana*: Segue'),
    entry('a', 'sending'),
    entry('b', 'undoable'),
    entry('c', 'failed'),
  ])
  expect([...here]).toEqual([
    ['a', { state: 'held', message: 'Segue', type: 'text' }],
    ['c', { state: 'failed', message: 'Imagem', type: 'image' }],
  ])
})

test('the worst of what the server and this browser know is shown, with its own words', () => {
  const told = (notSent: 'failed' | 'uncertain' | null) => ({
    notSent,
    notSentMessage: notSent && '*Ana*: o boleto',
    notSentMessageType: notSent && 'document',
  })
  const here = (state: 'held' | 'failed' | 'waiting') => ({ state, message: 'daqui', type: 'text' })
  expect(problemOf(told(null), undefined)).toBeUndefined()
  expect(problemOf(told('uncertain'), here('held'))).toEqual({
    state: 'uncertain',
    message: 'o boleto',
    type: 'document',
  })
  expect(problemOf(told('uncertain'), here('failed'))).toEqual(here('failed'))
  expect(problemOf(told('failed'), here('waiting'))).toMatchObject({ state: 'failed', message: 'o boleto' })
})
