import { z } from 'zod'
import { defineChannel } from './define.ts'
import { groupActKinds } from './group-acts.ts'
import { linkedPhone, linkedPhoneSupports } from './linked-phone.ts'

/** Facts: reference sheet baileys.md. The phone's own WhatsApp, linked like a browser is: there is nobody to register with. */
export const baileysChannel = defineChannel({
  kind: 'baileys',
  label: 'WhatsApp por QR code',
  description: 'O WhatsApp do seu telefone, conectado ao ler um código.',
  words: 'baileys qrcode celular aparelho web não oficial',
  glyph: {
    label: 'WhatsApp',
    color: '#1a8f4a',
    paths: [
      'M4 4h6v6h-6z',
      'M14 4h6v6h-6z',
      'M4 14h6v6h-6z',
      'M14 14h2v2h-2z',
      'M18 18h2v2h-2z',
      'M18 14h2',
      'M14 18v2',
    ],
  },
  steps: {
    before: [
      'Salve aqui: em seguida aparece um código.',
      'No telefone, abra o WhatsApp → Aparelhos conectados → Conectar um aparelho e leia o código.',
      'Este caminho não é oficial: quem envia em massa por ele pode ter o número bloqueado pelo WhatsApp.',
    ],
  },
  ...linkedPhone,
  abilities: () => ({
    supports: [...linkedPhoneSupports, 'typing', 'calls', 'history'],
    groupActs: groupActKinds,
    textLimits: { text: 65_536, caption: 1_024 },
    pollLimits: { most: 12, title: 100, body: 255 },
  }),
  config: z.object({
    deviceName: z
      .string()
      .trim()
      .min(1)
      .max(25, 'No máximo 25 letras.')
      .default('Balcão')
      .meta({ label: 'Nome do aparelho', help: 'Como aparece em Aparelhos conectados no telefone.' }),
    server: z
      .string()
      .trim()
      .regex(/^$|^[\w.-]+:\d{1,5}$/, 'Use o formato servidor:porta.')
      .default('')
      .meta({ label: 'Servidor de ensaio', help: 'Vazio: o próprio WhatsApp.', isHidden: true }),
  }),
})
