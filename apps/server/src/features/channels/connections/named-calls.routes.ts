import { connection, connectionLink, numbersCheck, numbersChecked } from '@balcao/contract/channels/connections.ts'
import { id } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { updateConnection } from './connections.service.ts'
import { checkNumbers } from './numbers.ts'
import { linkConnection, startConnection } from './running.ts'

/** The names that other programs know gateways by. */
const gateways = ['meow', 'evo', 'zapi', 'uazapi']
const config = (summary: string) => ({
  can: 'connections.write' as const,
  summary,
  errors: ['ERR_NO_WAPP_FOUND' as const, 'ERR_CHANNEL_REFUSED' as const],
})
const one = { params: z.object({ id }), response: { 200: connection } }

/** Calls that say by another name what connections do anyway. */
export const namedCallRoutes: Routes = (app) => {
  for (const gateway of gateways) {
    app.post(
      `/${gateway}-qrcode/:id`,
      { config: config(`Gerar o QR code de um canal (${gateway})`), schema: { ...one, body: connectionLink } },
      async ({ actor, params, body }) => linkConnection(actor, params.id, body),
    )
    app.post(
      `/${gateway}-setwebhook/:id`,
      { config: config(`Registrar o endereço de avisos no provedor (${gateway})`), schema: one },
      async ({ actor, params }) => startConnection(actor, params.id),
    )
  }
  app.post(
    '/setDefault',
    {
      config: config('Tornar um canal o padrão do seu tipo'),
      schema: { body: z.object({ id }), response: { 200: connection } },
    },
    async ({ actor, body }) => updateConnection(actor, body.id, { isDefault: true }),
  )
  const checks = {
    '/checkContacts': 'Conferir quais números existem na rede de um canal',
    '/contactsCheckLid': 'Conferir por que outro nome (LID) a rede de um canal conhece números',
  }
  for (const [path, summary] of Object.entries(checks))
    app.post(
      path,
      {
        config: { ...config(summary), can: 'contacts.write' },
        schema: { body: numbersCheck, response: { 200: numbersChecked } },
      },
      async ({ actor, body }) => checkNumbers(actor, body),
    )
}
