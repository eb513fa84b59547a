import { z } from 'zod'
import { defineChannel } from './define.ts'
import { digits, metaAddresses, metaApp } from './meta.ts'

/** Facts: reference sheet waba-meta.md, November 2026. */
export const wabaChannel = defineChannel({
  kind: 'waba',
  label: 'WhatsApp Cloud API',
  description: 'O WhatsApp oficial, direto da Meta.',
  words: 'meta oficial facebook api',
  glyph: {
    label: 'WhatsApp',
    color: '#1a8f4a',
    paths: [
      'M3 21l1.65 -3.8a9 9 0 1 1 3.4 2.9l-5.05 .9',
      'M9 10a.5 .5 0 0 0 1 0v-1a.5 .5 0 0 0 -1 0v1a5 5 0 0 0 5 5h1a.5 .5 0 0 0 0 -1h-1a.5 .5 0 0 0 0 1',
    ],
  },
  steps: {
    before: [
      'No Gerenciador de Negócios da Meta, crie um usuário de sistema e gere um token com as permissões whatsapp_business_messaging e whatsapp_business_management.',
      'No painel do aplicativo, em WhatsApp → Configuração da API, copie os dois IDs. O segredo está em Configurações → Básico.',
      'Salve aqui: em seguida mostramos o endereço para o cadastro do webhook.',
    ],
    after: [
      'No painel do aplicativo da Meta, abra WhatsApp → Configuração e, em Webhook, toque em Editar.',
      'Cole o endereço e o token de verificação acima e confirme.',
      'Em Campos do webhook, assine messages, user_preferences, os de message_template, phone_number e account e, se usar ligações ou grupos, calls e os de group.',
      'Volte aqui e toque em Testar.',
    ],
  },
  addresses: metaAddresses('{webhookUrl}'),
  identities: { phone: 100, bsuid: 90, group: 100 },
  // What a number may send unless Meta raised it (throughput, standard).
  pace: { perSecond: 80, burst: 20 },
  reachedBy: { identities: ['phone', 'bsuid', 'group'], whenNot: 'Este contato não tem telefone.' },
  abilities: () => ({
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
      'templateEditor',
      'businessAccount',
      'block',
      'buttons',
      'list',
      'requests',
      'typing',
      'groupMessages',
      'mass',
      'calls',
      'history',
      'readReceipts',
      'window24h',
    ],
    windowHours: 24,
    textLimits: { text: 4_096, caption: 1_024 },
    buttonLimits: { most: 3, title: 20, body: 1_024 },
  }),
  config: z.object({
    accessToken: z.string().trim().min(20, 'Cole o token completo.').max(1_000).meta({
      label: 'Token de acesso',
      help: 'Token do usuário de sistema, com permissão de mensagens.',
      secret: true,
    }),
    phoneNumberId: digits.meta({ label: 'ID do número de telefone' }),
    wabaId: digits.meta({ label: 'ID da conta do WhatsApp Business' }),
    ...metaApp,
  }),
})
