import { expect, test } from 'vitest'
import { readFromFrame, readFromHost, seal } from './protocol.ts'

const origin = 'https://balcao.example'
const source = new MessageChannel().port1

const arrive = (data: unknown, from: { origin?: string; source?: MessageEventSource } = {}) =>
  new MessageEvent<unknown>('message', { data, origin: from.origin ?? origin, source: from.source ?? source })

const unread = seal({ type: 'frame:unread', payload: { count: 2 } }, 'n1')

test('a sealed message from the expected window and origin is read', () => {
  expect(readFromFrame(arrive(unread), { origin, source })).toMatchObject({ payload: { count: 2 } })
})

test('the same message from another origin, another window or no window is not', () => {
  expect(readFromFrame(arrive(unread, { origin: 'https://evil.example' }), { origin, source })).toBeUndefined()
  expect(readFromFrame(arrive(unread, { source: new MessageChannel().port1 }), { origin, source })).toBeUndefined()
  expect(readFromFrame(arrive(unread), { origin, source: undefined })).toBeUndefined()
})

test('each side hears only what the other may say', () => {
  expect(readFromHost(arrive(unread), { origin, source })).toBeUndefined()
  expect(readFromFrame(arrive(seal({ type: 'host:open', payload: {} }, 'n1')), { origin, source })).toBeUndefined()
})

test('an iframe that was replaced is not heard any more', () => {
  expect(readFromFrame(arrive(unread), { origin, source, nonce: 'n1' })).toBeDefined()
  expect(readFromFrame(arrive(unread), { origin, source, nonce: 'n2' })).toBeUndefined()
})

test.each(['text', null, {}, { ...unread, v: 2 }, { ...unread, ns: 'other' }, { ...unread, payload: 'x' }])(
  'what is not of our protocol is left alone: %j',
  (data) => {
    expect(readFromFrame(arrive(data), { origin, source })).toBeUndefined()
  },
)
