import { spanOf } from '@balcao/contract/core/span.ts'
import { fillLearned } from '@balcao/contract/variables.ts'
import type { Catalogue } from '../../conversations/tickets/action-catalogue.ts'
import { scheduleIn } from './schedules.service.ts'

export const schedule: Catalogue['schedule'] = {
  run: async ({ body, minutes }, { tx, by, ticket, directory, stepId, vars }) => {
    const who = by.actor ? ({ actor: by.actor, rule: null } as const) : { actor: null, rule: by.author.name }
    await scheduleIn(tx, who, directory.timezone, {
      id: stepId,
      contactId: ticket.contactId,
      connectionId: ticket.whatsappId,
      // What a flow has learned is known now alone; the rest is filled in when it goes out.
      body: fillLearned(body, vars),
      mediaId: null,
      recurrence: null,
      scheduleDate: new Date(Date.now() + minutes * 60_000).toISOString(),
    })
  },
  sentence: ({ minutes }) => `agendou uma mensagem para daqui a ${spanOf(minutes)}`,
}
