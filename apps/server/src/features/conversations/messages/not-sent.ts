import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { type NotSent, notSentStates } from '@balcao/contract/conversations/tickets.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { viewersOf } from '../tickets/tickets.policy.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import type { TicketState } from '../timeline/ticket-state.ts'

export const isNotSent = (status: MessageStatus): status is NotSent => notSentStates.some((state) => state === status)

type Failure = { id: string; status: MessageStatus; error: string | null; ticket: TicketState }
/** Rings for whoever wrote what was not sent; when they have gone or may not see it any more, for whose conversation it is. */
export const tellNotSent = async (tx: Tx, failures: Failure[]) => {
  const rows = await tx.rows<{ id: string; userId: string | null; name: string }>(writers, [
    tx.tenantId,
    failures.map(({ id }) => id),
  ])
  const directory = await getDirectory(tx.tenantId)
  await emitAll(
    tx,
    failures.flatMap(({ id, status, error, ticket }) => {
      const row = rows.find((one) => one.id === id)
      const seeing = viewersOf(directory, factsOf(ticket))
      const heard = [row?.userId, ticket.userId].find((userId) => userId && seeing.includes(userId))
      if (!row || !heard) return []
      const text =
        status === 'failed'
          ? `A mensagem para ${row.name} não foi enviada. ${error ?? ''}`.trim()
          : `A mensagem para ${row.name} pode não ter chegado. Confira antes de tentar de novo.`
      return [
        {
          name: 'ticket.notice' as const,
          payload: { ticketId: ticket.id, kind: 'notSent' as const, text, messageId: id },
          audience: { kind: 'users' as const, userIds: [heard] },
        },
      ]
    }),
  )
}

const writers: Prepared = {
  name: 'messages_not_sent_writers',
  text: `select m.id, m.user_id as "userId", c.name from messages m
    join contacts c on c.tenant_id = m.tenant_id and c.id = m.contact_id
    where m.tenant_id = $1 and m.id = any($2::uuid[])`,
}
