import { spanOf } from '@balcao/contract/core/span.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Catalogue } from '../../conversations/tickets/action-catalogue.ts'
import { scheduleIn } from './schedules.service.ts'

export const schedule: Catalogue['schedule'] = {
  run: async ({ body, minutes }, { tx, by, ticket, directory, stepId }) => {
    if (!by.actor) throw new AppError('ERR_INVALID_TRANSITION', { message: 'Só uma pessoa agenda mensagens.' })
    await scheduleIn(tx, by.actor, directory.timezone, {
      id: stepId,
      contactId: ticket.contactId,
      connectionId: ticket.whatsappId,
      body,
      mediaId: null,
      recurrence: null,
      scheduleDate: new Date(Date.now() + minutes * 60_000).toISOString(),
    })
  },
  sentence: ({ minutes }) => `agendou uma mensagem para daqui a ${spanOf(minutes)}`,
}
