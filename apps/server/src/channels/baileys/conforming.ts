import type { ChannelAdapter, Session } from '../adapter.ts'
import type { Harness } from '../conformance.stage.ts'
import { ledGroupOf } from '../whatsapp/led-group.ts'
import { baileys } from './adapter.ts'
import { startBaileys } from './harness.ts'

const number = '5511940001000'
const marker = '900000000000'
const final = { outcome: 'final', isConnectionBroken: false } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const
const uncertain = { outcome: 'uncertain', isConnectionBroken: false } as const

/** A phone linked by QR code for the conformance suite: what only the owner of its session can do, that session does. */
export const startConforming = async (): Promise<Harness<'baileys'>> => {
  const stage = await startBaileys()
  const { simulator, told } = stage
  const customer = simulator.customer({ phone: '5511988887777', lid: '77712345678901', name: 'Ana Souza' })
  let session: Session | undefined
  const calls = (baileys.session?.remote ?? []).map((name) => [
    name,
    async (target: never) => session?.calls[name]?.(target),
  ])
  const adapter: ChannelAdapter<'baileys'> = { ...baileys, ...Object.fromEntries(calls) }

  /** What was told before has been journalled when a word told after it has; the line may be broken meanwhile. */
  const marks = { told: 0, kept: 0 }
  const idle = async () => {
    await simulator.idle()
    if (!simulator.isLinked()) return
    marks.told += 1
    const mark = () => simulator.tell({ 'lid-mapping.update': { lid: `${marker}${marks.told}@lid`, pn: jid } })
    mark()
    for (let asks = 1; marks.kept < marks.told; asks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (asks % 100 === 0) mark()
    }
  }
  return {
    kind: 'baileys',
    adapter,
    simulator: { ...simulator, idle },
    config: stage.context.config,
    hookSecret: stage.context.hookSecret,
    secrets: ['bWluaWF0dXJhLXF1ZS1uYW8tZmljYQ=='],
    customer,
    to: [{ kind: 'phone', value: customer.phone }],
    listen: async (_url, keep) => {
      stage.heard.keep = (pieces) => {
        for (const { key } of pieces) {
          const [, mark] = new RegExp(`^mapping:${marker}(\\d+)@`).exec(key) ?? []
          if (mark) marks.kept = Math.max(marks.kept, Number(mark))
        }
        keep(pieces.filter(({ key }) => !key.startsWith(`mapping:${marker}`)))
      }
      session = (await stage.open({ since: new Date(0), until: new Date(2 ** 42), hasGroups: true })).session
      await until(() => told.at(-1)?.login !== undefined)
      simulator.scan(number)
      await until(() => told.at(-1)?.status === 'CONNECTED')
    },
    tell: async (payload) => {
      simulator.tell(Object(payload))
      await idle()
    },
    standing: () => told.at(-1),
    providerIdOf: ({ id }) => id,
    isSend: ({ path }) => path === 'sendMessage',
    group: groupOf(stage),
    ledGroup: ledGroupOf(simulator, {
      groups: () => simulator.chatGroups,
      idOf: (one) => one.jid.replace('@g.us', ''),
    }),
    call: {
      ring: () => simulator.ring(customer),
      giveUp: (id) => simulator.ring(customer, 'timeout', id),
      rejected: () => simulator.rejected,
    },
    history: {
      tell: async (lines) => {
        const before = stage.journal.size
        await simulator.tellHistory(customer, lines)
        await until(() => stage.journal.size > before + 1) // the stretch, and how far it has come
      },
    },
    phone: {
      leave: async () => simulator.end(401),
      scan: async () => simulator.scan(number),
    },
    ownPhone: { write: (text) => simulator.ownPhone(customer, text) },
    echo: true,
    lacks: {
      post: 'The library keeps a socket of its own to WhatsApp: nobody calls us, and no statuses or pages of HTTP come back.',
      revoke: 'There is no token: what a phone takes away is its link, which the part "phone" shows.',
      mediaByAddress: 'A received file is named by where it lies at WhatsApp’s own host.',
    },
    refusals: [
      ['the line breaks before it accepts', { drop: true }, uncertain],
      ['it accepts and the line breaks', { afterAccepting: true }, uncertain],
      ['429 too fast', { status: 429, body: 'rate-overlimit' }, { ...retry, retryAfterMs: 60_000 }],
      [
        'the phone was taken away',
        { status: 401, body: 'Unauthorized' },
        { outcome: 'final', isConnectionBroken: true },
      ],
      ['not allowed in this conversation', { status: 403, body: 'forbidden' }, final],
      ['a conversation that is gone', { status: 404, body: 'item-not-found' }, { ...final, isUnreachable: true }],
      ['a file not taken', { status: 500, body: 'Media upload failed on all hosts' }, retry],
      ['no word from WhatsApp', { status: 408, body: 'Timed Out' }, uncertain],
    ],
    fixtures,
  }
}

const jid = `${number}@s.whatsapp.net`

const until = async (isSo: () => boolean) => {
  for (const end = Date.now() + 20_000; !isSo(); await new Promise((resolve) => setTimeout(resolve, 5)))
    if (Date.now() > end) throw new Error('The session did not come so far')
}

const groupOf = ({ simulator }: Awaited<ReturnType<typeof startBaileys>>): Harness<'baileys'>['group'] => {
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
  'audio-voice': 'message:audio',
  'call-offer': 'call:ringing',
  'call-relay': 'nothing',
  'call-terminate': 'call:ended',
  'call-timeout': 'call:missed',
  'call-video': 'call:ringing',
  contact: 'message:contact',
  contacts: '',
  document: 'message:document',
  'document-caption': 'message:document',
  edited: 'edit',
  'edited-update': 'edit',
  'group-add': 'group:joined',
  'group-announce': 'nothing',
  'group-demote': 'group:demoted',
  'group-leave': 'group:left',
  'group-link': 'group:joined',
  'group-picture': 'group:picture',
  'group-promote': 'group:promoted',
  'group-remove': 'group:left',
  'group-subject': 'group:subject',
  image: 'message:image',
  'live-location': 'message:location',
  location: 'message:location',
  mapping: 'identity:phone>lid',
  newsletter: '',
  order: 'message:text',
  pin: 'nothing',
  product: 'message:text',
  reaction: 'reaction',
  'reaction-group': 'reaction',
  'reaction-removed': 'reaction:none',
  'receipt-group': 'status:delivered',
  revoked: 'delete',
  'revoked-update': 'delete',
  'sender-key': 'nothing',
  'status-delivered': 'status:delivered',
  'status-played': 'status:played',
  'status-read': 'status:read',
  'status-restricted': 'status:failed',
  'status-sent': 'status:sent',
  'status-story': '',
  sticker: 'message:sticker',
  text: 'message:text',
  'text-ephemeral': 'message:text',
  'text-extended': 'message:text',
  'text-group': 'message:text@',
  'text-group-hidden': 'message:text@',
  'text-lid-only': 'message:text',
  'text-mention': 'message:text@',
  'text-own-phone': '~message:text',
  'text-phone-only': 'message:text',
  'text-reply': 'message:text',
  typing: 'typing',
  undecryptable: '',
  'unknown-type': 'unknown',
  video: 'message:video',
  'video-note': 'message:video',
  'view-once': 'message:unsupported',
}
