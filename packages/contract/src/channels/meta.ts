import { z } from 'zod'
import type { Address } from '../core/providers/define.ts'

/** What the channels of a Meta app ask for alike. Facts: reference sheets waba-meta.md and instagram-messenger.md. */
export const digits = z
  .string()
  .trim()
  .regex(/^\d{3,30}$/, 'Informe apenas números.')

/** An app signs everything it tells us with its own secret. */
export const metaApp = {
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
  baseUrl: z
    .url('Endereço inválido.')
    .default('https://graph.facebook.com')
    .meta({ label: 'Endereço da API', is: 'url' }),
}

export const metaAddresses = (webhook: string): Address[] => [
  {
    label: 'Endereço do webhook',
    value: webhook,
    unreachable:
      'A Meta não alcança este endereço: ela só chama endereços públicos com HTTPS. Quem cuida da instalação define o endereço em PUBLIC_URL.',
  },
  { label: 'Token de verificação', value: '{verifyToken}' },
]

/** Of a page, and of an Instagram account. */
export const pageToken = z.string().trim().min(20, 'Cole o token completo.').max(1_000)
export const pageApp = {
  ...metaApp,
  humanAgent: z.boolean().default(false).meta({
    label: 'Responder por 7 dias',
    help: 'Para um aplicativo com o recurso Human Agent aprovado pela Meta: depois de 24 horas, as pessoas da equipe ainda respondem por 7 dias. O que é automático continua com 24 horas.',
  }),
  comments: z.boolean().default(false).meta({
    label: 'Atender comentários',
    help: 'Um comentário em uma publicação vira atendimento, e a primeira resposta vai no privado para quem comentou. O token precisa também de instagram_manage_comments (Instagram) ou pages_read_engagement (Facebook); no painel do aplicativo, assine também comments ou feed.',
  }),
}

/** What only those need who attend comments: a permission and a subscription more. */
export const withComments = ({ comments }: { comments?: boolean }) => (comments ? (['comments'] as const) : [])
/** Free text is taken for 24 hours; with the human agent's tag, from people, for a week. */
export const pageWindow = ({ humanAgent }: { humanAgent?: boolean }) => ({
  windowHours: 24,
  personWindowHours: humanAgent ? 7 * 24 : null,
})
/** The only reaction that a page gives. */
export const pageReactions = ['❤️']
export const pageButtons = { most: 13, title: 20, body: 640 }
