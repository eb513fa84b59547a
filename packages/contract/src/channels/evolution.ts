import { z } from 'zod'
import { evolutionGateway } from '../core/integrations/gateways.ts'
import { defineChannel } from './define.ts'
import { groupActKinds } from './group-acts.ts'
import { linkedPhone, linkedPhoneSupports } from './linked-phone.ts'

const isCloud = { field: 'integration', is: 'WHATSAPP-BUSINESS' } as const
const digits = z
  .string()
  .trim()
  .regex(/^\d{3,30}$/, 'Informe apenas números.')

/** Facts: reference sheet evolution.md (Evolution API v2). The instance is made by us, its webhook set and checked. */
export const evolutionChannel = defineChannel({
  kind: 'evolution',
  label: 'WhatsApp pela Evolution API',
  description: 'Um número de WhatsApp no seu servidor Evolution, por QR code ou pela API da Meta.',
  words: 'evolution evo whatsapp qr code não oficial gateway baileys',
  glyph: evolutionGateway.glyph,
  steps: {
    before: [
      'Tenha um servidor Evolution API (versão 2) que alcance este endereço pela internet.',
      'Copie o endereço dele e a chave global (AUTHENTICATION_API_KEY). Com ela criamos a instância e o webhook.',
      'Sem a chave global, crie a instância no Evolution e informe aqui o nome e a chave dela.',
    ],
    after: [
      'Por QR code: toque em Conectar e leia o código com o WhatsApp do telefone, em Aparelhos conectados.',
      'Pela API da Meta: no aplicativo da Meta, cadastre o webhook do Evolution (o endereço dele seguido de /webhook/meta).',
    ],
  },
  ...linkedPhone,
  hasPhoneBook: true,
  abilities: ({ integration }) => {
    const official = [
      'text',
      'image',
      'audio',
      'video',
      'document',
      'location',
      'contact',
      'reply',
      'reaction',
    ] as const
    const textLimits = { text: 4_096, caption: 1_024 }
    if (integration === 'WHATSAPP-BUSINESS')
      return { supports: [...official, 'template', 'mass', 'window24h'], windowHours: 24, textLimits }
    const pollLimits = { most: 10, title: 100, body: 255 }
    return { supports: [...linkedPhoneSupports, 'typing', 'history'], textLimits, pollLimits, groupActs: groupActKinds }
  },
  config: z.object({
    ...evolutionGateway.config.shape,
    apiKey: evolutionGateway.config.shape.apiKey.meta({
      label: 'Chave da API',
      help: 'A chave global do servidor, ou a chave de uma instância que já existe.',
      secret: true,
    }),
    instanceName: z
      .string()
      .trim()
      .regex(/^[\w.-]{0,80}$/, 'Use letras, números, ponto, hífen e sublinhado.')
      .optional()
      .meta({ label: 'Nome da instância', help: 'Vazio: criamos uma para este canal.', isMadeByUs: true }),
    integration: z
      .enum(['WHATSAPP-BAILEYS', 'WHATSAPP-BUSINESS'])
      .default('WHATSAPP-BAILEYS')
      .meta({
        label: 'Conexão com o WhatsApp',
        options: {
          'WHATSAPP-BAILEYS': 'Aparelho conectado (QR code)',
          'WHATSAPP-BUSINESS': 'API oficial da Meta',
        },
      }),
    phoneNumberId: digits.optional().meta({ label: 'ID do número na Meta', shownWhen: isCloud, isNeeded: true }),
    businessId: digits
      .optional()
      .meta({ label: 'ID da conta do WhatsApp Business', shownWhen: isCloud, isNeeded: true }),
    metaToken: z.string().trim().min(20, 'Cole o token completo.').max(1_000).optional().meta({
      label: 'Token da Meta',
      help: 'Do usuário de sistema. Com ele o Evolution envia e nós buscamos os arquivos recebidos.',
      secret: true,
      shownWhen: isCloud,
      isNeeded: true,
    }),
    graphUrl: z
      .url('Endereço inválido.')
      .default('https://graph.facebook.com/v25.0')
      .optional()
      .meta({ label: 'Endereço da API da Meta', is: 'url', shownWhen: isCloud }),
  }),
})
