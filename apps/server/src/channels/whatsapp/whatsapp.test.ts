import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memberId } from '../members.ts'
import {
  codesSpent,
  disconnectOf,
  mayNotWriteFirst,
  notLinked,
  notOnWhatsApp,
  scanNow,
  typeNow,
} from './disconnects.ts'
import { eventsOf, speakerBy, type Told, unitedBy } from './events.ts'
import { addressOf, calling, formsOf, identitiesOf, identityOf, mentionsOf } from './jids.ts'
import { readMessage } from './message.ts'
import { moment, oneSpelling } from './proto.ts'
import { callStateOf, groupChangeOf, statusOf } from './states.ts'
import { readVcard, writeVcard } from './vcards.ts'

const read = (message: unknown) => readMessage(message, ({ mediaKey }) => ({ mediaKey }))
const contentOf = (message: unknown) => {
  const said = read(message)
  return said?.does === 'say' ? said.content : said
}

describe('addresses', () => {
  test.each([
    ['5511988887777@s.whatsapp.net', { kind: 'phone', value: '5511988887777' }],
    ['5511988887777:12@s.whatsapp.net', { kind: 'phone', value: '5511988887777' }],
    ['551188887777@s.whatsapp.net', { kind: 'phone', value: '5511988887777' }],
    ['5511988887777@c.us', { kind: 'phone', value: '5511988887777' }],
    ['98765432109876:3@lid', { kind: 'lid', value: '98765432109876' }],
    ['120363000000000001@g.us', { kind: 'group', value: '120363000000000001' }],
    ['5511988887777-1500000000@g.us', { kind: 'group', value: '5511988887777-1500000000' }],
    ['status@broadcast', undefined],
    ['120363111@newsletter', undefined],
    ['', undefined],
  ])('%s', (jid, identity) => expect(identityOf(jid)).toEqual(identity))

  test('the phone comes first, each once, and a message goes to the group, the phone or what stands for it', () => {
    const both = identitiesOf('111222333@lid', '551188887777@s.whatsapp.net', '5511988887777@s.whatsapp.net')
    expect(both).toEqual([
      { kind: 'phone', value: '5511988887777' },
      { kind: 'lid', value: '111222333' },
    ])
    expect(addressOf(both)).toBe('5511988887777@s.whatsapp.net')
    expect(addressOf(both.slice(1))).toBe('111222333@lid')
    expect(addressOf([...both, { kind: 'group', value: '1203' }])).toBe('1203@g.us')
    expect(() => addressOf([{ kind: 'email', value: 'a@b.c' }])).toThrow('O contato não tem um número de WhatsApp.')
  })

  test('a Brazilian mobile is looked for under both of its names, other numbers under their own', () => {
    expect(formsOf('553187654321')).toEqual(['5531987654321', '553187654321'])
    expect(formsOf('5531987654321')).toEqual(['5531987654321', '553187654321'])
    expect(formsOf('351912345678')).toEqual(['351912345678'])
    expect(formsOf('551133334444')).toEqual(['551133334444'])
  })

  test('members are called by what stands in the text', () => {
    const mentions = [
      { id: memberId({ kind: 'phone', value: '5511988887777' }), name: 'Ana' },
      { id: memberId({ kind: 'lid', value: '111222333' }), name: 'Ana Paula' },
      { id: '5511977776666', name: 'Bruno' },
    ]
    expect(calling({ body: 'Oi @Ana, @ana paula e @Anabela', mentions })).toEqual({
      text: 'Oi @5511988887777, @111222333 e @Anabela',
      jids: ['5511988887777@s.whatsapp.net', '111222333@lid', '5511977776666@s.whatsapp.net'],
    })
    expect(mentionsOf('Fala @5511988887777, e @111222333 @5511988887777! @12 joao@5511999998888')).toEqual([
      {
        text: '@5511988887777',
        identities: [
          { kind: 'phone', value: '5511988887777' },
          { kind: 'lid', value: '5511988887777' },
        ],
      },
      {
        text: '@111222333',
        identities: [
          { kind: 'phone', value: '111222333' },
          { kind: 'lid', value: '111222333' },
        ],
      },
    ])
  })
})

