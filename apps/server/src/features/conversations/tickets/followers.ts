import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { emit } from '../../../kit/outbox.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { canSee, viewerOf } from './tickets.policy.ts'
import { factsOf } from './tickets.present.ts'

/**
 * Tells those who follow a conversation that it changed hands, ended or began again; not whoever did it, nor whoever
 * was handed it (they are told so), nor who may no longer see it. `author` is null when the customer did it.
 */
export const tellFollowers = async (
  tx: Tx,
  before: Ticket,
  after: Ticket,
  author: Pick<Actor, 'userId' | 'name'> | null,
): Promise<void> => {
  if (!isNews(before, after, author)) return
  const rows = await tx.rows<{ userId: string }>(followers, [tx.tenantId, after.id, author?.userId ?? null])
  if (!rows.length) return
  const directory = await getDirectory(tx.tenantId)
  const userIds = rows.map((row) => row.userId).filter((userId) => mayHear(directory, userId, after))
  if (!userIds.length) return
  const text = newsOf(before, after, author?.name ?? null)
  await emit(
    tx,
    'ticket.notice',
    { ticketId: after.id, kind: 'followed', text, messageId: null },
    { kind: 'users', userIds },
  )
}

/** Accepting is no news: it is what everybody waits for. */
const isNews = (before: Ticket, after: Ticket, author: Pick<Actor, 'userId'> | null) =>
  (before.status === 'closed') !== (after.status === 'closed') ||
  before.queueId !== after.queueId ||
  (before.userId !== after.userId && after.userId !== null && after.userId !== author?.userId)

const mayHear = (directory: Directory, userId: string, ticket: Ticket) => {
  const person = directory.people.get(userId)
  return (
    userId !== ticket.userId &&
    person !== undefined &&
    !person.isBlocked &&
    person.permissions.has('tickets.read') &&
    canSee(viewerOf(directory, userId), factsOf(ticket))
  )
}

const newsOf = (before: Ticket, after: Ticket, who: string | null): string => {
  const { name } = after
  if (before.status !== 'closed' && after.status === 'closed')
    return who ? `${who} encerrou o atendimento de ${name}.` : `${name} encerrou a conversa.`
  if (before.status === 'closed' && after.status !== 'closed')
    return who ? `${who} reabriu o atendimento de ${name}.` : `O atendimento de ${name} foi reaberto.`
  const isHanded = before.userId !== after.userId && after.username
  const to = isHanded ? after.username : (after.queue?.name ?? 'a espera, sem fila')
  return who
    ? `${who} transferiu o atendimento de ${name} para ${to}.`
    : `O atendimento de ${name} foi transferido para ${to}.`
}

const followers: Prepared = {
  name: 'ticket_followers',
  text: `select user_id as "userId" from ticket_marks
    where tenant_id = $1 and ticket_id = $2 and is_followed and user_id is distinct from $3::uuid`,
}
