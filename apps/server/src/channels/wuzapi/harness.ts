import { startWuzapiSimulator, type WuzapiSimulator } from '@balcao/simulators/wuzapi.ts'
import type { Harness } from '../conformance.stage.ts'
import { ledGroupOf } from '../whatsapp/led-group.ts'
import { wuzapi } from './adapter.ts'
import { eventsFor, keyOf } from './webhook.ts'

const token = 'token-do-usuario-da-loja'
const hookSecret = 'segredo-do-gancho'
const refused = (code: number, error: string) => ({ status: code, body: { code, error, success: false } })
const failed = (words: string) => refused(500, `error sending message: ${words}`)
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const gone = { ...final, isUnreachable: true } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const
const uncertain = { outcome: 'uncertain', isConnectionBroken: false } as const

/** WuzAPI for the conformance suite: a user with a phone linked to it. */
export const startWuzapi = async (): Promise<Harness<'wuzapi'>> => {
  const simulator = await startWuzapiSimulator({
    adminToken: 'token-de-administrador',
    delivery: { retryDelaysMs: [] },
  })
  const user = simulator.make('loja', token)
  await simulator.open('loja')
  await simulator.scan('loja')
  const customer = simulator.customer({ phone: '5511988887777', lid: '77712345678901', name: 'Ana Souza' })
  const sign = (body: string) => simulator.sign(body, keyOf({ hookSecret }))
  return {
    kind: 'wuzapi',
    adapter: wuzapi,
    simulator,
    config: { baseUrl: simulator.url, token },
    hookSecret,
    secrets: [
      'iVBORw0KGgoAAAANSUhEUgAAAQAAAAEA',
      'c2VncmVkb0RhTWVuc2FnZW0=',
      'bWluaWF0dXJhLXF1ZS1uYW8tZmljYQ==',
      'Ynl0ZXMtZG8tYXJxdWl2by1pbnRlaXJv',
      'Y2hhdmVEYUNoYW1hZGE=',
    ],
    customer,
    to: [{ kind: 'phone', value: customer.phone }],
    listen: (url) => Object.assign(user, { webhook: url, events: eventsFor.qr, hmacKey: keyOf({ hookSecret }) }),
    providerIdOf: ({ id }) => id,
    post: async (body, signature) => {
      const headers = { right: sign(body), missing: {}, wrong: simulator.sign(body, 'outra-chave') }
      return (await simulator.postRaw(user.webhook, body, headers[signature])).status
    },
    sign,
    isSend: ({ path }) => /^\/chat\/send\/(?!edit)/.test(path),
    group: groupOf(simulator),
    ledGroup: ledGroupOf(simulator, { groups: () => simulator.groups, idOf: (one) => one.jid.replace('@g.us', '') }),
    call: {
      ring: () => simulator.ring(customer),
      giveUp: (id) => simulator.giveUp(customer, id),
      rejected: () => simulator.rejected,
    },
    history: { tell: (lines) => simulator.tellHistory(customer, lines) },
    phone: {
      leave: () => simulator.drop('loja', 401),
      scan: ({ qr }) => simulator.scan('loja', qr),
    },
    ownPhone: { write: (text) => simulator.ownPhone(customer, text) },
    lacks: {
      echo: 'WuzAPI tells nothing of what its own API sends.',
      mediaByAddress: 'A received file is named by where it lies at WhatsApp; WuzAPI fetches and opens it.',
    },
    revoke: () => {
      user.token = 'outro-token'
      return () => {
        user.token = token
      }
    },
    refusals: [
      ['401 token', refused(401, 'unauthorized'), broken],
      ['404 of a route', { status: 404, body: '404 page not found' }, final],
      ['400 of the content', refused(400, 'missing Body in Payload'), final],
      [
        '400 of a file by its address',
        refused(400, 'failed to fetch video from url: unexpected status code 404'),
        final,
      ],
      ['413 too large', refused(413, 'request entity too large'), final],
      ['429 without a time', refused(429, 'too many requests'), retry],
      ['500 without a session', refused(500, 'no session'), retry],
      ['500 phone away', failed('websocket not connected'), retry],
      ['500 logged out in the middle', failed('websocket disconnected before info query returned response'), retry],
      ['500 file not taken', refused(500, 'failed to upload file: server returned 503'), retry],
      ['500 no WhatsApp', failed('no LID found for 5511988887777@s.whatsapp.net from server'), gone],
      ['500 group', failed('failed to get group members: item-not-found'), gone],
      ['500 not allowed in the group', failed('server returned error 403: not-authorized'), final],
      ['500 restricted', failed('server returned error 463'), final],
      ['500 too fast for WhatsApp', failed('429: rate-overlimit'), { ...retry, retryAfterMs: 30_000 }],
      ['500 no word from WhatsApp', failed('timed out waiting for message send response'), uncertain],
      ['500 of its own', failed('failed to encrypt'), uncertain],
      ['500 without a word', { status: 500, body: { code: 500, success: true } }, uncertain],
    ],
    fixtures,
  }
}