test('fields have one spelling, however a library writes them', () => {
  const written = {
    fileEncSHA256: 1,
    URL: 2,
    JPEGThumbnail: 3,
    contextInfo: [{ stanzaID: 4, mentionedJID: 5 }],
    PTT: 6,
  }
  expect(oneSpelling(written)).toEqual({
    fileEncSha256: 1,
    url: 2,
    jpegThumbnail: 3,
    contextInfo: [{ stanzaId: 4, mentionedJid: 5 }],
    ptt: 6,
  })
  expect(oneSpelling({ imageMessage: { mediaKey: 'x' } })).toEqual({ imageMessage: { mediaKey: 'x' } })
})

test('times are read as numbers, text, 64 bits or a date', () => {
  const at = new Date(1_790_000_000_000)
  for (const written of [
    1_790_000_000,
    '1790000000',
    1_790_000_000_000,
    { low: 1_790_000_000, high: 0 },
    at.toISOString(),
  ])
    expect(moment.parse(written)).toEqual(at)
})

describe('what a message says', () => {
  test('words, with what they answer to', () => {
    const extendedTextMessage = { text: 'sim', contextInfo: { stanzaId: 'ABC', participant: '1@lid' } }
    expect(read({ extendedTextMessage })).toEqual({
      does: 'say',
      content: { type: 'text', body: 'sim' },
      quotedProviderId: 'ABC',
    })
    expect(read({ conversation: 'oi', messageContextInfo: {} })).toMatchObject({ content: { body: 'oi' } })
  })

  test('that somebody else said it first', () => {
    const extendedTextMessage = { text: 'corrente', contextInfo: { isForwarded: true } }
    expect(read({ extendedTextMessage })).toMatchObject({ content: { body: 'corrente', isForwarded: true } })
  })

  test('files, whatever they are wrapped in', () => {
    const documentMessage = {
      mimetype: 'application/pdf',
      fileName: 'nota.pdf',
      caption: 'Segue',
      fileLength: { low: 9, high: 0 },
      mediaKey: 'k',
    }
    const wrapped = { ephemeralMessage: { message: { documentWithCaptionMessage: { message: { documentMessage } } } } }
    expect(contentOf(wrapped)).toMatchObject({
      type: 'document',
      body: 'Segue',
      media: { source: { mediaKey: 'k' }, name: 'nota.pdf', mime: 'application/pdf', size: 9 },
    })
    expect(contentOf({ audioMessage: { ptt: true } })).toMatchObject({ type: 'audio', media: { isVoice: true } })
    expect(contentOf({ ptvMessage: {} })).toMatchObject({ type: 'video' })
    expect(contentOf({ lottieStickerMessage: { message: { stickerMessage: {} } } })).toMatchObject({ type: 'sticker' })
  })

  test('what is shown once says so, and without its picture where it can be seen', () => {
    const imageMessage = { caption: 'foto', mediaKey: 'k' }
    expect(contentOf({ viewOnceMessageV2: { message: { imageMessage } } })).toMatchObject({
      type: 'image',
      body: 'Enviada para ser vista uma única vez.\nfoto',
    })
    expect(contentOf({ viewOnceMessageV2: { message: { imageMessage: {} } } })).toMatchObject({ type: 'unsupported' })
    expect(contentOf({ placeholderMessage: { type: 0 } })).toMatchObject({ type: 'unsupported' })
  })

  test('places, cards, polls and choices', () => {
    expect(contentOf({ liveLocationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6 } })).toMatchObject({
      location: { latitude: -23.5, longitude: -46.6 },
    })
    const vcard = 'BEGIN:VCARD\nFN:Bruno\nTEL;waid=5511977776666:+55 11 97777-6666\nEND:VCARD'
    expect(contentOf({ contactsArrayMessage: { contacts: [{ displayName: 'x', vcard }] } })).toMatchObject({
      contacts: [{ name: 'Bruno', phones: ['+55 11 97777-6666'] }],
    })
    const pollCreationMessageV3 = { name: 'Quando?', options: [{ optionName: 'Hoje' }, { optionName: 'Amanhã' }] }
    expect(contentOf({ pollCreationMessageV3 })).toMatchObject({
      type: 'poll',
      body: 'Quando?',
      interactive: { kind: 'poll', options: [{ title: 'Hoje' }, { title: 'Amanhã' }], selectable: 0 },
    })
    const vote = { pollCreationMessageKey: { id: 'P' }, vote: { selectedOptions: ['Hoje'] } }
    expect(read({ pollUpdateMessage: vote })).toEqual({ does: 'vote', pollProviderId: 'P', chosen: ['Hoje'] })
    const row = { title: 'Pix', singleSelectReply: { selectedRowID: 'op-1' } }
    expect(contentOf({ listResponseMessage: row })).toEqual({ type: 'text', body: 'Pix', choice: 'op-1' })
    const native = { body: { text: 'Sim' }, nativeFlowResponseMessage: { paramsJSON: '{"id":"op-2"}' } }
    expect(contentOf({ interactiveResponseMessage: native })).toMatchObject({ body: 'Sim', choice: 'op-2' })
  })

  test('reactions, edits and deletes name their message', () => {
    expect(read({ reactionMessage: { key: { id: 'A' }, text: '👍' } })).toEqual({
      does: 'react',
      targetProviderId: 'A',
      emoji: '👍',
    })
    expect(read({ reactionMessage: { key: { ID: 'A' }, text: '' } })).toMatchObject({ emoji: null })
    const edit = {
      key: { id: 'A' },
      type: 'MESSAGE_EDIT',
      editedMessage: { conversation: 'certo' },
      timestampMs: '1790000000000',
    }
    const said = { does: 'edit', providerId: 'A', body: 'certo', at: new Date(1_790_000_000_000) }
    expect(read({ protocolMessage: edit })).toEqual(said)
    expect(read({ editedMessage: { message: { protocolMessage: { ...edit, type: 14 } } } })).toEqual(said)
    for (const type of ['REVOKE', 0, undefined])
      expect(read({ protocolMessage: { key: { id: 'A' }, type } })).toEqual({ does: 'delete', providerId: 'A' })
  })

  test('what passes between devices is nothing, what nobody knows is not', () => {
    expect(read({ senderKeyDistributionMessage: {}, messageContextInfo: {} })).toEqual({ does: 'nothing' })
    expect(read({ protocolMessage: { type: 'EPHEMERAL_SETTING' } })).toEqual({ does: 'nothing' })
    expect(read({ albumMessage: { expectedImageCount: 2 } })).toEqual({ does: 'nothing' })
    expect(read({ holographicMessage: {} })).toBeUndefined()
    expect(read(null)).toBeUndefined()
  })

  test('any JSON is read without a throw', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void read(value)))
    let deep: unknown = { conversation: 'fundo' }
    for (let at = 0; at < 50; at += 1) deep = { ephemeralMessage: { message: deep } }
    expect(read(deep)).toBeUndefined()
  })
})

