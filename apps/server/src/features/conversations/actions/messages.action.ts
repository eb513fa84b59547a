import { sendIn } from '../messages/send-message.ts'
import type { Catalogue } from '../tickets/action-catalogue.ts'
import { writeLines } from '../timeline/lines.ts'
import { filled, parsed, say } from './words.ts'

export const send: Catalogue['send'] = { run: ({ body }, here) => say(here, { body }) }

export const note: Catalogue['note'] = {
  run: async ({ body }, here) => {
    const { tx, by, ticket, directory, stepId } = here
    const text = await filled(here, body)
    if (by.actor) {
      await sendIn(tx, directory, by.actor, ticket.id, parsed({ id: stepId, type: 'note', body: text }))
      return
    }
    await writeLines(tx, by.author, [{ ticket, lines: [{ type: 'note', body: text }] }])
  },
}
