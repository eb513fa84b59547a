import { startUazapiSimulator, type UazapiSimulator } from '@balcao/simulators/uazapi.ts'
import type { Harness } from '../conformance.stage.ts'
import { ledGroupOf } from '../whatsapp/led-group.ts'
import { uazapi } from './adapter.ts'

/** As the recorded calls carry it. */
const token = '3f0c9a52-7d1e-4b68-9a35-51c2d8e04b7f'
const refused = (status: number, error: string) => ({ status, body: { error } })
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const gone = { ...final, isUnreachable: true } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const
const uncertain = { outcome: 'uncertain', isConnectionBroken: false } as const

/** uazapi for the conformance suite: an instance with a phone linked to it. */
export const startUazapi = async (): Promise<Harness<'uazapi'>> => {
  const simulator = await startUazapiSimulator({
    adminToken: 'token-de-administrador',
    delivery: { retryDelaysMs: [] },
  })
  const instance = simulator.init('loja', token)
  await simulator.open('loja')
  await simulator.scan('loja')
  const customer = simulator.customer({ phone: '5511988887777', lid: '77712345678901', name: 'Ana Souza' })
  return {
    kind: 'uazapi',
    adapter: uazapi,
    simulator,
    config: { baseUrl: simulator.url, token },
    hookSecret: 'segredo-do-gancho',
    secrets: ['iVBORw0KGgoAAAANSUhEUgAAAQAAAAEA', 'WZYE-H1YY', 'Y2hhdmUtZG8tYXJxdWl2bw=='],
    customer,
    to: [{ kind: 'phone', value: customer.phone }],
    listen: (url) => {
      const events = ['connection', 'history', 'messages', 'messages_update', 'call', 'groups']
      instance.webhooks = [{ id: 'r1', enabled: true, url, events, excludeMessages: [] }]
    },
    providerIdOf: ({ id }) => id,
    post: async (body, signature) => {
      const told: object = Object(JSON.parse(body))
      const sent = { right: told, missing: { ...told, token: undefined }, wrong: { ...told, token: `${token}0` } }
      return (await simulator.postRaw(instance.webhooks[0]?.url ?? '', JSON.stringify(sent[signature]))).status
    },
    isSend: ({ path }) => path.startsWith('/send/'),
    group: groupOf(simulator),
    ledGroup: ledGroupOf(simulator, { groups: () => simulator.groups, idOf: (one) => one.jid.replace('@g.us', '') }),
    call: {
      ring: () => simulator.ring(customer),
      giveUp: (id) => simulator.giveUp(customer, id),
      rejected: () => simulator.rejected,
    },
    history: { tell: (lines) => simulator.tellHistory(customer, lines) },
    phone: {
      leave: () => simulator.drop('loja', '401: logged out from another device'),
      scan: ({ qr }) => simulator.scan('loja', qr),
    },
    ownPhone: { write: (text) => simulator.ownPhone(customer, text) },
    echo: true,
    lacks: { mediaByAddress: 'A received file is named by its message; uazapi fetches it.' },
    revoke: () => {
      instance.token = 'outro-token'
      return () => {
        instance.token = token
      }
    },
    refusals: [
      ['401 token', refused(401, 'Invalid token'), broken],
      ['403 token', refused(403, 'Forbidden'), broken],
      ['401 phone away', refused(401, 'No session'), retry],
      ['500 phone away', refused(500, 'WhatsApp disconnected'), retry],
      ['400 of the content', refused(400, 'Missing required fields'), final],
      ['404 of a route', { status: 404, body: { code: 404, message: 'Not Found.', data: {} } }, final],
      ['413 too large', refused(413, 'File size exceeds limit'), final],
      ['415 of the file', refused(415, 'Unsupported media format'), final],
      ['429 without a time', refused(429, 'Rate limit exceeded'), retry],
      ['500 no WhatsApp', refused(500, 'the number 5511988887777@s.whatsapp.net is not on WhatsApp'), gone],
      ['500 group', refused(500, 'error sending message: group not found'), gone],
      ['500 restricted', refused(500, 'server returned error 463'), final],
      ['500 too fast for WhatsApp', refused(500, 'rate-overlimit'), { ...retry, retryAfterMs: 30_000 }],
      ['500 no word from WhatsApp', refused(500, 'timed out waiting for message send response'), uncertain],
      ['500 of its own', refused(500, 'Failed to upload media'), uncertain],
    ],
    fixtures,
  }
}

const groupOf = (simulator: UazapiSimulator): Harness<'uazapi'>['group'] => {
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
    mentioned: () => simulator.mentionedIn(group),
  }
}

const fixtures: Record<string, string> = {
  audio: 'message:audio',
  'audio-voice': 'message:audio',
  'blocks-event': '',
  'button-reply': 'message:text',
  'call-accept': 'nothing',
  'call-elsewhere': 'call:ended',
  'call-flat': 'call:ringing',
  'call-offer': 'call:ringing',
  'call-terminate': 'call:missed',
  'chat-labels-event': '',
  'chats-event': '',
  'connection-connected': 'connection + standing',
  'connection-connecting': 'standing',
  'connection-disconnected': 'standing',
  contact: 'message:contact',
  contacts: 'message:contact',
  'contacts-event': '',
  document: 'message:document',
  'document-caption': 'message:document',
  edited: 'edit',
  'group-announce': 'nothing',
  'group-demote': 'group:demoted',
  'group-join': 'group:joined',
  'group-leave': 'group:left',
  'group-promote': 'group:promoted',
  'group-subject': 'group:subject',
  history: 'history',
  image: 'message:image',
  'labels-event': '',
  'leads-event': '',
  'list-reply': 'message:text',
  location: 'message:location',
  'location-live': 'message:location',
  newsletter: 'nothing',
  'newsletter-messages': 'nothing',
  poll: 'message:poll',
  'poll-vote': 'vote',
  'poll-vote-taken-back': 'vote:none',
  'presence-composing': '',
  'protocol-other': 'nothing',
  reaction: 'reaction',
  'reaction-group': 'reaction',
  'reaction-removed': 'reaction:none',
  revoked: 'delete',
  'sender-key': 'nothing',
  'status-story': 'nothing',
  sticker: 'message:sticker',
  text: 'message:text',
  'text-by-api': '~message:text',
  'text-group': 'message:text@',
  'text-group-hidden': 'message:text@',
  'text-group-own': '~message:text@',
  'text-lid-chat': 'message:text',
  'text-lid-only': 'message:text',
  'text-old-number': 'message:text',
  'text-own-phone': '~message:text',
  'text-reply': 'message:text',
  'unknown-event': 'unknown',
  'unknown-type': 'unknown',
  'unknown-type-text': 'message:text',
  'update-deleted': 'delete',
  'update-delivered': 'status:delivered',
  'update-failed': 'status:failed',
  'update-flat': 'status:read',
  'update-many': 'status:read + status:read',
  'update-own-device': 'nothing',
  'update-played': 'status:played',
  'update-queued': 'nothing',
  'update-read': 'status:read',
  'update-sent': 'status:sent',
  video: 'message:video',
  'video-gif': 'message:video',
  'video-note': 'message:video',
  'view-once': 'message:unsupported',
}
