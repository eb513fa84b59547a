import type { Message, MessageEntity } from '@balcao/contract/conversations/messages.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'

/** Messages whoever asks may see, as the calls answer them. */
export const messageEntitiesOf = async (tenantId: number, messages: Message[]): Promise<MessageEntity[]> => {
  const scheduled = messages.filter((one) => one.sendType === 'schedule')
  const rows = scheduled.length
    ? await withTenant(tenantId, (tx) =>
        tx.rows<{ messageId: string; dueAt: Date }>(dueOf, [
          tenantId,
          [...new Set(scheduled.map((one) => one.contactId))],
          scheduled.map((one) => one.id),
        ]),
      )
    : []
  const dueAt = new Map(rows.map((row) => [row.messageId, row.dueAt.toISOString()]))
  return messages.map((one) => ({
    ...one,
    ticket: { id: one.ticketId },
    mediaName: one.media?.name ?? null,
    scheduleDate: dueAt.get(one.id) ?? null,
  }))
}

export const messageEntityOf = async (tenantId: number, message: Message): Promise<MessageEntity> => {
  const [entity] = await messageEntitiesOf(tenantId, [message])
  if (!entity) throw new Error('One message is one entity')
  return entity
}

/** The contact leads to the index; a contact has few schedules. */
const dueOf: Prepared = {
  name: 'messages_due',
  text: `select message_id as "messageId", due_at as "dueAt" from schedules
    where tenant_id = $1 and contact_id = any($2::uuid[]) and message_id = any($3::uuid[])`,
}
