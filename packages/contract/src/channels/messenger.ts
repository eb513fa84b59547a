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

/** Facts: reference sheet instagram-messenger.md. A person writes first: there is no other way to learn their id. */
export const messengerChannel = defineChannel({
  kind: 'messenger',
  label: 'Messenger',
  description: 'As mensagens da sua página do Facebook.',
  words: 'meta facebook página fanpage',
  glyph: {
    label: 'Messenger',
    color: '#0866ff',
    paths: [
      'M3 20l1.3 -3.9c-2.324 -3.437 -1.426 -7.872 2.1 -10.374c3.526 -2.501 8.59 -2.296 11.845 .48c3.255 2.777 3.695 7.266 1.029 10.501c-2.666 3.235 -7.615 4.215 -11.574 2.293l-4.7 1',
      'M8 13l3 -2l2 2l3 -2',
    ],
  },
  steps: {
    before: [
      'No painel do aplicativo da Meta, inclua o produto Messenger e vincule a ele a sua página.',
      'Gere o token de acesso da página, com as permissões pages_messaging e pages_manage_metadata. O segredo está em Configurações → Básico.',
      'Salve aqui: em seguida mostramos o endereço para o cadastro do webhook. Um aplicativo serve a quantas páginas você tiver, com um canal para cada uma.',
    ],
    after: [
      'No painel do aplicativo, abra Messenger → Webhooks e cole o endereço e o token de verificação acima.',
      'Assine messages, messaging_postbacks, message_reactions, message_reads, message_deliveries, message_echoes e message_edits.',
      'Publique o aplicativo: antes disso, a Meta só entrega mensagens de quem tem função nele.',
      'Volte aqui e toque em Testar.',
    ],
  },
  addresses: metaAddresses('{appWebhookUrl}'),
  identities: { messenger: 60 },
  scoped: ['messenger'],
  reachedBy: { identities: ['messenger'], whenNot: 'Este contato ainda não escreveu para esta página.' },
  abilities: (config) => ({
    supports: [
      'text',
      'image',
      'audio',
      'video',
      'document',
      'reaction',
      'buttons',
      'typing',
      'readReceipts',
      'window24h',
      ...withComments(config),
    ],
    ...pageWindow(config),
    textLimits: { text: 2_000, caption: 0 },
    buttonLimits: pageButtons,
    reactions: pageReactions,
    account: config.pageId,
  }),
  config: z.object({
    pageId: digits.meta({ label: 'ID da página' }),
    accessToken: pageToken.meta({
      label: 'Token de acesso da página',
      help: 'Gerado em Messenger → Configurações, com permissão de mensagens.',
      secret: true,
    }),
    ...pageApp,
  }),
})
