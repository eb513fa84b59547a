import { byOwnClient, ownClientFields } from './own-client.ts'

/** Asking for consent at Google: what somebody has to do there, the fields, and the words of the button. */
export const googleClient = {
  /** `api` is what has to be switched on there; `account` whose consent is wanted. */
  steps: (api: string, account: string) => ({
    before: [
      { text: `No Google Cloud, crie um projeto e ative a ${api}.`, shownWhen: byOwnClient },
      { text: 'Em Credenciais, crie um ID do cliente OAuth do tipo Aplicativo da Web.', shownWhen: byOwnClient },
      { text: 'Copie o ID e a chave secreta do cliente e cole abaixo.', shownWhen: byOwnClient },
    ],
    after: [
      {
        text: 'No Google Cloud, inclua o endereço acima em URIs de redirecionamento autorizados.',
        shownWhen: byOwnClient,
      },
      `Toque em Autorizar e escolha a ${account}.`,
    ],
  }),
  // Without the prompt a second consent brings no refresh token.
  oauth: {
    label: 'Autorizar conta Google',
    owner: 'o Google',
    extra: { access_type: 'offline', prompt: 'consent' },
  },
  fields: ownClientFields({
    withWhom: 'no Google',
    clientId: {
      label: 'ID do cliente',
      section: 'Aplicativo no Google Cloud',
      link: { label: 'Abrir Credenciais', url: 'https://console.cloud.google.com/apis/credentials' },
    },
    clientSecret: { label: 'Chave secreta do cliente', whenShort: 'Cole a chave completa.' },
    authorizeUrl: { at: 'https://accounts.google.com/o/oauth2/v2/auth', help: 'Só mude se o Google pedir.' },
    tokenUrl: 'https://oauth2.googleapis.com/token',
  }),
}
