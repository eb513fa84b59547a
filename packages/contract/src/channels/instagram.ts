import { z } from 'zod'
import { defineChannel } from './define.ts'
import {
  digits,
  metaAddresses,
  pageApp,
  pageButtons,
  pageReactions,
  pageToken,
  pageWindow,
  withComments,
} from './meta.ts'

/**
 * Facts: reference sheet instagram-messenger.md. A person writes first: there is no other way to learn their id. Audio
 * goes out in none of the formats browsers record, so it is not offered.
 */
export const instagramChannel = defineChannel({
  kind: 'instagram',
  label: 'Instagram',
  description: 'O direct da sua conta profissional do Instagram.',
  words: 'meta facebook direct dm insta story',
  glyph: {
    label: 'Instagram',
    color: '#c13584',
    paths: [
      'M4 8a4 4 0 0 1 4 -4h8a4 4 0 0 1 4 4v8a4 4 0 0 1 -4 4h-8a4 4 0 0 1 -4 -4z',
      'M9 12a3 3 0 1 0 6 0a3 3 0 0 0 -6 0',
      'M16.5 7.5v.01',
    ],
  },
  steps: {
    before: [
      'No Instagram, deixe a conta profissional e, em Configurações → Mensagens, permita o acesso às mensagens.',
      'No painel do aplicativo da Meta, inclua o produto Instagram e gere o token: o da página vinculada, com instagram_basic, instagram_manage_messages e pages_manage_metadata, ou o da própria conta, com o login do Instagram.',
      'Salve aqui: em seguida mostramos o endereço para o cadastro do webhook. Um aplicativo serve a quantas contas você tiver, com um canal para cada uma.',
    ],
    after: [
      'No painel do aplicativo, abra Instagram → Webhooks e cole o endereço e o token de verificação acima.',
      'Assine messages, messaging_postbacks, messaging_seen e message_reactions.',
      'Publique o aplicativo: antes disso, a Meta só entrega mensagens de quem tem função nele.',
      'Volte aqui e toque em Testar.',
    ],
  },
  addresses: metaAddresses('{appWebhookUrl}'),
  identities: { instagram: 60 },
  scoped: ['instagram'],
  reachedBy: { identities: ['instagram'], whenNot: 'Este contato ainda não escreveu para esta conta do Instagram.' },
  abilities: (config) => ({
    supports: [
      'text',
      'image',
      'video',
      'reaction',
      'buttons',
      'typing',
      'readReceipts',
      'window24h',
      'stories',
      ...withComments(config),
    ],
    ...pageWindow(config),
    textLimits: { text: 1_000, caption: 0 },
    receipts: ['read'],
    buttonLimits: pageButtons,
    reactions: pageReactions,
    account: config.instagramId,
  }),
  config: z.object({
    login: z
      .enum(['page', 'instagram'])
      .default('page')
      .meta({
        label: 'Acesso',
        help: 'De quem é o token de acesso.',
        options: { page: 'Página do Facebook vinculada', instagram: 'Login do Instagram (sem página)' },
      }),
    instagramId: digits.meta({ label: 'ID da conta do Instagram' }),
    pageId: digits
      .optional()
      .meta({ label: 'ID da página vinculada', shownWhen: { field: 'login', is: 'page' }, isNeeded: true }),
    accessToken: pageToken.meta({ label: 'Token de acesso', secret: true }),
    ...pageApp,
  }),
})
