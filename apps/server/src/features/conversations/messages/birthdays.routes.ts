import { pageOf } from '@balcao/contract/common.ts'
import {
  birthdayContact,
  birthdayGreeting,
  birthdayResult,
  birthdaysQuery,
} from '@balcao/contract/conversations/message-calls.ts'
import type { Routes } from '../../../kit/http.ts'
import { listBirthdays, sendBirthdayGreetings } from './birthdays.ts'

/** Whose day it is, and wishing them well. */
export const birthdayRoutes: Routes = (app) => {
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
