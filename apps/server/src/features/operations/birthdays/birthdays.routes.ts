import { pageOf } from '@balcao/contract/common.ts'
import {
  birthday,
  birthdayContact,
  birthdayGreeting,
  birthdayResult,
  birthdaySummary,
  birthdaysQuery,
  greeter,
  upcomingQuery,
} from '@balcao/contract/operations/birthdays.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Routes } from '../../../kit/http.ts'
import { birthdaysExport } from './birthdays.export.ts'
import { listBirthdays, listUpcoming, summariseBirthdays } from './birthdays.list.ts'
import { sendBirthdayGreetings } from './greet.ts'
import { listGreeters } from './greeters.ts'

/** Whose day it is, and wishing them well. */
export const birthdayRoutes: Routes = (app) => {
  app.get(
    '/birthdays',
    {
      config: { can: 'contacts.read', summary: 'Listar os aniversariantes de hoje e dos próximos 30 dias' },
      schema: { querystring: upcomingQuery, response: { 200: pageOf(birthday) } },
    },
    (req) => listUpcoming(req.actor, req.query),
  )
  app.get(
    '/birthdays/summary',
    {
      config: { can: 'contacts.read', summary: 'Resumir os aniversários de hoje e os parabéns do mês' },
      schema: { response: { 200: birthdaySummary } },
    },
    (req) => summariseBirthdays(req.actor),
  )
  app.get(
    '/birthdays/greeters',
    {
      config: { can: 'contacts.read', summary: 'Listar como cada canal dá os parabéns' },
      schema: { response: { 200: pageOf(greeter) } },
    },
    async (req) => ({ items: await listGreeters(req.actor), hasMore: false, nextCursor: null }),
  )
  app.post(
    '/birthdays/export',
    {
      config: { can: 'contacts.export', summary: 'Pedir a exportação dos aniversariantes' },
      schema: { body: upcomingQuery, response: { 202: bulkJob } },
    },
    async (req, reply) => reply.status(202).send(await birthdaysExport.enqueue(req.actor, req.body)),
  )
  app.get(
    '/contactsBirthday',
    {
      config: { can: 'contacts.read', summary: 'Listar os aniversariantes' },
      schema: { querystring: birthdaysQuery, response: { 200: pageOf(birthdayContact) } },
    },
    (req) => listBirthdays(req.actor, req.query),
  )
  app.post(
    '/messages/sendBirthday',
    {
      config: {
        can: 'schedules.write',
        summary: 'Agendar os parabéns aos aniversariantes',
        errors: ['ERR_NO_WAPP_FOUND'],
      },
      schema: { body: birthdayGreeting, response: { 200: birthdayResult } },
    },
    (req) => sendBirthdayGreetings(req.actor, req.body),
  )
}
