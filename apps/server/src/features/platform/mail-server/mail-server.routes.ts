import { integrationTest } from '@balcao/contract/core/integrations/index.ts'
import { mailServer, mailServerWrite } from '@balcao/contract/platform/mail-server.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { getMailServer, removeMailServer, saveMailServer, testMailServer } from './mail-server.service.ts'

const writes = { can: 'tenants.write' } as const

/** The account from which the platform's own mails leave. */
export const mailServerRoutes: Routes = (app) => {
  app.get(
    '/tenantsSmtp',
    {
      config: { ...writes, summary: 'Ler a conta de e-mail da instalação' },
      schema: { response: { 200: mailServer } },
    },
    () => getMailServer(),
  )
  app.put(
    '/tenantsSmtp',
    {
      config: { ...writes, summary: 'Informar a conta de e-mail da instalação' },
      schema: { body: mailServerWrite, response: { 200: mailServer } },
    },
    ({ actor, body }) => saveMailServer(actor, body.config),
  )
  app.delete(
    '/tenantsSmtp',
    {
      config: { ...writes, summary: 'Tirar a conta de e-mail da instalação' },
      schema: { response: { 204: z.void() } },
    },
    async ({ actor }, reply) => {
      await removeMailServer(actor)
      return reply.status(204).send()
    },
  )
  app.post(
    '/tenantsSmtp/test',
    {
      config: { ...writes, summary: 'Testar a conta de e-mail da instalação' },
      schema: { response: { 200: integrationTest } },
    },
    () => testMailServer(),
  )
}
