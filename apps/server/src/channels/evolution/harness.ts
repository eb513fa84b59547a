import { type EvolutionSimulator, startEvolutionSimulator } from '@balcao/simulators/evolution.ts'
import type { Harness } from '../conformance.stage.ts'
import { sampleTemplate, templatePart } from '../conformance.template.ts'
import { ledGroupOf } from '../whatsapp/led-group.ts'
import { evolution } from './adapter.ts'
import { secretHeader } from './instance.ts'

const apiKey = 'chave-global-de-teste-0123456789'
const hookSecret = 'segredo-do-gancho'
const instanceName = 't1-c7'
const refused = (status: number, ...message: unknown[]) => ({
  status,
  body: { status, error: 'Bad Request', response: { message } },
})
const meta = (code: number) => ({ status: 201, body: { message: `(#${code}) x`, type: 'OAuthException', code } })
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const gone = { ...final, isUnreachable: true } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const
const uncertain = { outcome: 'uncertain', isConnectionBroken: false } as const

/** Evolution API for the conformance suite: an instance with a phone linked to it. */
type Start = { metaToken?: string; integration?: 'WHATSAPP-BAILEYS' | 'WHATSAPP-BUSINESS' }
export const startEvolution = async ({ metaToken, integration }: Start = {}): Promise<Harness<'evolution'>> => {
  const delivery = { retryDelaysMs: [] }
  const simulator = await startEvolutionSimulator({
    globalKey: apiKey,
    metaToken,
    delivery,
    templates: [sampleTemplate],
  })
  const instance = await linkedInstance(simulator, integration)
  const customer = simulator.customer({ phone: '5511988887777', lid: '77712345678901', name: 'Ana Souza' })
  return {
    kind: 'evolution',
    adapter: evolution,
    simulator,
    config: { baseUrl: simulator.url, apiKey, instanceName, integration: 'WHATSAPP-BAILEYS' },
    alsoWith: [{ baseUrl: simulator.url, apiKey, instanceName, integration: cloud }],
    hookSecret,
    secrets: [
      'B6D711FC-DE4D-4FD5-9365-44120E713976',
      '2@segredo-que-liga-o-telefone',
      'segredoQueLigaOTelefone',
      'WZYEH1YY',
      'Y2hhdmUtZG8tYXJxdWl2bw==',
      'iVBORw0KGgoAAAANSUhEUgAAAAUA',
    ],
    customer,
    to: [{ kind: 'phone', value: customer.phone }],
    listen: (url) => {
      instance.webhook = { enabled: true, url, headers: { [secretHeader]: hookSecret }, events: [] }
    },
    providerIdOf: ({ id }) => id,
    post: async (body, signature) => {
      const headers = {
        right: { [secretHeader]: hookSecret },
        missing: {},
        wrong: { [secretHeader]: 'segredo-do-ganchO' },
      }
      return (await simulator.postRaw(instance.webhook?.url ?? '', body, headers[signature])).status
    },
    isSend: ({ path }) => /\/message\/send(?!Reaction)/.test(path),
    group: groupOf(simulator),
    ledGroup: ledGroupOf(simulator, { groups: () => simulator.groups, idOf: (one) => one.jid.replace('@g.us', '') }),
    history: { tell: (lines) => simulator.tellHistory(customer, lines) },
    phone: {
      leave: () => simulator.drop(instanceName, 401),
      scan: ({ qr }) => simulator.scan(instanceName, qr),
    },
    ownPhone: { write: (text) => simulator.ownPhone(customer, text) },
    echo: true,
    lacks: { mediaByAddress: 'A received file is named by its message; Evolution fetches it.' },
    revoke: () => {
      simulator.setGlobalKey('outra-chave')
      return () => simulator.setGlobalKey(apiKey)
    },
    refusals: [
      ['401 key', refused(401, 'Unauthorized'), broken],
      ['403 key', refused(403, 'Forbidden'), broken],
      ['404 instance', refused(404, 'The "t1-c7" instance does not exist'), broken],
      ['404 of a route', refused(404, 'Cannot POST /message/sendText/t1-c7'), final],
      ['404 group', refused(404, 'Group not found'), gone],
      ['400 no WhatsApp', refused(400, { jid: '55@s.whatsapp.net', exists: false, number: '55' }), gone],
      ['400 phone away', refused(400, 'Error: Connection Closed'), retry],
      ['400 restricted', refused(400, 'Error: 463 Your account has been restricted'), final],
      ['400 too fast', refused(400, 'Error: rate-overlimit'), { ...retry, retryAfterMs: 30_000 }],
      ['400 no word from WhatsApp', refused(400, 'Error: Timed Out'), uncertain],
      ['400 broke inside', refused(400, 'TypeError: this.isZero is not a function'), uncertain],
      ['400 of the content', refused(400, ['instance requires property "text"']), final],
      ['400 not allowed in the group', refused(400, 'Error: not-authorized'), final],
      ['413 too large', refused(413, 'request entity too large'), final],
      ['500 of its own', refused(500, 'Error: unknown'), uncertain],
      ['201 with an expired token of Meta', meta(190), broken],
      ['201 with a closed window of Meta', meta(131047), final],
      ['201 with nobody at Meta', meta(131026), gone],
      ['201 with a busy Meta', meta(131056), { ...retry, retryAfterMs: 6_000 }],
      ['201 with anything else of Meta', meta(131051), final],
    ],
    fixtures,
  }
}

