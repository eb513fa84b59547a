import { z } from 'zod'
import { id } from '../common.ts'

/** What a business is, by the codes of WhatsApp's own list; the number's people see it in Portuguese. */
export const businessVerticals: Record<string, string> = {
  OTHER: 'Outro',
  AUTO: 'Automotivo',
  BEAUTY: 'Beleza e bem-estar',
  APPAREL: 'Roupas e acessórios',
  EDU: 'Educação',
  ENTERTAIN: 'Entretenimento',
  EVENT_PLAN: 'Eventos',
  FINANCE: 'Finanças',
  GROCERY: 'Supermercado',
  GOVT: 'Serviço público',
  HOTEL: 'Hotelaria',
  HEALTH: 'Saúde',
  NONPROFIT: 'Organização sem fins lucrativos',
  PROF_SERVICES: 'Serviços profissionais',
  RETAIL: 'Varejo',
  TRAVEL: 'Viagens',
  RESTAURANT: 'Restaurante',
}

const words = (most: number) => z.string().trim().max(most, `Use no máximo ${most} caracteres.`)
/** The public profile of a business number; limits are those of WhatsApp Manager (general knowledge). */
export const businessProfile = z.object({
  about: words(139),
  address: words(256),
  description: words(512),
  email: z.union([z.literal(''), z.email('Confira o e-mail.').max(128)]),
  websites: z
    .array(z.url({ protocol: /^https?$/, error: 'Escreva o endereço inteiro, com https://.' }).max(256))
    .max(2, 'São no máximo dois sites.'),
  vertical: z.string().max(40),
})
export type BusinessProfile = z.output<typeof businessProfile>
/** As it is read: with where its picture stands. */
export const shownProfile = z.object({
  about: z.string(),
  address: z.string(),
  description: z.string(),
  email: z.string(),
  websites: z.array(z.string()),
  vertical: z.string(),
  pictureUrl: z.string().nullable(),
})
export type ShownProfile = z.output<typeof shownProfile>
/** `mediaId`: another picture, a file that whoever changes it has uploaded. */
export const profileChange = businessProfile.extend({ mediaId: id.nullable().default(null) }).meta({
  examples: [
    {
      about: 'Atendemos de segunda a sábado.',
      address: 'Rua das Flores, 10',
      description: 'Roupas e acessórios',
      email: 'oi@aurora.example',
      websites: ['https://aurora.example'],
      vertical: 'APPAREL',
      mediaId: null,
    },
  ],
})

/** How the number stands at its provider. */
export const businessNumber = z.object({
  phone: z.string(),
  name: z.string(),
  nameStatus: z.string().nullable(),
  status: z.string().nullable(),
  /** By a code that was sent to it. */
  isVerified: z.boolean(),
})
export type BusinessNumber = z.output<typeof businessNumber>

export const codeRequest = z.object({ method: z.enum(['SMS', 'VOICE']).default('SMS') })
export const codeCheck = z.object({
  code: z
    .string()
    .regex(/^\D*(?:\d\D*){6}$/, 'O código tem 6 números.')
    .meta({ examples: ['123456'] })
    .transform((typed) => typed.replace(/\D/g, '')),
})
/** Calls of the number go to a telephone exchange of the company's own; without a server they do not. */
export const sipChange = z
  .strictObject({
    isEnabled: z.boolean(),
    server: z
      .strictObject({
        hostname: z
          .string()
          .trim()
          .regex(/^[a-z0-9.-]{3,253}$/i, 'Escreva só o nome do servidor.'),
        port: z.int().min(1).max(65_535).default(5_061),
      })
      .nullable()
      .default(null),
  })
  .refine(({ isEnabled, server }) => !isEnabled || server, { path: ['server'], message: 'Informe o servidor SIP.' })
  .meta({ examples: [{ isEnabled: true, server: { hostname: 'sip.aurora.example', port: 5061 } }] })
export type SipChange = z.output<typeof sipChange>

export const pinChange = z
  .object({ pin: z.string().regex(/^\d{6}$/, 'O PIN tem 6 números.') })
  .meta({ examples: [{ pin: '123456' }] })
