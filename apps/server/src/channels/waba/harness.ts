import { startWabaSimulator, type WabaCustomer, type WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Harness } from '../conformance.stage.ts'
import { sample, templatePart } from '../conformance.template.ts'
import { waba } from './adapter.ts'

const config = {
  accessToken: 'EAAB-token-de-teste-0123456789',
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  appSecret: 'segredo-do-aplicativo-de-teste',
  verifyToken: 'palavra-de-verificacao',
  apiVersion: 'v25.0',
}
const refused = (status: number, code: number) => ({
  status,
  body: { error: { message: `(#${code}) x`, type: 'OAuthException', code, error_data: { details: 'x' } } },
})
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const

/** WhatsApp Cloud API for the conformance suite. */
export const startWaba = async (): Promise<Harness<'waba'>> => {
  const simulator = await startWabaSimulator({
    ...config,
    displayPhoneNumber: '+55 11 3000-0000',
    delivery: { retryDelaysMs: [] },
  })
  const customer = simulator.customer({ waId: '5511988887777', name: 'Ana Souza' })
  customer.lastInboundAt = Date.now() // the 24 h window is open
  simulator.addTemplate(sample)
  simulator.shop.flows.push(
    { id: '771', name: 'Agendar visita', status: 'PUBLISHED' },
    { id: '772', name: 'Ainda por fazer', status: 'DRAFT' },
  )
  simulator.shop.catalogId = '8800'
  simulator.shop.products.push(
    { retailer_id: 'SKU-1', name: 'Camiseta', price: 'R$ 49,90' },
    { retailer_id: 'SKU-2', name: 'Calça jeans', price: 'R$ 159,00' },
  )
  const tell = partsOf(simulator, customer)
  return {
    kind: 'waba',
    template: templatePart,
    group: tell.group,
    call: tell.call,
    history: tell.history,
    window: {
      close: () => {
        customer.lastInboundAt = undefined
        return () => {
          customer.lastInboundAt = Date.now()
        }
      },
    },
    ownPhone: { write: (text) => simulator.echo(customer, text) },
    lacks: {
      echo: 'What is sent by the Cloud API is told by its states alone.',
      mediaByAddress: 'A received file is named by an id; its address is asked for and lives five minutes.',
    },
    adapter: waba,
    simulator,
    config: { ...config, baseUrl: simulator.url },
    hookSecret: 'segredo-do-gancho',
    customer,
    to: [{ kind: 'phone', value: '5511988887777' }],
    listen: (url) => simulator.setWebhook(url),
    providerIdOf: ({ id }) => id,
    post: async (body, signature) => {
      const given = { right: undefined, missing: null, wrong: `sha256=${'0'.repeat(64)}` }[signature]
      return (await simulator.postRaw(body, { signature: given })).status
    },
    sign: (body) => ({ 'x-hub-signature-256': simulator.sign(body) }),
    isSend: ({ method, path, body }) =>
      method === 'POST' && path.endsWith('/messages') && typeof body === 'object' && body !== null && 'type' in body,
    revoke: () => {
      simulator.setAccessToken('outro')
      return () => simulator.setAccessToken(config.accessToken)
    },
    refusals: [
      ...[0, 190].map((code) => [`${code} token`, refused(401, code), broken] as Refusal),
      ...[3, 10, 200, 299].map((code) => [`${code} permission`, refused(403, code), broken] as Refusal),
      ...[368, 130497, 131031].map((code) => [`${code} locked`, refused(403, code), broken] as Refusal),
      ...[131037, 131042, 131045, 133000, 133010, 133016].map(
        (code) => [`${code} admin`, refused(400, code), broken] as Refusal,
      ),
      ...[4, 80007, 130429, 132069].map((code) => [`${code} rate`, refused(400, code), retry] as Refusal),
      ...[131000, 131016, 131057].map((code) => [`${code} down`, refused(500, code), retry] as Refusal),
      ['131056 pair rate', refused(400, 131056), { ...retry, retryAfterMs: 6_000 }],
      [
        'a rate with Retry-After',
        { ...refused(429, 130429), headers: { 'retry-after': '30' } },
        { ...retry, retryAfterMs: 30_000 },
      ],
      ...[33, 100, 131008, 131009, 131051, 130472, 131021, 131047, 131048, 131049, 131050, 131052, 131053].map(
        (code) => [`${code} refused`, refused(400, code), final] as Refusal,
      ),
      ...[132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 132068].map(
        (code) => [`${code} template`, refused(400, code), final] as Refusal,
      ),
      ['131026 undeliverable', refused(400, 131026), { ...final, isUnreachable: true }],
      ['a code nobody knows, 4xx', refused(400, 999_999), final],
      ['a code nobody knows, 5xx', refused(500, 999_999), retry],
      ['200 with an error inside', refused(200, 131047), final],
      ['200 with a passing error inside', refused(200, 131016), retry],
    ],
    fixtures,
  }
}

