import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../kit/outbox.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { canSee, viewerOf } from './tickets.policy.ts'

type Told = { before: Ticket; after: Ticket }

/**
 * What those hear who follow conversations that changed hands, ended or began again; not whoever did it, nor whoever
 * was handed it (they are told so), nor who may no longer see it.
 */
export const newsForFollowers = async (tx: Tx, changes: Told[], author: Author): Promise<NewEvent[]> => {
  const news = changes.filter(({ before, after }) => isNews(before, after, author))
  if (!news.length) return []
  const rows = await tx.rows<{ ticketId: string; userId: string }>(followers, [
    tx.tenantId,
    news.map(({ after }) => after.id),
    author.kind === 'user' ? author.id : null,
  ])
  if (!rows.length) return []
  const directory = await getDirectory(tx.tenantId)
  const byTicket = Map.groupBy(rows, ({ ticketId }) => ticketId)
  return news.flatMap(({ before, after }): NewEvent[] => {
    const following = byTicket.get(after.id) ?? []
    const userIds = following.map(({ userId }) => userId).filter((userId) => mayHear(directory, userId, after))
    if (!userIds.length) return []
    const text = newsOf(before, after, author)
    return [
      {
        name: 'ticket.notice',
        payload: { ticketId: after.id, kind: 'followed', text, messageId: null },
        audience: { kind: 'users', userIds },
      },
    ]
  })
}

/** Accepting is no news: it is what everybody waits for. Offered by turns is not taken yet. */
const isNews = (before: Ticket, after: Ticket, author: Author) => {
  const isOffered = author.kind !== 'user' && before.status === 'pending' && after.status === 'pending'
  return (
    (before.status === 'closed') !== (after.status === 'closed') ||
    before.queueId !== after.queueId ||
    (before.userId !== after.userId && after.userId !== null && after.userId !== author.id && !isOffered)
  )
}

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

const newsOf = (before: Ticket, after: Ticket, author: Author): string => {
  const { name } = after
  const who = author.kind === 'user' ? author.name : null
  if (before.status !== 'closed' && after.status === 'closed')
    return who
      ? `${who} encerrou o atendimento de ${name}.`
      : author.kind === 'contact'
        ? `${name} encerrou a conversa.`
        : `O atendimento de ${name} foi encerrado.`
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
  text: `select ticket_id as "ticketId", user_id as "userId" from ticket_marks
    where tenant_id = $1 and ticket_id = any($2::uuid[]) and is_followed and user_id is distinct from $3::uuid`,
}
