import { expect, test } from 'vitest'
import { lastSeqOf, movedTo, newerThan, renewedBy, withMessages, withNewer, withStatus } from './conversation.ts'
import { sampleMessage } from './test-message.ts'

const message = (seq: number, version = 1) => sampleMessage({ id: `m${seq}`, seq, version })
const ids = (conversation: { items: { id: string }[] }) => conversation.items.map((one) => one.id)

test('messages stand once, in the order of the server, whichever way they come', () => {
  const now = { items: [message(1), message(3)], hasOlder: true }
  expect(ids(withMessages(now, [message(2), message(3), message(1)]))).toEqual(['m1', 'm2', 'm3'])
})

test('an older version does not replace a newer one', () => {
  const now = { items: [sampleMessage({ id: 'm1', version: 3, body: 'nova' })], hasOlder: false }
  expect(withMessages(now, [sampleMessage({ id: 'm1', version: 2, body: 'velha' })]).items[0]?.body).toBe('nova')
})

test('after a gap that touches, what was loaded stays; after a wide one, the latest page stands alone', () => {
  const now = { items: [message(1), message(2)], hasOlder: true }
  expect(ids(renewedBy(now, { items: [message(2), message(3)], hasOlder: true }))).toEqual(['m1', 'm2', 'm3'])
  const wide = renewedBy(now, { items: [message(90), message(91)], hasOlder: true })
  expect(ids(wide)).toEqual(['m90', 'm91'])
  expect(wide.hasOlder).toBe(true)
})

test('what stood alone, while the rest could not be loaded, finds its place in the page that comes', () => {
  const alone = { items: [message(5, 2), message(7)], hasOlder: false, isPartial: true }
  const whole = renewedBy(alone, { items: [message(4), message(5), message(6)], hasOlder: true })
  expect(ids(whole)).toEqual(['m4', 'm5', 'm6', 'm7'])
  expect(whole).toMatchObject({ hasOlder: true })
  expect(whole.isPartial).toBeUndefined()
  expect(whole.items[1]?.version).toBe(2)
})

test('a status belongs to its version', () => {
  const now = { items: [sampleMessage({ id: 'm1', version: 2, status: 'sent' })], hasOlder: false }
  const told = { id: 'm1', ticketId: 't1', contactId: 'c1', status: 'read' as const, error: null, version: 3 }
  expect(withStatus(now, told).items[0]?.status).toBe('read')
  expect(withStatus(now, { ...told, version: 1 }).items[0]?.status).toBe('sent')
  expect(lastSeqOf(undefined)).toBe(0)
})

test('in an older place nothing newer is put below, and what was seen before is not forgotten', () => {
  const now = { items: [message(90), message(91)], hasOlder: true }
  const there = movedTo(now, { items: [message(10), message(11)], hasOlder: true, hasNewer: true })
  expect(there).toMatchObject({ segment: 1, latestSeq: 91 })
  expect(lastSeqOf(there)).toBe(91)
  expect(ids(withMessages(there, [message(92), message(11, 2)]))).toEqual(['m10', 'm11'])
  expect(ids(renewedBy(there, { items: [message(91), message(92)], hasOlder: true }))).toEqual(['m10', 'm11'])

  const further = withNewer(there, { items: [message(12)], hasNewer: true })
  expect(ids(further)).toEqual(['m10', 'm11', 'm12'])
  const end = withNewer(further, { items: [message(13)], hasNewer: false })
  expect(ids(withMessages(end, [message(14)]))).toEqual(['m10', 'm11', 'm12', 'm13', 'm14'])
})

test('what others said meanwhile is news; notes, lines of the house and one’s own words are not', () => {
  const by = (id: string) => ({ id, name: id })
  const items = [
    message(1),
    sampleMessage({ id: 'mine', seq: 2, fromMe: true, user: by('ana') }),
    sampleMessage({ id: 'note', seq: 3, type: 'note', fromMe: true, user: by('bia') }),
    sampleMessage({ id: 'hers', seq: 4, fromMe: true, user: by('bia') }),
    sampleMessage({ id: 'customer', seq: 5, fromMe: false }),
  ]
  expect(newerThan({ items, hasOlder: false }, 1, 'ana').map(({ id }) => id)).toEqual(['hers', 'customer'])
})