/** What happens around the customer, as Meta tells it. */
const partsOf = (simulator: WabaSimulator, { waId }: WabaCustomer) => {
  const business = '551130000000'
  const metadata = { display_phone_number: business, phone_number_id: config.phoneNumberId }
  const told = (field: string, value: object) =>
    simulator.emitChange(field, { messaging_product: 'whatsapp', metadata, ...value })
  const now = () => String(Math.floor(Date.now() / 1_000))
  let written = 0
  const ids = () => `wamid.prova-${++written}`

  const people = [
    { profile: { name: 'Bruno Lima' }, wa_id: '5511977776666', user_id: 'BR.77776666' },
    { profile: { name: 'Carla Dias' }, wa_id: '5511966665555', user_id: 'BR.66665555' },
  ] as const
  const groupId = '120363000000000042'
  const group: Harness<'waba'>['group'] = {
    identity: { kind: 'group', value: groupId },
    members: [
      { kind: 'phone', value: people[0].wa_id },
      { kind: 'phone', value: people[1].wa_id },
    ],
    speak: (lines) =>
      told('messages', {
        contacts: people.filter((_, at) => lines.some(({ who }) => who === at)),
        messages: lines.map(({ who, text }) => ({
          ...(who === 'unnamed'
            ? { from: '5511955554444' }
            : { from: people[who].wa_id, from_user_id: people[who].user_id }),
          id: ids(),
          timestamp: now(),
          type: 'text',
          text: { body: text },
          group_id: groupId,
        })),
      }),
  }

  const calling = (id: string, more: object) => {
    const call = { id, direction: 'USER_INITIATED', from: waId, to: business, timestamp: now(), ...more }
    return told('calls', { calls: [call] })
  }
  const call: Harness<'waba'>['call'] = {
    ring: async () => {
      const id = `wacid.prova-${++written}`
      await calling(id, { event: 'connect' })
      return id
    },
    giveUp: (id) => calling(id, { event: 'terminate', status: 'FAILED' }),
    rejected: () => simulator.rejectedCalls,
  }
  const history: Harness<'waba'>['history'] = {
    tell: (lines) => {
      const messages = lines.map(({ text, fromMe, at }) => ({
        from: fromMe ? business : waId,
        id: ids(),
        timestamp: String(at.getTime() / 1_000),
        type: 'text',
        text: { body: text },
      }))
      return told('history', { history: [{ threads: [{ id: waId, messages }] }] })
    },
  }
  return { group, call, history }
}

type Refusal = Harness<'waba'>['refusals'][number]

const fixtures: Record<string, string> = {
  'account-alerts': 'alert + standing',
  'account-review-update': 'alert + standing',
  'account-update': 'alert + standing',
  'audio-voice': 'message:audio',
  audio: 'message:audio',
  batch: 'message:text | message:text | status:delivered | status:sent | message:text',
  'business-capability-update': 'alert + standing',
  button: 'message:text',
  'calls-connect': 'call:ringing',
  'calls-status': 'unknown',
  'calls-terminate': 'call:ended',
  contacts: 'message:contact',
  document: 'message:document',
  errors: 'unknown',
  'group-lifecycle-update': 'unknown',
  'group-participants-update': 'group:joined',
  'group-settings-update': 'group:subject',
  history: 'history',
  'image-with-url': 'message:image',
  image: 'message:image',
  'interactive-button-reply': 'message:text',
  'interactive-call-permission-reply': 'message:text',
  'interactive-list-reply': 'message:text',
  'interactive-nfm-reply': 'message:text',
  'location-bare': 'message:location',
  location: 'message:location',
  'message-template-components-update': 'templates',
  'message-template-quality-update': 'templates',
  'message-template-status-update': 'templates',
  order: 'message:text',
  'phone-number-name-update': 'alert + standing',
  'phone-number-quality-update': 'alert + standing',
  'reaction-empty': 'reaction:none',
  'reaction-removed': 'reaction:none',
  reaction: 'reaction',
  'request-welcome': 'message:unsupported',
  security: 'alert + standing',
  'smb-app-state-sync': 'unknown',
  'smb-message-echoes': '~message:text',
  'status-bsuid-only': 'status:delivered',
  'status-delivered': 'status:delivered',
  'status-failed': 'status:failed',
  'status-played': 'status:played',
  'status-read': 'status:read',
  'status-sent': 'status:sent',
  'sticker-animated': 'message:sticker',
  sticker: 'message:sticker',
  'system-customer-changed-number': 'identity:bsuid>phone + identity:phone>phone',
  'system-customer-identity-changed': 'nothing',
  'system-user-changed-number':
    'identity:bsuid>bsuid + identity:phone>bsuid + identity:bsuid>phone + identity:phone>phone',
  'system-user-changed-user-id': 'identity:bsuid>bsuid + identity:phone>bsuid',
  'template-category-update': 'templates',
  'text-bsuid-only': 'message:text',
  'text-forwarded': 'message:text',
  'text-group': 'message:text@',
  'text-product': 'message:text',
  'text-referral': 'message:text',
  'text-reply': 'message:text',
  text: 'message:text',
  'unknown-field': 'unknown',
  'unknown-type': 'unknown',
  'unsupported-edit': 'message:unsupported',
  'unsupported-poll': 'message:unsupported',
  'unsupported-unavailable': 'message:unsupported',
  'user-preferences': 'consent:no',
  video: 'message:video',
}
