import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { type BusinessCalendar, lastClosing } from '@balcao/contract/core/business-time.ts'
import { v5 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import { presentMessage } from '../../conversations/messages/messages.present.ts'
import type { NewMessage } from '../../conversations/messages/store.ts'
import { filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { type TicketState, ticketAudience } from '../../conversations/messages/ticket-state.ts'
import type { Directory } from '../../core/directory/directory.ts'

/**
 * The words for closed hours of a conversation's queue, else the company's, once per ticket and closed period, only in
 * private chats. The id follows from both, so neither a repetition nor a second process can say it twice. The ticket
 * keeps waiting for a person.
 */
export const absenceMessages = async (
  tx: Tx,
  directory: Directory,
  arrived: NewMessage[],
  now: Date,
): Promise<NewMessage[]> => {
  const candidates = new Map<string, NewMessage & { text: string }>()
  for (const one of arrived) {
    const absence = one.message.fromMe || one.ticket.isGroup ? undefined : absenceOf(directory, one.ticket, now)
    if (absence) candidates.set(v5(`ausencia:${absence.since}`, one.ticket.id), { ...one, text: absence.text })
  }
  if (!candidates.size) return []
  const said = await tx.rows<{ id: string }>(existing, [tx.tenantId, [...candidates.keys()]])
  for (const { id } of said) candidates.delete(id)
  const filled: [string, NewMessage & { text: string }][] = []
  for (const [id, one] of candidates) {
    const conversation = await lockConversation(tx, one.ticket.id)
    const text = conversation && filledFor(conversation, directory, one.text, null)
    if (text) filled.push([id, { ...one, text }])
  }
  return filled.map(
    ([id, { ticket, connectionId, text }]): NewMessage => ({
      ticket,
      connectionId,
      audience: ticketAudience(ticket, false),
      message: presentMessage(
        {
          id,
          seq: 0,
          ticketId: ticket.id,
          contactId: ticket.contactId,
          connectionId,
          fromMe: true,
          type: 'text',
          body: text,
          file: null,
          mediaState: 'none',
          location: null,
          contacts: null,
          quoted: null,
          reactions: null,
          status: 'queued',
          error: null,
          providerId: null,
          userId: null,
          isDeleted: false,
          editedAt: null,
          timestamp: now,
          createdAt: now,
          version: 1,
        },
        tx.tenantId,
        new Map(),
      ),
    }),
  )
}

/** What to say, and for which closed period; undefined while open, or with nothing to say. */
const absenceOf = (directory: Directory, { queueId }: TicketState, now: Date) => {
  const queue = queueId ? directory.queues.get(queueId) : undefined
  const text = (queue?.absenceMessage || directory.settings.messageBusinessHours).trim()
  const calendar = calendarOf(directory, { queueId, userId: null })
  if (!text || isOpenAt(calendar.hours, calendar.holidays, now, calendar.timeZone)) return undefined
  return { text, since: closedSince(calendar, now) }
}

const existing: Prepared = {
  name: 'messages_existing',
  text: 'select id from messages where tenant_id = $1 and id = any($2::uuid[])',
}

const daysLookedBack = 31

/** When the closed period of `at` began: its name, the same all through it. */
export const closedSince = (calendar: BusinessCalendar, at: Date): string =>
  lastClosing(calendar, at, daysLookedBack)?.toISOString() ?? 'sempre'
