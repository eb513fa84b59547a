import { z } from 'zod'
import { uazapiGateway } from '../core/integrations/gateways.ts'
import { defineChannel } from './define.ts'
import { groupActKinds } from './group-acts.ts'
import { linkedPhone, linkedPhoneSupports } from './linked-phone.ts'

const token = z
  .string()
  .trim()
  .regex(/^(\S{8,500})?$/, 'Cole o token completo.')
  .optional()

/** Facts: reference sheet uazapi.md (uazapiGO v2). The instance is made by us where an administrator's token allows it. */
export const uazapiChannel = defineChannel({
  kind: 'uazapi',
  label: 'WhatsApp pela uazapi',
  description: 'Um número de WhatsApp na sua conta da uazapi, por QR code ou código digitado.',
  words: 'uazapi uazapigo whatsapp qr code não oficial gateway',
  glyph: uazapiGateway.glyph,
  steps: {
    before: [
      'No painel da uazapi, copie o endereço do servidor e o token da instância deste número.',
      'Se tiver o token de administrador, informe só ele: criamos a instância por você.',
    ],
    after: ['Leia o código com o WhatsApp do telefone: Configurações → Aparelhos conectados → Conectar aparelho.'],
  },
  ...linkedPhone,
  hasPhoneBook: true,
  abilities: () => ({
    supports: [...linkedPhoneSupports, 'typing', 'calls', 'history'],
    groupActs: groupActKinds,
    textLimits: { text: 4_096, caption: 1_024 },
    contactLimit: 1,
    pollLimits: { most: 12, title: 100, body: 255 },
  }),
  config: z.object({
    baseUrl: uazapiGateway.config.shape.baseUrl,
    token: token.meta({
      label: 'Token da instância',
      help: 'Vazio: criamos uma instância com o token de administrador.',
      secret: true,
      isMadeByUs: true,
    }),
    adminToken: token.meta({
      label: 'Token de administrador',
      help: 'Só para criar a instância deste canal, e apagá-la com ele.',
      secret: true,
    }),
  }),
})
