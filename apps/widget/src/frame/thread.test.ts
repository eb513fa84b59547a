import { describe, expect, test } from 'vitest'
import type { WebchatMessage } from './api.ts'
import { toUnsent } from './outbox.ts'
import {
  appendUnsent,
  countUnread,
  dropUnsent,
  firstUnreadId,
  lastSeq,
  lastUnread,
  mergeMessages,
  patchByClientId,
  raiseStatus,
  readUpTo,
} from './thread.ts'

const message = (seq: number, change: Partial<WebchatMessage> = {}): WebchatMessage => ({
  id: `m${seq}`,
  seq,
  from: 'agent',
  type: 'text',
  text: `texto ${seq}`,
  status: 'sent',
  isDeleted: false,
  createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0, seq)).toISOString(),
  ...change,
})

const unsent = (clientId: string) => toUnsent({ clientId, text: clientId, createdAt: new Date().toISOString() })
const ids = (thread: { id: string }[]) => thread.map(({ id }) => id)

describe('merging', () => {
  test('messages stand by seq, each once, however they arrive', () => {
    let thread = mergeMessages([], [message(3), message(1)])
    thread = mergeMessages(thread, [message(2), message(3), message(1)])
    expect(ids(thread)).toEqual(['m1', 'm2', 'm3'])
  })

  test('a file keeps the address it was shown under; what is deleted loses it', () => {
    const file = (url: string) => ({ url, name: 'a.png', mime: 'image/png', size: 1 })
    const shown = mergeMessages([], [message(1, { media: file('/um') })])
    const again = mergeMessages(shown, [message(1, { media: file('/dois'), status: 'read' })])
    expect([again[0]?.media?.url, again[0]?.status]).toEqual(['/um', 'read'])
    expect(mergeMessages(again, [message(1, { media: null, isDeleted: true })])[0]?.media).toBeNull()
  })

  test('what was written here becomes what the server accepted, by its clientId', () => {
    const thread = appendUnsent(mergeMessages([], [message(1)]), unsent('c1'))
    expect(ids(thread)).toEqual(['m1', 'unsent:c1'])
    const merged = mergeMessages(thread, [message(2, { clientId: 'c1', from: 'visitor' })])
    expect(ids(merged)).toEqual(['m1', 'm2'])
    expect(merged[1]?.delivery).toBeUndefined()
  })

  test('socket before answer, or answer before socket: still one', () => {
    const accepted = message(2, { clientId: 'c1', from: 'visitor' })
    const withoutClientId = message(2, { from: 'visitor' })
    const started = appendUnsent([], unsent('c1'))
    expect(ids(mergeMessages(mergeMessages(started, [accepted]), [accepted]))).toEqual(['m2'])
    expect(ids(mergeMessages(mergeMessages(started, [withoutClientId]), [accepted]))).toEqual(['m2'])
  })

  test('any order of any repetition ends in the same thread', () => {
    const all = [1, 2, 3, 4, 5, 6].map((seq) => message(seq, seq % 2 ? {} : { from: 'visitor', clientId: `c${seq}` }))
    for (let round = 0; round < 200; round++) {
      let thread = [unsent('c2'), unsent('c4'), unsent('c6')].reduce(appendUnsent, mergeMessages([], []))
      const deliveries = [...all, ...all].sort(() => Math.random() - 0.5)
      for (const one of deliveries) thread = mergeMessages(thread, [one])
      expect(ids(thread)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6'])
    }
  })

  test('unsent messages stay at the end in the order they were written', () => {
    const first = toUnsent({ clientId: 'a', text: 'a', createdAt: new Date(Date.now() - 1000).toISOString() })
    const thread = appendUnsent(appendUnsent([], first), unsent('b'))
    expect(ids(mergeMessages(thread, [message(9)]))).toEqual(['m9', 'unsent:a', 'unsent:b'])
  })

  test('a late copy does not undo a deletion, an edit or a status', () => {
    const known = message(1, { isDeleted: true, status: 'read', text: 'nova', editedAt: '2026-01-02T00:00:00.000Z' })
    const [merged] = mergeMessages([known], [message(1, { text: 'velha' })])
    expect(merged).toMatchObject({ isDeleted: true, status: 'read', text: 'nova' })
  })
})

test('an old unsent message waits for the visitor, a fresh one is sent by itself', () => {
  const entry = { clientId: 'c1', text: 'oi', createdAt: new Date(2026, 0, 1).toISOString() }
  expect(toUnsent(entry, Date.parse(entry.createdAt) + 1000).delivery).toBe('sending')
  expect(toUnsent(entry, Date.parse(entry.createdAt) + 3_600_000).delivery).toBe('failed')
})

test('failing, trying again and discarding touch only what is unsent', () => {
  const thread = mergeMessages([unsent('c1')], [message(1, { clientId: 'c9', from: 'visitor' })])
  expect(patchByClientId(thread, 'c1', { delivery: 'failed' })[1]?.delivery).toBe('failed')
  expect(patchByClientId(thread, 'c9', { delivery: 'failed' })[0]?.delivery).toBeUndefined()
  expect(ids(dropUnsent(dropUnsent(thread, 'c1'), 'c9'))).toEqual(['m1'])
})

test('ticks only rise, and only on the visitor’s own messages up to that point', () => {
  const thread = [1, 2, 3].map((seq) => message(seq, { from: seq === 2 ? 'agent' : 'visitor' }))
  const read = raiseStatus(thread, 2, 'read')
  expect(read.map(({ status }) => status)).toEqual(['read', 'sent', 'sent'])
  expect(raiseStatus(read, 3, 'delivered').map(({ status }) => status)).toEqual(['read', 'sent', 'delivered'])
})

test('unread counts the team after the last thing read or answered', () => {
  const thread = mergeMessages(
    [unsent('c1')],
    [
      message(1),
      message(2, { from: 'visitor' }),
      message(3),
      message(4, { type: 'system' }),
      message(5, { isDeleted: true }),
    ],
  )
  const readSeq = readUpTo(thread, 0)
  expect(readSeq).toBe(2)
  expect(countUnread(thread, readSeq)).toBe(1)
  expect(firstUnreadId(thread, readSeq)).toBe('m3')
  expect(lastUnread(thread, readSeq)).toEqual({ name: 'Atendimento', text: 'texto 3' })
  expect(lastUnread(thread, 9)).toBeUndefined()
  expect(countUnread(thread, readUpTo(thread, 3))).toBe(0)
  expect(lastSeq(thread)).toBe(5)
})
