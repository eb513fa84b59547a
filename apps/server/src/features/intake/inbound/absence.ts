import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { type BusinessCalendar, lastClosing } from '@balcao/contract/core/business-time.ts'
import { v5 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import { filledFor, lockConversation } from '../../conversations/messages/system-messages.ts'
import { composeOutgoing, unlessRefused } from '../../conversations/messages/write-outgoing.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { TicketState } from '../../conversations/timeline/ticket-state.ts'
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
  const replies: NewMessage[] = []
  for (const [id, { ticket, text }] of candidates) {
    const conversation = await lockConversation(tx, ticket.id)
    const body = conversation && filledFor(conversation, directory, text, null)
    if (!body) continue
    // What came just now opened the window.
    const reached = { ...ticket, windowFrom: now }
    replies.push(
      ...(await unlessRefused(
        composeOutgoing(tx, {
          ticket: reached,
          directory,
          author: byRule('Mensagem de ausência'),
          cause: 'chat',
          purpose: 'service',
          drafts: [{ id, type: 'text', body }],
          // Who waits for a person goes on waiting, with their own words in the list.
          effect: 'nothing',
          now,
        }),
        [],
      )),
    )
  }
  return replies
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
