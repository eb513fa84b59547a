import { z } from 'zod'
import { email } from '../../common.ts'
import { host, port } from '../providers/fields.ts'
import { defineIntegration } from './define.ts'
import { googleClient } from './google-client.ts'
import { byOwnClient } from './own-client.ts'
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
  steps: googleClient.steps('API do Gmail', 'conta'),
  addresses: [{ label: 'URI de redirecionamento', value: '{origin}/gmail/callbackUrlBack', shownWhen: byOwnClient }],
  oauth: {
    ...googleClient.oauth,
    returnPath: returnPaths.gmail,
    scopes: ['https://mail.google.com/'],
  },
  config: z.object({
    from: email.meta({ label: 'E-mail da conta', placeholder: 'atendimento@loja.com.br' }),
    fromName: z.string().trim().max(60).default('').meta({ label: 'Nome do remetente', placeholder: 'Loja Aurora' }),
    ...googleClient.fields,
    host: host.default('smtp.gmail.com').meta({ shownWhen: byOwnClient, label: 'Servidor de saída', is: 'host' }),
    port: port.default(465).meta({ shownWhen: byOwnClient, label: 'Porta de saída' }),
    imapHost: host.default('imap.gmail.com').meta({ shownWhen: byOwnClient, label: 'Servidor de entrada', is: 'host' }),
    imapPort: port.default(993).meta({ shownWhen: byOwnClient, label: 'Porta de entrada' }),
  }),
})
