import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { type BusinessCalendar, lastClosing } from '@balcao/contract/core/business-time.ts'
import { v5 } from 'uuid'
import type { Prepared } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import { filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { unlessRefused, writeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import type { TicketState } from '../../conversations/timeline/ticket-state.ts'
import type { OwnerWork } from '../../conversations/turns/owners.ts'
import type { Directory } from '../../core/directory/directory.ts'

/**
 * The words for closed hours of a conversation's queue, else the company's, once per ticket and closed period. The id
 * follows from both, so nothing can say it twice. The ticket keeps waiting for a person.
 */
export const absence: OwnerWork = {
  claims: ({ directory, ticket, now }) => (absenceOf(directory, ticket, now) ? {} : undefined),
  run: async (tx, { ticketId }, directory) => {
    const now = new Date()
    const conversation = await lockConversation(tx, ticketId)
    // Said late, after an outage, it might be open again.
    const absence = conversation && conversation.status !== 'closed' && absenceOf(directory, conversation, now)
    if (!absence) return
    const id = v5(`ausencia:${absence.since}`, ticketId)
    const [said] = await tx.rows(existing, [tx.tenantId, id])
    const body = filledFor(conversation, directory, absence.text, null)
    if (said || !body) return
    const words = writeOutgoing(tx, {
      ticket: conversation,
      directory,
      author: byRule('Mensagem de ausência'),
      cause: 'chat',
      purpose: 'service',
      drafts: [{ id, type: 'text', body }],
      // Who waits for a person goes on waiting, with their own words in the list.
      effect: 'nothing',
      now,
    })
    await unlessRefused(words, undefined)
  },
}

/** What to say, and for which closed period; undefined while open, or with nothing to say. */
const absenceOf = (directory: Directory, { queueId }: Pick<TicketState, 'queueId'>, now: Date) => {
  const queue = queueId ? directory.queues.get(queueId) : undefined
  const text = (queue?.absenceMessage || directory.settings.messageBusinessHours).trim()
  const calendar = calendarOf(directory, { queueId, userId: null })
  if (!text || isOpenAt(calendar.hours, calendar.holidays, now, calendar.timeZone)) return undefined
  return { text, since: closedSince(calendar, now) }
}

const existing: Prepared = {
  name: 'message_existing',
  text: 'select id from messages where tenant_id = $1 and id = $2',
}

const daysLookedBack = 31

/** When the closed period of `at` began: its name, the same all through it. */
export const closedSince = (calendar: BusinessCalendar, at: Date): string =>
  lastClosing(calendar, at, daysLookedBack)?.toISOString() ?? 'sempre'
