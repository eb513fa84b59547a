import { startZapiSimulator, type ZapiSimulator } from '@balcao/simulators/zapi.ts'
import type { Harness } from '../conformance.stage.ts'
import { ledGroupOf } from '../whatsapp/led-group.ts'
import { zapi } from './adapter.ts'
import { hookUrl } from './instance.ts'

const instanceId = '3C67AB641C8AA0412F6A242B4E23AC7D'
const instanceToken = 'D67C8EE3A4BA4E40B1B1F7A2'
const clientToken = 'F5b2c0a1e7d94d0f8c6a3bS'
const hookSecret = 'segredo-do-gancho'
const refused = (status: number, error: string) => ({ status, body: { error } })
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const gone = { ...final, isUnreachable: true } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const

/** Z-API for the conformance suite: its instance with a phone linked to it. */
export const startZapi = async (): Promise<Harness<'zapi'>> => {
  const simulator = await startZapiSimulator({
    instanceId,
    instanceToken,
    clientToken,
    delivery: { retryDelaysMs: [] },
  })
  await simulator.scan()
  const customer = simulator.customer({ phone: '5511988887777', lid: '77712345678901', name: 'Ana Souza' })
  return {
    kind: 'zapi',
    adapter: zapi,
    simulator,
    config: { instanceId, instanceToken, clientToken, baseUrl: simulator.url },
    hookSecret,
    secrets: ['AR5d4yUr+DmSzeCR2kUtPEeMfS+eG0O'],
    customer,
    to: [{ kind: 'phone', value: customer.phone }],
    listen: (webhookUrl) => simulator.setWebhooks(hookUrl({ webhookUrl, hookSecret })),
    providerIdOf: ({ id }) => id,
    post: async (body, signature) => {
      const right = simulator.instance.hooks.received ?? ''
      const url = { right, missing: right.replace(/\?.*$/, ''), wrong: right.replace(/.$/, '_') }
      return (await simulator.postRaw(url[signature], body)).status
    },
    isSend: ({ path }) => /\/send-(?!reaction|remove-reaction)/.test(path),
    group: groupOf(simulator),
    ledGroup: ledGroupOf(simulator, { groups: () => simulator.groups, idOf: (one) => one.id.replace('-group', '') }),
    phone: {
      leave: () => simulator.drop(),
      scan: ({ qr }) => simulator.scan(qr),
    },
    ownPhone: { write: (text) => simulator.ownPhone(customer, text) },
    echo: true,
    mediaByAddress: true,
    revoke: () => {
      simulator.setClientToken('outro-token')
      return () => simulator.setClientToken(clientToken)
    },
    refusals: [
      ['403 no security token', refused(403, 'null not allowed'), broken],
      ['400 of the security token', refused(400, 'Client-Token F5b not allowed'), broken],
      ['401', refused(401, 'Unauthorized'), broken],
      ['404 instance', refused(404, 'Instance not found'), broken],
      ['400 unpaid', refused(400, 'To continue sending a message, you must subscribe to this instance again'), broken],
      ['200 unpaid', refused(200, 'To continue sending a message, you must subscribe to this instance again'), broken],
      ['400 no WhatsApp', refused(400, 'Phone number does not exist'), gone],
      ['400 phone away', refused(400, 'You are not connected.'), retry],
      ['400 session away', refused(400, 'You need to restore the session.'), retry],
      ['400 restricted', refused(400, 'Error 463: account restricted'), final],
      ['400 group', refused(400, 'Group not found'), gone],
      ['400 of the content', refused(400, 'message is required'), final],
      ['404 of a method', refused(404, 'NOT_FOUND'), final],
      ['405 verb', refused(405, 'Method Not Allowed'), final],
      ['413 too large', refused(413, 'Payload Too Large'), final],
      ['415 no type', refused(415, 'Unsupported Media Type'), final],
      ['429 without when', { status: 429, body: '' }, retry],
    ],
    fixtures,
  }
}

const groupOf = (simulator: ZapiSimulator): Harness<'zapi'>['group'] => {
  const members = [
    simulator.customer({ phone: '5511977776666', name: 'Bruno Lima' }),
    simulator.customer({ phone: '5511966665555', name: 'Carla Dias' }),
  ] as const
  const stranger = simulator.customer({ phone: '5511955554444', name: 'Davi', hidesPhone: true })
  const group = simulator.group('Vizinhos', [...members, stranger])
  return {
    identity: { kind: 'group', value: group.id.replace('-group', '') },
    members: [
      { kind: 'phone', value: members[0].phone },
      { kind: 'phone', value: members[1].phone },
    ],
    speak: async (lines) => {
      for (const { who, text } of lines) {
        if (who === 'unnamed') await stranger.sendText(text, { group, isHidden: true })
        else await members[who].sendText(text, { group })
      }
    },
    mentioned: () => simulator.mentionedIn(group),
  }
}

const fixtures: Record<string, string> = {
  audio: 'message:audio',
  'audio-voice': 'message:audio',
  'broadcast-list': 'message:text',
  'button-reply': 'message:text',
  buttons: 'message:text',
  'call-missed-video': 'call:missed',
  'call-missed-voice': 'call:missed',
  'call-voice': 'call:ringing',
  connected: 'connection + standing',
  contact: 'message:contact',
  contacts: 'message:contact',
  delivery: 'status:sent',
  'delivery-failed': 'status:failed',
  disconnected: 'standing',
  document: 'message:document',
  edited: 'edit',
  'edited-caption': 'edit',
  'edited-named': 'edit',
  'group-add': 'group:joined',
  'group-create': 'nothing',
  'group-icon': 'group:picture',
  'group-leave': 'group:left',
  'group-promote': 'group:promoted',
  'group-remove': 'group:left',
  'group-subject': 'group:subject',
  image: 'message:image',
  'image-lost': 'message:image',
  'image-once': 'message:image',
  'list-reply': 'message:text',
  location: 'message:location',
  'membership-request': 'nothing',
  newsletter: 'nothing',
  'notice-encrypted': 'nothing',
  'notice-payment': 'nothing',
  order: 'message:text',
  payment: 'message:text',
  'payment-request': 'message:text',
  pin: 'nothing',
  'pix-key': 'message:text',
  poll: 'message:poll',
  'poll-vote': 'vote',
  'poll-vote-taken-back': 'vote:none',
  'presence-composing': 'typing',
  'presence-group': 'nothing',
  'presence-paused': 'typing',
  'presence-recording': 'typing',
  'presence-unavailable': 'typing',
  product: 'message:text',
  reaction: 'reaction',
  'reaction-group': 'reaction',
  'reaction-removed': 'reaction:none',
  'review-and-pay': 'message:text',
  'review-order': 'message:text',
  revoked: 'delete',
  'status-played': 'status:played',
  'status-read': 'status:read | status:read',
  'status-read-by-me': 'nothing',
  'status-received': 'status:delivered',
  'status-reply': 'message:text',
  'status-sent': 'status:sent',
  'status-story': 'nothing',
  sticker: 'message:sticker',
  template: 'message:text',
  text: 'message:text',
  'text-ad': 'message:text',
  'text-from-api': '~message:text',
  'text-group': 'message:text@',
  'text-group-old': 'message:text@',
  'text-group-own': '~message:text@',
  'text-lid-only': 'message:text',
  'text-old-number': 'message:text',
  'text-own-phone': '~message:text',
  'text-reply': 'message:text',
  'unknown-content': 'unknown',
  'unknown-event': 'unknown',
  video: 'message:video',
  waiting: 'nothing',
}