describe('events', () => {
  const told: Told = {
    id: 'A',
    chat: '5511988887777@s.whatsapp.net',
    fromMe: false,
    name: 'Ana',
    at: new Date(1_790_000_000_000),
    message: { conversation: 'oi' },
  }
  const of = (more: Partial<Told>) => eventsOf({ ...told, ...more }, () => ({}))

  test('a conversation is the other side of it, by every name', () => {
    expect(of({ chatAlt: '111222333@lid' })).toMatchObject([
      { from: { name: 'Ana', identities: [{ kind: 'phone' }, { kind: 'lid' }] }, fromMe: false },
    ])
    expect(of({ fromMe: true })).toMatchObject([{ fromMe: true, from: { name: undefined } }])
  })

  test('in a group somebody speaks; we are nobody of it', () => {
    const group = {
      chat: '120363000000000001@g.us',
      member: '111222333@lid',
      memberAlt: '5511977776666@s.whatsapp.net',
    }
    expect(of(group)).toMatchObject([
      {
        from: { isGroup: true, identities: [{ kind: 'group' }] },
        author: { name: 'Ana', identities: [{ kind: 'phone' }, { kind: 'lid' }] },
      },
    ])
    expect(of({ ...group, fromMe: true })).toMatchObject([{ author: undefined }])
    expect(of({ ...group, message: { reactionMessage: { key: { id: 'B' }, text: '👏' } } })).toMatchObject([
      { kind: 'reaction', targetProviderId: 'B', author: { name: 'Ana' } },
    ])
  })

  test('stories and channels of news concern nobody', () => {
    expect(of({ chat: 'status@broadcast' })).toEqual([{ kind: 'nothing' }])
    expect(of({ chat: '1203@newsletter' })).toEqual([{ kind: 'nothing' }])
  })

  test('a phone and what hides it are one person', () => {
    expect(unitedBy('111222333@lid', '5511988887777@s.whatsapp.net')).toEqual([
      { kind: 'identity', from: { kind: 'phone', value: '5511988887777' }, to: { kind: 'lid', value: '111222333' } },
    ])
    expect(unitedBy('111222333@lid', undefined)).toEqual([])
    expect(speakerBy({ name: 'x' }, 'status@broadcast')).toBeUndefined()
  })
})

