import { z } from 'zod'
import { wuzapiGateway } from '../core/integrations/gateways.ts'
import { defineChannel } from './define.ts'
import { groupActKinds } from './group-acts.ts'
import { linkedPhone, linkedPhoneSupports } from './linked-phone.ts'

const token = z
  .string()
  .trim()
  .regex(/^(\S{4,500})?$/, 'Cole o token completo.')
  .optional()

/** Facts: reference sheet wuzapi.md and the server's own source. The user is made by us where an administrator's token allows it. */
export const wuzapiChannel = defineChannel({
  kind: 'wuzapi',
  label: 'WhatsApp pela WuzAPI',
  description: 'Um número de WhatsApp no seu servidor WuzAPI, por QR code ou código digitado.',
  words: 'wuzapi meow whatsmeow whatsapp qr code não oficial gateway',
  glyph: wuzapiGateway.glyph,
  steps: {
    before: [
      'Tenha um servidor WuzAPI que alcance este endereço pela internet, com WUZAPI_GLOBAL_ENCRYPTION_KEY definida: com ela os avisos vêm assinados.',
      'Copie o endereço dele e o token de administrador (WUZAPI_ADMIN_TOKEN). Com ele criamos o usuário deste número.',
      'Sem o token de administrador, crie o usuário no painel do WuzAPI e informe só o token dele.',
    ],
    after: ['Leia o código com o WhatsApp do telefone: Configurações → Aparelhos conectados → Conectar aparelho.'],
  },
  ...linkedPhone,
  hasPhoneBook: true,
  abilities: () => ({
    supports: [...linkedPhoneSupports, 'typing', 'calls', 'history'],
    // It takes back our own messages alone.
    groupActs: groupActKinds.filter((one) => one !== 'deleteMessage'),
    textLimits: { text: 4_096, caption: 1_024 },
    contactLimit: 1,
    pollLimits: { most: 12, title: 100, body: 255, several: false },
  }),
  config: z.object({
    baseUrl: wuzapiGateway.config.shape.baseUrl,
    adminToken: token.meta({
      label: 'Token de administrador',
      help: 'Cria o usuário deste canal, e o apaga com ele. Vazio: informe o token de um usuário.',
      secret: true,
    }),
    token: token.meta({
      label: 'Token do usuário',
      help: 'Vazio: criamos um usuário com o token de administrador.',
      secret: true,
      isMadeByUs: true,
    }),
  }),
})