const groupOf = (simulator: WuzapiSimulator): Harness<'wuzapi'>['group'] => {
  const members = [
    simulator.customer({ phone: '5511977776666', name: 'Bruno Lima' }),
    simulator.customer({ phone: '5511966665555', name: 'Carla Dias' }),
  ] as const
  const stranger = simulator.customer({ phone: '5511955554444', name: 'Davi' })
  const group = simulator.group('Vizinhos', [...members, stranger])
  return {
    identity: { kind: 'group', value: group.jid.replace('@g.us', '') },
    members: [
      { kind: 'phone', value: members[0].phone },
      { kind: 'phone', value: members[1].phone },
    ],
    speak: async (lines) => {
      for (const { who, text } of lines) {
        if (who === 'unnamed') await stranger.sendText(text, { group, pushName: null, isHidden: true })
        else await members[who].sendText(text, { group })
      }
    },
    mentioned: () => simulator.mentionedIn(group).map((jid) => jid.replace('@s.whatsapp.net', '')),
  }
}

const fixtures: Record<string, string> = {
  audio: 'message:audio',
  'audio-voice': 'message:audio',
  'button-reply': 'message:text',
  buttons: 'message:text',
  'call-accept': 'nothing',
  'call-elsewhere': 'call:ended',
  'call-notice': 'call:ringing',
  'call-offer': 'call:ringing',
  'call-own-service': '',
  'call-terminate': 'call:missed',
  'call-video': 'call:ringing',
  'chat-presence': '',
  'connect-failure': 'standing',
  connected: 'connection + standing',
  contact: 'message:contact',
  contacts: 'message:contact',
  disconnected: 'standing',
  document: 'message:document',
  'document-caption': 'message:document',
  edited: 'edit',
  'edited-caption': 'edit',
  event: 'message:text',
  'group-announce': 'nothing',
  'group-demote': 'group:demoted',
  'group-invite': 'message:text',
  'group-join': 'group:joined',
  'group-joined': 'nothing',
  'group-leave': 'group:left',
  'group-promote': 'group:promoted',
  'group-subject': 'group:subject',
  history: 'history',
  'history-names': '',
  image: 'message:image',
  'image-group': 'message:image@',
  'image-no-path': 'message:image',
  'list-reply': 'message:text',
  location: 'message:location',
  'location-live': 'message:location',
  'logged-out': 'standing',
  'logged-out-banned': 'connection',
  'native-reply': 'message:text',
  newsletter: 'nothing',
  order: 'message:text',
  'pair-success': 'standing',
  'picture-group': 'group:picture',
  'picture-person': 'nothing',
  pin: 'nothing',
  poll: 'message:poll',
  'poll-vote': 'vote',
  'poll-vote-taken-back': 'vote:none',
  'poll-vote-unnamed': 'vote',
  presence: '',
  product: 'message:text',
  'protocol-other': 'nothing',
  qr: 'standing',
  'qr-timeout': 'standing',
  reaction: 'reaction',
  'reaction-group': 'reaction',
  'reaction-removed': 'reaction:none',
  'receipt-delivered': 'status:delivered',
  'receipt-group': 'status:delivered',
  'receipt-many': 'status:read + status:read',
  'receipt-own-device': 'nothing',
  'receipt-read': 'status:read',
  'receipt-read-self': 'nothing',
  revoked: 'delete',
  'revoked-by-admin': 'delete',
  'sender-key': 'nothing',
  'status-story': 'nothing',
  sticker: 'message:sticker',
  'sticker-lottie': 'message:sticker',
  'template-reply': 'message:text',
  'temporary-ban': 'standing',
  text: 'message:text',
  'text-ephemeral': 'message:text',
  'text-group': 'message:text@',
  'text-group-hidden': 'message:text@',
  'text-group-own': '~message:text@',
  'text-lid-chat': 'message:text',
  'text-lid-only': 'message:text',
  'text-link': 'message:text',
  'text-mention': 'message:text@',
  'text-old-number': 'message:text',
  'text-own-phone': '~message:text',
  'text-reply': 'message:text',
  undecryptable: '',
  'unknown-event': 'unknown',
  'unknown-type': 'unknown',
  video: 'message:video',
  'video-gif': 'message:video',
  'video-note': 'message:video',
  'view-once': 'message:unsupported',
  'view-once-with-file': 'message:image',
}