test('states go by name and by number', () => {
  expect(['SERVER_ACK', 3, 'READ', 'PLAYED', 'ERROR', 'PENDING', 'Delivered'].map(statusOf)).toEqual([
    'sent',
    'delivered',
    'read',
    'played',
    'failed',
    undefined,
    'delivered',
  ])
  expect(['offer', 'timeout', 'terminate', 'preaccept'].map(callStateOf)).toEqual([
    'ringing',
    'missed',
    'ended',
    undefined,
  ])
  expect(['add', 'remove', 'promote', 'demote', 'modify'].map(groupChangeOf)).toEqual([
    'joined',
    'left',
    'promoted',
    'demoted',
    undefined,
  ])
})

test.each([
  [401, false, true, 'desconectou'],
  [402, false, false, 'restringiu'],
  [403, false, false, 'bloqueou'],
  [406, false, false, 'restringiu'],
  [408, true, false, 'caiu'],
  [411, false, true, 'Atualize'],
  [428, true, false, 'encerrou'],
  [440, false, false, 'Outro programa'],
  [500, false, true, 'inválida'],
  [503, true, false, 'fora do ar'],
  [515, true, false, 'reconectar'],
  [499, true, false, '499'],
])('after %i it comes back: %s, logged out: %s', (code, comesBack, isLoggedOut, words) => {
  expect(disconnectOf(code)).toMatchObject({ comesBack, isLoggedOut, text: expect.stringContaining(words) })
})

test('a code is asked for in a sentence', () => {
  for (const said of [codesSpent, scanNow, typeNow]) expect(said).toMatch(/telefone.*\.$/)
})

test('refusals say whose fault it is', () => {
  expect(notOnWhatsApp()).toMatchObject({ outcome: 'final', isUnreachable: true })
  expect(mayNotWriteFirst()).toMatchObject({ outcome: 'final', isUnreachable: false, isConnectionBroken: false })
  expect(notLinked()).toMatchObject({ outcome: 'final', isConnectionBroken: true })
})

test('a card that somebody made to be slow is read at once', () => {
  const startedAt = performance.now()
  for (const line of [
    'a'.repeat(200_000),
    `ORG:${';'.repeat(200_000)}x`,
    `TEL${';'.repeat(200_000)}`,
    ':'.repeat(200_000),
  ])
    readVcard(`BEGIN:VCARD\nFN:Ana\n${line}\nEND:VCARD`)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test('a card is read as it was written', () => {
  const card = {
    name: 'Bruno; Lima, Filho',
    phones: ['+5511977776666'],
    emails: ['b@example.com'],
    organization: 'Loja',
  }
  const written = writeVcard(card)
  expect(written).toContain('waid=5511977776666')
  expect(readVcard(written)).toEqual(card)
  expect(readVcard('BEGIN:VCARD\nitem1.TEL:+55 11\nEND:VCARD', 'Ana')).toMatchObject({
    name: 'Ana',
    phones: ['+55 11'],
  })
})
