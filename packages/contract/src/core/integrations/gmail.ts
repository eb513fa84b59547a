import { z } from 'zod'
import { email } from '../../common.ts'
import { host, port } from '../providers/fields.ts'
import { defineIntegration } from './define.ts'
import { byOwnClient, ownClient, ownClientOnly } from './own-client.ts'
import { returnPaths } from './return-paths.ts'

/** Google's SMTP and IMAP take an access token (XOAUTH2) in place of a password. */
export const gmailIntegration = defineIntegration({
  family: 'mail',
  kind: 'gmail',
  label: 'Gmail',
  description: 'Uma conta do Gmail ou do Google Workspace, sem senha guardada.',
  words: 'google workspace email',
  glyph: {
    label: 'Gmail',
    color: '#c5221f',
    paths: [
      'M16 20h3a1 1 0 0 0 1 -1v-14a1 1 0 0 0 -1 -1h-3v16',
      'M5 20h3v-16h-3a1 1 0 0 0 -1 1v14a1 1 0 0 0 1 1',
      'M16 4l-4 4l-4 -4',
      'M4 6.5l8 7.5l8 -7.5',
    ],
  },
  steps: {
    before: [
      { text: 'No Google Cloud, crie um projeto e ative a API do Gmail.', shownWhen: byOwnClient },
      { text: 'Em Credenciais, crie um ID do cliente OAuth do tipo Aplicativo da Web.', shownWhen: byOwnClient },
      { text: 'Copie o ID e a chave secreta do cliente e cole abaixo.', shownWhen: byOwnClient },
    ],
    after: [
      {
        text: 'No Google Cloud, inclua o endereço acima em URIs de redirecionamento autorizados.',
        shownWhen: byOwnClient,
      },
      'Toque em Autorizar e escolha a conta.',
    ],
  },
  addresses: [{ label: 'URI de redirecionamento', value: '{origin}/gmail/callbackUrlBack', shownWhen: byOwnClient }],
  oauth: {
    label: 'Autorizar conta Google',
    owner: 'o Google',
    returnPath: returnPaths.gmail,
    scopes: ['https://mail.google.com/'],
    extra: { access_type: 'offline', prompt: 'consent' },
  },
  config: z.object({
    from: email.meta({ label: 'E-mail da conta', placeholder: 'atendimento@loja.com.br' }),
    fromName: z.string().trim().max(60).default('').meta({ label: 'Nome do remetente', placeholder: 'Loja Aurora' }),
    ownClient: ownClient('no Google'),
    clientId: z
      .string()
      .trim()
      .min(10, 'Cole o ID completo.')
      .max(300)
      .optional()
      .meta({
        ...ownClientOnly,
        label: 'ID do cliente',
        section: 'Aplicativo no Google Cloud',
        link: { label: 'Abrir Credenciais', url: 'https://console.cloud.google.com/apis/credentials' },
      }),
    clientSecret: z
      .string()
      .trim()
      .min(10, 'Cole a chave completa.')
      .max(300)
      .optional()
      .meta({ ...ownClientOnly, label: 'Chave secreta do cliente', secret: true }),
    authorizeUrl: z.url('Endereço inválido.').default('https://accounts.google.com/o/oauth2/v2/auth').meta({
      shownWhen: byOwnClient,
      label: 'Endereço de autorização',
      is: 'url',
      section: 'Endereços',
      help: 'Só mude se o Google pedir.',
    }),
    tokenUrl: z
      .url('Endereço inválido.')
      .default('https://oauth2.googleapis.com/token')
      .meta({ shownWhen: byOwnClient, label: 'Endereço dos tokens', is: 'url' }),
    host: host.default('smtp.gmail.com').meta({ shownWhen: byOwnClient, label: 'Servidor de saída', is: 'host' }),
    port: port.default(465).meta({ shownWhen: byOwnClient, label: 'Porta de saída' }),
    imapHost: host.default('imap.gmail.com').meta({ shownWhen: byOwnClient, label: 'Servidor de entrada', is: 'host' }),
    imapPort: port.default(993).meta({ shownWhen: byOwnClient, label: 'Porta de entrada' }),
  }),
})
