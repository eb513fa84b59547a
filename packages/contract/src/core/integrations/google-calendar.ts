import { z } from 'zod'
import { defineIntegration } from './define.ts'
import { googleClient } from './google-client.ts'
import { byOwnClient } from './own-client.ts'
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
  steps: googleClient.steps('Google Calendar API', 'conta dona da agenda'),
  addresses: [{ label: 'URI de redirecionamento', value: '{origin}/google-calendar/callback', shownWhen: byOwnClient }],
  settingsPage: { label: 'Abrir a página da agenda', path: '/configuracoes/google-calendar' },
  oauth: {
    ...googleClient.oauth,
    returnPath: returnPaths.googleCalendar,
    scopes: ['https://www.googleapis.com/auth/calendar.events'],
  },
  config: z.object({
    calendarId: z.string().trim().min(1, 'Informe a agenda.').max(300).default('primary').meta({
      label: 'Agenda',
      help: '“primary” é a agenda principal da conta. De outra, cole o ID que está nas configurações dela, em Integrar agenda.',
    }),
    ...googleClient.fields,
    apiUrl: z
      .url('Endereço inválido.')
      .default('https://www.googleapis.com/calendar/v3')
      .meta({ shownWhen: byOwnClient, label: 'Endereço da agenda', is: 'url' }),
  }),
})
