import { z } from 'zod'
import { defineChannel } from './define.ts'

const digits = z
  .string()
  .trim()
  .regex(/^\d{3,30}$/, 'Informe apenas números.')

/** Facts: reference sheet waba-meta.md, November 2026. */
export const wabaChannel = defineChannel({
  kind: 'waba',
  label: 'WhatsApp Cloud API',
  description: 'O WhatsApp oficial, direto da Meta.',
  identity: 'phone',
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
    'template',
    'buttons',
    'list',
    'typing',
    'readReceipts',
    'window24h',
  ],
  windowHours: 24,
  textLimits: { text: 4_096, caption: 1_024 },
  buttonLimits: { most: 3, title: 20, body: 1_024 },
  showsWebhook: true,
  config: z.object({
    accessToken: z.string().trim().min(20, 'Cole o token completo.').max(1_000).meta({
      label: 'Token de acesso',
      help: 'Token do usuário de sistema, com permissão de mensagens.',
      secret: true,
    }),
    phoneNumberId: digits.meta({ label: 'ID do número de telefone' }),
    wabaId: digits.meta({ label: 'ID da conta do WhatsApp Business' }),
    appSecret: z.string().trim().min(16, 'Cole o segredo completo.').max(200).meta({
      label: 'Segredo do aplicativo',
      help: 'Com ele conferimos que cada aviso veio mesmo da Meta.',
      secret: true,
    }),
    verifyToken: z
      .string()
      .trim()
      .min(6, 'Use pelo menos 6 caracteres.')
      .max(200)
      .meta({ label: 'Token de verificação', help: 'Uma palavra sua, repetida no cadastro do webhook na Meta.' }),
    apiVersion: z
      .string()
      .regex(/^v\d+\.\d+$/, 'Use o formato v25.0.')
      .default('v25.0')
      .meta({ label: 'Versão da API' }),
    baseUrl: z.url('Endereço inválido.').default('https://graph.facebook.com').meta({ label: 'Endereço da API' }),
  }),
})
