import type { HubKind } from '@balcao/contract/channels/hub.ts'
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { startHubSimulator } from '@balcao/simulators/hub.ts'
import type { Harness } from '../conformance.stage.ts'
import { sample, templatePart } from '../conformance.template.ts'
import { hub } from './adapter.ts'
import { hookUrl } from './api.ts'
import { identityOf } from './parse.ts'

const hookSecret = 'segredo-do-gancho'
const token = 'token-da-conta-no-notificame-0001'
/** As the recorded payloads carry it. */
const channelToken = '7f1c0a52-6a8e-4f0c-9a55-0d3f5f2b0001'
const refused = (status: number, message: string) => ({ status, body: { message } })
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const people: Partial<Record<HubKind, string>> = {
  whatsapp: '5511988887777',
  instagram: '7410258963012345',
  email: 'ana@example.com',
}

/** One channel of an account at NotificaMe, for the conformance suite. */
export const startHub = async (channel: HubKind): Promise<Harness<'hub'>> => {
  const channels = [{ id: channelToken, name: 'Loja Aurora', channel }]
  const simulator = await startHubSimulator({ token, channels, delivery: { retryDelaysMs: [] } })
  simulator.addTemplate(sample)
  const id = people[channel] ?? '5900000001'
  const customer = simulator.customer({ id, name: 'Ana Souza' })
  customer.lastInboundAt = Date.now() // the window is open
  const identity = identityOf(channel, id)
  const hearsOut = channel === 'whatsapp'
  const config: ChannelConfig<'hub'> = {
    channel,
    channelToken,
    subject: 'Pedido',
    hearsOut,
    token,
    baseUrl: simulator.url,
  }
  let url = ''
  const close = () => {
    customer.lastInboundAt = undefined
    return () => {
      customer.lastInboundAt = Date.now()
    }
  }
  return {
    kind: 'hub',
    adapter: hub,
    simulator,
    config,
    alsoWith: [{ ...config, channel: 'whatsapp' }],
    hookSecret,
    customer,
    to: identity ? [identity] : [],
    ...(channel === 'whatsapp' && { template: templatePart }),
    ...((channel === 'whatsapp' || channel === 'instagram') && { window: { close } }),
    ...(hearsOut && {
      echo: true as const,
      ownPhone: { write: (text) => simulator.sendElsewhere(customer, text) },
    }),
    ...(channel !== 'whatsapp' && { hasNoMarks: true as const }),
    mediaByAddress: true,
    filesByAddress: true,
    pressesAreLoose: true,
    lacks: hearsOut
      ? {}
      : {
          echo: 'Only what comes in is asked for, unless the company wants the rest.',
          ownPhone: 'The same.',
        },
    listen: (webhookUrl) => {
      url = hookUrl({ webhookUrl, hookSecret })
      const direction = hearsOut ? undefined : ('IN' as const)
      simulator.subscriptions.push(
        { id: 's1', eventType: 'MESSAGE', criteria: { channel: channelToken, direction }, webhook: { url } },
        { id: 's2', eventType: 'MESSAGE_STATUS', criteria: { channel: channelToken }, webhook: { url } },
      )
    },
    providerIdOf: (line) => line.id,
    post: async (body, signature) => {
      const at = { right: url, missing: url.replace(/\?.*$/, ''), wrong: `${url}x` }[signature]
      return (await simulator.postRaw(body, at)).status
    },
    isSend: ({ path }) => path.endsWith('/messages'),
    revoke: () => {
      config.token = 'outro-token-que-nao-vale'
      return () => {
        config.token = token
      }
    },
    refusals: [
      ['401 of the token', refused(401, 'Invalid token'), broken],
      ['403 of the token', refused(403, 'Forbidden'), broken],
      ['400 of the channel', refused(400, 'Channel not found or disabled'), broken],
      ['400 of the recipient', refused(400, 'Recipient not found'), { ...final, isUnreachable: true }],
      ['400 of the window', refused(400, 'Message outside the 24 hour window'), final],
      ['400 of anything else', refused(400, 'Validation error'), final],
      ['400 in another spelling', { status: 400, body: { error: { message: 'Validation error' } } }, final],
    ],
    fixtures,
  }
}

const fixtures: Record<string, string> = {
  audio: 'message:audio',
  contacts: 'message:contact',
  delivered: 'status:delivered',
  document: 'message:document',
  'email-mail': 'message:text',
  image: 'message:image',
  'instagram-text': 'message:text',
  location: 'message:location',
  'not-delivered': 'status:failed',
  'olx-text': 'message:text',
  out: '~message:text',
  pressed: 'message:text',
  read: 'status:read',
  rejected: 'status:failed',
  sent: 'status:sent',
  several: 'message:text + message:image',
  'telegram-text': 'message:text',
  text: 'message:text',
  'unknown-channel': 'unknown',
  'unknown-content': 'message:unsupported',
  'unknown-event': 'unknown',
  'unknown-status': 'nothing',
}
