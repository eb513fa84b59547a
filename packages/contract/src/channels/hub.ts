import { z } from 'zod'
import { hubGateway } from '../core/integrations/gateways.ts'
import type { abilities } from './abilities.ts'
import { defineChannel } from './define.ts'

/** What NotificaMe calls the channels behind its hub, and what we call them. */
export const hubKinds = {
  whatsapp: 'WhatsApp',
  instagram: 'Instagram',
  facebook: 'Messenger',
  telegram: 'Telegram',
  webchat: 'Chat do site',
  email: 'E-mail',
  sms: 'SMS',
  rcs: 'RCS',
  gbm: 'Google Business Messages',
  tiktok: 'TikTok',
  olx: 'OLX',
  mercadolivre: 'Mercado Livre',
} as const
export type HubKind = keyof typeof hubKinds
export const hubKindNames = Object.keys(hubKinds) as [HubKind, ...HubKind[]]

const textOnly = { supports: ['text'], textLimits: { text: 1_000, caption: 0 } } as const
const withFiles = {
  supports: ['text', 'image', 'audio', 'video', 'document'],
  textLimits: { text: 4_096, caption: 1_024 },
} as const
const page = { windowHours: 24, buttonLimits: { most: 3, title: 20, body: 640 } }
const byPhone = { reachedBy: ['phone'] }

/** What the hub carries for each of them: its content types (reference sheet hub-notificame.md), its owner's limits. */
const can: Record<HubKind, z.input<typeof abilities>> = {
  whatsapp: {
    supports: [
      'text',
      'image',
      'audio',
      'video',
      'document',
      'sticker',
      'location',
      'contact',
      'template',
      'buttons',
      'list',
      'mass',
      'window24h',
    ],
    windowHours: 24,
    textLimits: { text: 4_096, caption: 1_024 },
    buttonLimits: { most: 3, title: 20, body: 1_024 },
    ...byPhone,
  },
  instagram: {
    supports: ['text', 'image', 'audio', 'video', 'buttons', 'window24h'],
    textLimits: { text: 1_000, caption: 0 },
    ...page,
  },
  facebook: {
    supports: ['text', 'image', 'audio', 'video', 'document', 'buttons', 'window24h'],
    textLimits: { text: 2_000, caption: 0 },
    ...page,
  },
  telegram: withFiles,
  webchat: withFiles,
  email: {
    supports: ['text', 'image', 'audio', 'video', 'document'],
    textLimits: { text: 50_000, caption: 50_000 },
    reachedBy: ['email'],
  },
  sms: { supports: ['text', 'mass'], textLimits: { text: 1_600, caption: 0 }, receipts: ['delivered'], ...byPhone },
  rcs: {
    supports: ['text', 'image', 'audio', 'video', 'document', 'mass'],
    textLimits: { text: 3_072, caption: 0 },
    ...byPhone,
  },
  gbm: textOnly,
  tiktok: textOnly,
  olx: textOnly,
  mercadolivre: textOnly,
}

/** Facts: reference sheet hub-notificame.md. One token opens all channels of an account; each becomes a connection. */
export const hubChannel = defineChannel({
  kind: 'hub',
  label: 'NotificaMe Hub',
  description: 'Os canais da sua conta do NotificaMe, por um só token.',
  words: 'notificame hub whatsapp instagram facebook messenger telegram olx mercado livre tiktok rcs email sms webchat',
  glyph: hubGateway.glyph,
  steps: {
    before: [
      'Em Configurações → NotificaMe Hub, informe uma vez o token da conta: os canais dela aparecem lá, e cada um se conecta com um toque.',
      'Para informar um canal à mão, copie o token dele no painel do NotificaMe.',
    ],
    after: ['Nada a fazer: já cadastramos os avisos no hub.'],
  },
  identities: { phone: 100, email: 30, hub: 60 },
  scoped: ['hub'],
  reachedBy: { identities: ['phone', 'email', 'hub'], whenNot: 'Este contato ainda não escreveu por este canal.' },
  pace: { perSecond: 5, burst: 10 },
  abilities: ({ channel = 'whatsapp' }) => ({ reachedBy: ['hub'], account: channel, ...can[channel] }),
  config: z.object({
    channel: z
      .enum(hubKindNames)
      .default('whatsapp')
      .meta({ label: 'Canal', options: { ...hubKinds } }),
    channelToken: z
      .string()
      .trim()
      .min(6, 'Cole o token completo.')
      .max(200)
      .meta({ label: 'Token do canal', help: 'O do canal, e não o da conta.', secret: true }),
    subject: z
      .string()
      .trim()
      .max(200)
      .default('Nossa resposta')
      .meta({ label: 'Assunto dos e-mails', shownWhen: { field: 'channel', is: 'email' } }),
    hearsOut: z.boolean().default(false).meta({
      label: 'Mostrar o que outros sistemas enviam',
      help: 'O que sai por este canal sem passar por aqui entra na conversa como mensagem da empresa.',
    }),
    ...hubGateway.config.shape,
  }),
})

/** GET /hub-channel: what the company's account at the hub has, by names that open nothing. */
const hubListed = z.object({
  ref: z.string(),
  name: z.string(),
  channel: z.enum(hubKindNames),
  handle: z.string().nullable(),
  connection: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Another company of this installation has it. */
  isTaken: z.boolean(),
})
export type HubListed = z.output<typeof hubListed>
/** Without a token, or where the account does not list what it has, `isListed` is false. */
export const hubChannels = z.object({ isListed: z.boolean(), channels: z.array(hubListed) })
export type HubChannels = z.output<typeof hubChannels>
/** POST /hub-channel: one of them becomes a connection. */
export const hubConnect = z.object({ ref: z.string().min(1).max(100) })
