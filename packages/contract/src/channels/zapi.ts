import { z } from 'zod'
import { zapiGateway } from '../core/integrations/gateways.ts'
import { defineChannel } from './define.ts'
import { groupActKinds } from './group-acts.ts'
import { linkedPhone, linkedPhoneSupports } from './linked-phone.ts'

/** Facts: reference sheet zapi.md. The instance is bought at Z-API, or made by us where a partner's token allows it. */
export const zapiChannel = defineChannel({
  kind: 'zapi',
  label: 'WhatsApp pela Z-API',
  description: 'Um número de WhatsApp por QR code, numa instância sua da Z-API.',
  words: 'zapi z-api whatsapp qr code não oficial gateway',
  glyph: zapiGateway.glyph,
  steps: {
    before: [
      'Crie uma instância no painel da Z-API, mantenha a assinatura dela em dia e copie o ID e o token dela.',
      'Parceiros da Z-API informam o token de parceiro no lugar dos dois: criamos e assinamos a instância.',
      'Em Segurança, no painel, copie o token de segurança da conta (Client-Token).',
      'A Z-API só avisa endereços HTTPS: este servidor precisa ter um, visível na internet.',
    ],
    after: ['Leia o código com o WhatsApp do telefone: Configurações → Aparelhos conectados → Conectar aparelho.'],
  },
  ...linkedPhone,
  hasPhoneBook: true,
  abilities: () => ({
    supports: linkedPhoneSupports,
    groupActs: groupActKinds,
    textLimits: { text: 4_096, caption: 1_024 },
    pollLimits: { most: 12, title: 100, body: 255 },
  }),
  config: z.object({
    instanceId: z
      .string()
      .trim()
      .regex(/^([\w-]{6,80})?$/, 'Cole o ID da instância, sem espaços.')
      .optional()
      .meta({
        label: 'ID da instância',
        help: 'Vazio: criamos uma com o token de parceiro.',
        isMadeByUs: 'unlessProven',
      }),
    instanceToken: z
      .string()
      .trim()
      .regex(/^([\w-]{6,200})?$/, 'Cole o token da instância, sem espaços.')
      .optional()
      .meta({ label: 'Token da instância', secret: true, isMadeByUs: 'unlessProven' }),
    ...zapiGateway.config.shape,
  }),
})
