import { z } from 'zod'
import { email } from '../../common.ts'
import { host, port } from '../providers/fields.ts'
import { defineIntegration } from './define.ts'
import { byOwnClient, ownClientFields } from './own-client.ts'
import { returnPaths } from './return-paths.ts'

const authority = 'https://login.microsoftonline.com/common/oauth2/v2.0'

/** Microsoft 365 and Outlook.com take an access token (XOAUTH2) and, for most accounts, no password any more. */
export const microsoftIntegration = defineIntegration({
  family: 'mail',
  kind: 'microsoft',
  label: 'Outlook',
  description: 'Uma conta do Microsoft 365 ou do Outlook.com, sem senha guardada.',
  words: 'microsoft 365 office hotmail exchange email',
  glyph: {
    label: 'Outlook',
    color: '#0f5ea8',
    paths: ['M4 4h7v7h-7z', 'M13 4h7v7h-7z', 'M4 13h7v7h-7z', 'M13 13h7v7h-7z'],
  },
  steps: {
    before: [
      { text: 'No Microsoft Entra, em Registros de aplicativo, crie um aplicativo da Web.', shownWhen: byOwnClient },
      {
        text: 'Em Permissões de API, inclua IMAP.AccessAsUser.All e SMTP.Send, do Office 365 Exchange Online.',
        shownWhen: byOwnClient,
      },
      {
        text: 'Em Certificados e segredos, crie um segredo e cole abaixo o valor dele e o ID do aplicativo.',
        shownWhen: byOwnClient,
      },
    ],
    after: [
      {
        text: 'No aplicativo, em Autenticação, inclua o endereço acima como URI de redirecionamento da Web.',
        shownWhen: byOwnClient,
      },
      'Toque em Autorizar e entre com a conta.',
    ],
  },
  addresses: [
    { label: 'URI de redirecionamento', value: '{origin}/microsoft/callbackUrlBack', shownWhen: byOwnClient },
  ],
  oauth: {
    label: 'Autorizar conta Microsoft',
    owner: 'a Microsoft',
    returnPath: returnPaths.microsoft,
    scopes: [
      'offline_access',
      'https://outlook.office.com/IMAP.AccessAsUser.All',
      'https://outlook.office.com/SMTP.Send',
    ],
    extra: { prompt: 'select_account' },
  },
  config: z.object({
    from: email.meta({ label: 'E-mail da conta', placeholder: 'atendimento@loja.com.br' }),
    fromName: z.string().trim().max(60).default('').meta({ label: 'Nome do remetente', placeholder: 'Loja Aurora' }),
    ...ownClientFields({
      withWhom: 'na Microsoft',
      clientId: {
        label: 'ID do aplicativo (cliente)',
        section: 'Aplicativo no Microsoft Entra',
        link: { label: 'Abrir o Entra', url: 'https://entra.microsoft.com' },
      },
      clientSecret: { label: 'Valor do segredo do cliente', whenShort: 'Cole o valor completo.' },
      authorizeUrl: { at: `${authority}/authorize`, help: 'Só mude para usar o diretório de uma organização.' },
      tokenUrl: `${authority}/token`,
    }),
    host: host.default('smtp.office365.com').meta({ shownWhen: byOwnClient, label: 'Servidor de saída', is: 'host' }),
    port: port.default(587).meta({ shownWhen: byOwnClient, label: 'Porta de saída' }),
    imapHost: host
      .default('outlook.office365.com')
      .meta({ shownWhen: byOwnClient, label: 'Servidor de entrada', is: 'host' }),
    imapPort: port.default(993).meta({ shownWhen: byOwnClient, label: 'Porta de entrada' }),
  }),
})
