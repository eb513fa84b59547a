import { z } from 'zod'
import { defineChannel } from './define.ts'

/** Facts: reference sheet telegram.md. The webhook is registered by us; nobody copies an address. */
export const telegramChannel = defineChannel({
  kind: 'telegram',
  label: 'Telegram',
  description: 'Um bot do Telegram atendido pela sua equipe.',
  glyph: {
    label: 'Telegram',
    color: '#2481bd',
    paths: ['M15 10l-4 4l6 6l4 -16l-18 7l4 2l2 6l3 -4'],
  },
  steps: {
    before: [
      'No Telegram, converse com o @BotFather e envie /newbot.',
      'Copie o token que ele responde e cole abaixo.',
    ],
  },
  identities: { telegram: 70, phone: 100 },
  reachedBy: { identities: ['telegram'], whenNot: 'Este contato ainda não escreveu pelo Telegram.' },
  abilities: () => ({
    supports: [
      'text',
      'image',
      'audio',
      'video',
      'document',
      'sticker',
      'album',
      'location',
      'contact',
      'reply',
      'reaction',
      'edit',
      'delete',
      'buttons',
      'poll',
      'typing',
      'groupMessages',
      'groupActs',
      'mentions',
      'mass',
    ],
    // A bot makes no groups and adds nobody: who wants in takes the link.
    groupActs: [
      'title',
      'description',
      'picture',
      'adminsOnly',
      'remove',
      'promote',
      'demote',
      'inviteLink',
      'deleteMessage',
    ],
    textLimits: { text: 4_096, caption: 1_024 },
    receipts: [],
    contactLimit: 1,
    pollLimits: { most: 12, title: 100, body: 300 },
  }),
  // A chat takes about one message a second.
  streams: { everyMs: 1_500 },
  config: z.object({
    botToken: z
      .string()
      .trim()
      .regex(/^\d+:[\w-]{20,}$/, 'O token tem o formato 123456:ABC…')
      .meta({ label: 'Token do bot', help: 'Criado com o @BotFather.', secret: true }),
    receive: z
      .enum(['webhook', 'polling'])
      .default('webhook')
      .meta({
        label: 'Receber por',
        help: 'Na consulta, o Balcão pergunta ao Telegram: não precisa de endereço público.',
        options: { webhook: 'Webhook (o Telegram avisa)', polling: 'Consulta (o Balcão pergunta)' },
      }),
    baseUrl: z
      .url('Endereço inválido.')
      .default('https://api.telegram.org')
      .meta({ label: 'Endereço da API', is: 'url' }),
  }),
})
