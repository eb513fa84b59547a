import { z } from 'zod'
import { defineChannel } from './define.ts'

/** Facts: reference sheet telegram.md. The webhook is registered by us; nobody copies an address. */
export const telegramChannel = defineChannel({
  kind: 'telegram',
  label: 'Telegram',
  description: 'Um bot do Telegram atendido pela sua equipe.',
  identity: 'telegram',
  supports: [
    'text',
    'image',
    'audio',
    'video',
    'document',
    'sticker',
    'location',
    'contact',
    'reply',
    'reaction',
    'edit',
    'delete',
    'buttons',
    'typing',
  ],
  textLimits: { text: 4_096, caption: 1_024 },
  showsWebhook: false,
  config: z.object({
    botToken: z
      .string()
      .trim()
      .regex(/^\d+:[\w-]{20,}$/, 'O token tem o formato 123456:ABC…')
      .meta({ label: 'Token do bot', help: 'Criado com o @BotFather.', secret: true }),
    baseUrl: z.url('Endereço inválido.').default('https://api.telegram.org').meta({ label: 'Endereço da API' }),
  }),
})
