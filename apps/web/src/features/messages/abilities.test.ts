import { channels } from '@balcao/contract/channels/index.ts'
import { expect, test } from 'vitest'
import { abilitiesOf, acceptOf, sendableAs, windowLeft } from './abilities.ts'

test('the composer offers what the channel can and nothing else', () => {
  expect(abilitiesOf(channels.webchat)).toMatchObject({
    canReact: false,
    canEdit: true,
    canReply: true,
    canAttach: true,
  })
  expect(abilitiesOf(channels.waba)).toMatchObject({
    canReact: true,
    canEdit: false,
    canDelete: false,
    canSendContact: true,
  })
  expect(abilitiesOf(undefined)).toMatchObject({ canAttach: false, canReply: false })
})

test('a file goes as what it is, else as a document, else not', () => {
  expect(sendableAs('image', { files: ['image'] })).toBe('image')
  expect(sendableAs('video', { files: ['image', 'document'] })).toBe('document')
  expect(sendableAs('audio', { files: ['image'] })).toBeNull()
  expect(acceptOf({ files: ['image', 'audio'] })).toBe('image/*,audio/*')
  expect(acceptOf({ files: ['image', 'document'] })).toBeUndefined()
})

test('the window of WhatsApp ends 24 hours after the customer wrote; other channels have none', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(windowLeft(channels.waba, '2026-11-20T10:00:00Z', now)).toBe(22 * 3_600_000)
  expect(windowLeft(channels.waba, null, now)).toBeLessThan(0)
  expect(windowLeft(channels.telegram, null, now)).toBeNull()
})