const metaToken = 'EAAB-token-de-teste-0123456789'
/** An instance on Meta's API: no phone to link, hours of free text, no groups. */
export const startEvolutionCloud = async (): Promise<Harness<'evolution'>> => {
  const {
    group: _,
    history: __,
    phone: ___,
    ledGroup: ____,
    ...base
  } = await startEvolution({ metaToken, integration: cloud })
  const simulator = base.simulator as EvolutionSimulator // the one it has just started
  return {
    ...base,
    config: {
      ...base.config,
      integration: cloud,
      phoneNumberId: '106540352242922',
      businessId: '102290129340398',
      metaToken,
      graphUrl: `${simulator.url}/graph`,
    },
    alsoWith: [base.config],
    window: { close: simulator.closeWindow },
    template: templatePart,
    revoke: () => {
      const restore = base.revoke?.()
      simulator.setMetaToken('outro-token-da-meta')
      return () => {
        restore?.()
        simulator.setMetaToken(metaToken)
      }
    },
  }
}
const cloud = 'WHATSAPP-BUSINESS'

const linkedInstance = async (simulator: EvolutionSimulator, integration = 'WHATSAPP-BAILEYS') => {
  const ask = (path: string, method: 'GET' | 'POST', body?: object) =>
    fetch(`${simulator.url}/${path}`, {
      method,
      headers: { apikey: apiKey, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
  await ask('instance/create', 'POST', { instanceName, integration, number: '1' })
  await ask(`instance/connect/${instanceName}`, 'GET')
  if (integration === 'WHATSAPP-BAILEYS') await simulator.scan(instanceName)
  const instance = simulator.instances.get(instanceName)
  if (!instance) throw new Error('the instance was not made')
  return instance
}

const groupOf = (simulator: EvolutionSimulator): Harness<'evolution'>['group'] => {
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
  'call-offer': 'call:ringing',
  'call-preaccept': 'nothing',
  'call-terminate': 'call:ended',
  'call-timeout': 'call:missed',
  'chats-upsert': '',
  'cloud-image': 'message:image',
  'cloud-status': 'status:delivered',
  'cloud-text': 'message:text',
  'cloud-voice': 'message:audio',
  'connection-close': 'standing',
  'connection-connecting': 'standing',
  'connection-open': 'connection + standing',
  'connection-refused': 'standing',
  contact: 'message:contact',
  contacts: 'message:contact',
  'contacts-update': '',
  deleted: 'delete',
  document: 'message:document',
  'document-caption': 'message:document',
  edited: 'edit',
  'edited-caption': 'edit',
  'group-add': 'group:joined',
  'group-announce': 'nothing',
  'group-demote': 'group:demoted',
  'group-modify': 'nothing',
  'group-promote': 'group:promoted',
  'group-remove': 'group:left',
  'group-subject': 'group:subject',
  'group-upsert': 'nothing',
  history: 'history',
  image: 'message:image',
  'image-base64': 'message:image',
  'labels-edit': '',
  'list-reply': 'message:text',
  location: 'message:location',
  'location-live': 'message:location',
  'logout-instance': 'standing',
  newsletter: 'nothing',
  order: 'message:text',
  poll: 'message:poll',
  'poll-vote': 'vote',
  'poll-vote-group': 'vote',
  'poll-updates': 'vote + vote',
  'presence-composing': 'typing',
  'presence-group': 'nothing',
  'presence-paused': 'typing',
  'protocol-other': 'nothing',
  qrcode: 'standing',
  'qrcode-limit': 'standing',
  reaction: 'reaction',
  'reaction-group': 'reaction',
  'reaction-removed': 'reaction:none',
  'remove-instance': 'standing',
  revoked: 'delete',
  'send-message': '~message:text',
  'sender-key': 'nothing',
  'status-instance': 'standing',
  'status-story': 'nothing',
  sticker: 'message:sticker',
  'template-reply': 'message:text',
  text: 'message:text',
  'text-ephemeral': 'message:text',
  'text-group': 'message:text@',
  'text-group-own': '~message:text@',
  'text-lid-only': 'message:text',
  'text-old-number': 'message:text',
  'text-own-phone': '~message:text',
  'text-reply': 'message:text',
  'unknown-event': 'unknown',
  'unknown-type': 'unknown',
  'update-deleted': 'delete',
  'update-delivered': 'status:delivered',
  'update-error': 'status:failed',
  'update-group-read': 'status:read',
  'update-pending': 'nothing',
  'update-played': 'status:played',
  'update-read': 'status:read',
  'update-read-by-us': 'nothing',
  'update-server-ack': 'status:sent',
  'upsert-list': 'message:text | message:text',
  video: 'message:video',
  'video-note': 'message:video',
  'view-once': 'message:unsupported',
}
