import { sampleMedia } from '@balcao/simulators/samples.ts'
import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import type { Harness } from '../conformance.stage.ts'
import { telegram } from './adapter.ts'
import { allowedUpdates } from './parse.ts'

const botToken = '7000000001:AAtoken-de-teste-0123456789'
const hookSecret = 'segredo-do-gancho'
const refused = (code: number, description: string, parameters?: object) => ({
  status: code,
  body: { ok: false, error_code: code, description, parameters },
})
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const gone = { ...final, isUnreachable: true } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const

/** Telegram Bot API for the conformance suite. */
export const startTelegram = async (): Promise<Harness<'telegram'>> => {
  const simulator = await startTelegramSimulator({ botToken, botUsername: 'loja_bot', delivery: { retryDelaysMs: [] } })
  const customer = simulator.customer({ firstName: 'Ana', lastName: 'Souza' })
  await customer.sendText('/start') // a bot cannot write first
  const members = [
    simulator.customer({ firstName: 'Bruno', lastName: 'Lima' }),
    simulator.customer({ firstName: 'Carla', lastName: 'Dias' }),
  ] as const
  const chat = simulator.group({ title: 'Vizinhos', members: [...members] })
  const led = simulator.group({ title: 'Bairro', members: [...members] })
  // An administrator who writes as the group: Telegram puts one and the same bot in their place, in every group.
  const sender_chat = { id: chat.id, type: chat.type, title: chat.title }
  const asGroup = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' }
  const config = { botToken, receive: 'webhook' as const, baseUrl: simulator.url }
  return {
    kind: 'telegram',
    adapter: telegram,
    simulator,
    config,
    hookSecret,
    customer,
    hasNoMarks: true,
    to: [{ kind: 'telegram', value: customer.id }],
    group: {
      identity: { kind: 'telegram', value: String(chat.id) },
      members: [
        { kind: 'telegram', value: members[0].id },
        { kind: 'telegram', value: members[1].id },
      ],
      speak: async (lines) => {
        for (const { who, text } of lines) {
          const extra = who === 'unnamed' ? { from: asGroup, sender_chat } : {}
          await members[who === 'unnamed' ? 0 : who].sendText(text, { chat, extra })
        }
      },
      mentioned: () => {
        const said = members[0].inbox.at(-1)?.entities ?? []
        return said.flatMap(({ type, user }) => (type === 'text_mention' && user ? [String(user.id)] : []))
      },
    },
    ledGroup: {
      to: [{ kind: 'telegram', value: String(led.id) }],
      shown: () => ({
        title: led.title ?? '',
        description: led.description ?? '',
        isAdminsOnly: led.isAdminsOnly ?? false,
        hasPicture: led.hasPhoto ?? false,
        members: led.members.map(({ id }) => ({ kind: 'telegram' as const, value: id })),
        admins: [...(led.admins ?? [])].map((id) => ({ kind: 'telegram' as const, value: String(id) })),
      }),
      isDeleted: (providerId) =>
        members.some(({ transcript }) =>
          transcript.some(({ id, isDeleted }) => id === providerId.split(':')[1] && isDeleted),
        ),
      rank: (ours) => {
        led.ours = ours
      },
      member: [{ kind: 'telegram', value: members[1].id }],
      outsider: [{ kind: 'telegram', value: members[0].id }],
    },
    album: {
      send: (pictures, caption) =>
        customer.sendAlbum(
          Array.from({ length: pictures }, () => sampleMedia('image')),
          caption,
        ),
      groupsOfLast: () => customer.inbox.slice(-2).map(({ payload }) => Object(payload).media_group_id),
    },
    lacks: {
      ownPhone: 'A bot has no phone that somebody else writes on.',
      echo: 'A bot is never told of its own messages.',
      mediaByAddress: 'A received file is named by an id; its address carries the token and is never journalled.',
    },
    listen: (url) => Object.assign(simulator.webhook, { url, secretToken: hookSecret, allowedUpdates }),
    providerIdOf: ({ id }) => `${customer.id}:${id}`,
    post: async (body, signature) => {
      const secret = { right: undefined, missing: null, wrong: 'segredo-do-ganchO' }[signature]
      return (await simulator.postRaw(body, { secret })).status
    },
    isSend: ({ path }) => /\/send(?!ChatAction)/.test(path),
    revoke: () => {
      config.botToken = '7000000001:AAtoken-revogado-0123456789'
      return () => {
        config.botToken = botToken
      }
    },
    session: {
      config: { ...config, receive: 'polling' },
      hangUp: () => Object.assign(simulator.webhook, { url: '' }),
    },
    refusals: [
      ['400 of the text', refused(400, 'Bad Request: message is too long'), final],
      ['400 of anything else', refused(400, 'Bad Request: novidade'), final],
      ['400 chat not found', refused(400, 'Bad Request: chat not found'), gone],
      ['401 token', refused(401, 'Unauthorized'), { outcome: 'final', isConnectionBroken: true }],
      ['404 token', refused(404, 'Not Found'), { outcome: 'final', isConnectionBroken: true }],
      ['403 blocked', refused(403, 'Forbidden: bot was blocked by the user'), gone],
      ['403 kicked', refused(403, 'Forbidden: bot was kicked from the group chat'), gone],
      ['413 too large', refused(413, 'Request Entity Too Large'), final],
      [
        '429 with retry_after',
        refused(429, 'Too Many Requests', { retry_after: 5 }),
        { ...retry, retryAfterMs: 5_000 },
      ],
      ['429 without', refused(429, 'Too Many Requests'), { ...retry, retryAfterMs: 5_000 }],
      ['500 of its own', refused(500, 'Internal Server Error'), retry],
      ['200 with an error inside', { ...refused(403, 'Forbidden: bot was blocked by the user'), status: 200 }, gone],
      [
        '200 with a passing error inside',
        { ...refused(429, 'x', { retry_after: 3 }), status: 200 },
        { ...retry, retryAfterMs: 3_000 },
      ],
    ],
    fixtures,
  }
}

const fixtures: Record<string, string> = {
  'album-1': 'message:image',
  'album-2': 'message:image',
  animation: 'message:video',
  audio: 'message:audio',
  'business-message': 'unknown',
  'callback-query': 'message:text',
  'channel-post': 'unknown',
  'contact-own': 'message:contact + identity:telegram>phone',
  contact: 'message:contact',
  'deleted-business-messages': 'unknown',
  document: 'message:document',
  'edited-message': 'edit',
  forwarded: 'message:text',
  'group-text': 'message:text@',
  'left-chat-member': 'group:left',
  location: 'message:location',
  'message-reaction-removed': 'reaction:none',
  'message-reaction': 'reaction',
  'migrate-from': 'identity:telegram>telegram',
  'migrate-to': 'identity:telegram>telegram',
  'my-chat-member-blocked': 'unreachable',
  'my-chat-member-unblocked': 'reachable',
  'new-chat-members': 'group:joined',
  photo: 'message:image',
  poll: 'message:poll',
  'poll-answer': 'vote',
  'poll-answer-taken-back': 'vote:none',
  'poll-answer-as-chat': 'vote',
  quote: 'message:text',
  reply: 'message:text',
  'start-payload': 'message:text',
  sticker: 'message:sticker',
  'text-entities': 'message:text',
  text: 'message:text',
  'unknown-kind': 'unknown',
  venue: 'message:location',
  'video-note': 'message:video',
  video: 'message:video',
  voice: 'message:audio',
}
