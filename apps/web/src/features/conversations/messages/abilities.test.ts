import { type ChannelKind, channels, abilitiesOf as ownAbilities } from '@balcao/contract/channels/index.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { expect, test } from 'vitest'
import { abilitiesOf, acceptOf, sendableAs, windowLeft } from './abilities.ts'
import { allowedOn } from './allowed.ts'

const channelOf = (kind: ChannelKind) => ({ label: channels[kind].label, ...ownAbilities(kind, {}) })

test('what a channel cannot do has a reason that names it; what it can has none', () => {
  const { why } = abilitiesOf(channelOf('webchat'))
  expect(why('reaction')).toBe(`${channels.webchat.label} não tem reações.`)
  expect([why('edit'), why('reply'), why('files')]).toEqual([null, null, null])
  const waba = abilitiesOf(channelOf('waba'))
  expect([waba.why('reaction'), waba.why('contact'), waba.why('template')]).toEqual([null, null, null])
  expect(waba.why('edit')).toMatch(/não permite editar/)
  expect(waba.why('delete')).toMatch(/não permite apagar/)
  expect(abilitiesOf(undefined).why('audio')).toBe('Este canal não leva áudios.')
})

const message = (over: Partial<Message> = {}) =>
  ({ type: 'text', fromMe: true, status: 'delivered', user: { id: 'eu', name: 'Eu' }, ...over }) as Message
const asking = (kind: 'waba' | 'telegram', status: 'open' | 'pending' | 'closed' = 'open') => ({
  status,
  abilities: abilitiesOf(channelOf(kind)),
  userId: 'eu',
  mayModerate: false,
})

test('of a message is told what may be done, what not and why; what never makes sense is left out', () => {
  expect(allowedOn(message(), asking('telegram'))).toEqual({ reply: null, react: null, edit: null, delete: null })
  expect(allowedOn(message(), asking('waba'))).toMatchObject({
    reply: null,
    edit: expect.stringContaining('não permite editar'),
    delete: expect.stringContaining('não permite apagar'),
  })
  const theirs = allowedOn(message({ fromMe: false, user: null }), asking('telegram', 'pending'))
  expect(theirs).toEqual({ reply: 'Aceite a conversa para responder.', react: 'Aceite a conversa para reagir.' })
  const colleagues = allowedOn(message({ user: { id: 'outra', name: 'Outra' } }), asking('telegram'))
  expect(colleagues).toMatchObject({ edit: 'Só quem escreveu pode editar.', delete: 'Só quem escreveu pode apagar.' })
  expect(allowedOn(message({ type: 'note' }), asking('waba'))).toEqual({ edit: null, delete: null })
  expect(allowedOn(message({ status: 'queued' }), asking('telegram')).delete).toBe('Esta mensagem ainda não saiu.')
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
  expect(windowLeft(channelOf('waba'), '2026-11-20T10:00:00Z', now)).toBe(22 * 3_600_000)
  expect(windowLeft(channelOf('waba'), null, now)).toBeLessThan(0)
  expect(windowLeft(channelOf('telegram'), null, now)).toBeNull()
})
