import { z } from 'zod'
import { defineIntegration } from './define.ts'
import { byOwnClient, ownClient, ownClientOnly } from './own-client.ts'
import { returnPaths } from './return-paths.ts'

/** A calendar of Google's: forecasts of the funnel stand in it as events, and a moved event moves its forecast. */
export const googleCalendarIntegration = defineIntegration({
  family: 'calendar',
  kind: 'googleCalendar',
  label: 'Google Agenda',
  description: 'As previsões do funil na agenda da empresa, e a agenda nas previsões.',
  words: 'google calendar agenda calendário eventos previsões',
  glyph: {
    label: 'Google Agenda',
    color: '#1a73e8',
    paths: [
      'M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2z',
      'M16 3v4',
      'M8 3v4',
      'M4 11h16',
      'M9 15l2 2l4 -4',
    ],
  },
  steps: {
    before: [
      { text: 'No Google Cloud, crie um projeto e ative a Google Calendar API.', shownWhen: byOwnClient },
      { text: 'Em Credenciais, crie um ID do cliente OAuth do tipo Aplicativo da Web.', shownWhen: byOwnClient },
      { text: 'Copie o ID e a chave secreta do cliente e cole abaixo.', shownWhen: byOwnClient },
    ],
    after: [
      {
        text: 'No Google Cloud, inclua o endereço acima em URIs de redirecionamento autorizados.',
        shownWhen: byOwnClient,
      },
      'Toque em Autorizar e escolha a conta dona da agenda.',
    ],
  },
  addresses: [{ label: 'URI de redirecionamento', value: '{origin}/google-calendar/callback', shownWhen: byOwnClient }],
  settingsPage: { label: 'Abrir a página da agenda', path: '/configuracoes/google-calendar' },
  oauth: {
    label: 'Autorizar conta Google',
    owner: 'o Google',
    returnPath: returnPaths.googleCalendar,
    scopes: ['https://www.googleapis.com/auth/calendar.events'],
    // Without the prompt a second consent brings no refresh token.
    extra: { access_type: 'offline', prompt: 'consent' },
  },
  config: z.object({
    calendarId: z.string().trim().min(1, 'Informe a agenda.').max(300).default('primary').meta({
      label: 'Agenda',
      help: '“primary” é a agenda principal da conta. De outra, cole o ID que está nas configurações dela, em Integrar agenda.',
    }),
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
    apiUrl: z
      .url('Endereço inválido.')
      .default('https://www.googleapis.com/calendar/v3')
      .meta({ shownWhen: byOwnClient, label: 'Endereço da agenda', is: 'url' }),
  }),
})
