import { maxShared, type Ticket, type ticketShareBody } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { commitTicketChange } from './commit-ticket-changes.ts'
import { getVisibleTicket, lockVisibleTicket } from './tickets.service.ts'

/** POST /ticket-shared: colleagues take part in it, whatever the queue; whoever is new is told. */
export const shareTicket = async (
  actor: Actor,
  { ticketId, userIds }: z.output<typeof ticketShareBody>,
): Promise<Ticket> => withTenant(actor.tenantId, (tx) => addGuests(tx, actor, { ticketId, userIds }))

const addGuests = async (
  tx: Tx,
  actor: Actor,
  { ticketId, userIds }: z.output<typeof ticketShareBody>,
): Promise<Ticket> => {
  const { people } = await getDirectory(actor.tenantId)
  const before = await lockVisibleTicket(tx, actor, ticketId)
  if (before.status === 'closed')
    throw new AppError('ERR_TICKET_CLOSED', { message: 'Este atendimento está encerrado. Reabra para compartilhar.' })
  const fresh = [...new Set(userIds)].filter((id) => id !== before.userId && !before.sharedWith.includes(id))
  const guests = fresh.map((id) => {
    const person = people.get(id)
    if (!person) throw fieldErrors({ path: 'userIds', message: 'Usuário não encontrado.' })
    if (person.isBlocked) throw fieldErrors({ path: 'userIds', message: `${person.name} está sem acesso.` })
    if (!person.permissions.has('tickets.write'))
      throw fieldErrors({ path: 'userIds', message: `${person.name} não atende conversas.` })
    return person
  })
  if (!guests.length) return before
  const sharedWith = [...before.sharedWith, ...fresh]
  if (sharedWith.length > maxShared)
    throw fieldErrors({ path: 'userIds', message: `Compartilhe com até ${maxShared} pessoas.` })

  const names = new Intl.ListFormat('pt-BR').format(guests.map((person) => person.name))
  const invited = fresh.filter((id) => id !== actor.userId)
  return commitTicketChange(
    tx,
    {
      before,
      set: { sharedWith },
      logs: [{ type: 'share', userId: actor.userId, queueId: before.queueId, note: names }],
      lines: [{ type: 'system', body: `${actor.name} compartilhou o atendimento com ${names}.` }],
      notices: [
        {
          kind: 'shared',
          text: `${actor.name} compartilhou com você a conversa com ${before.name}.`,
          userIds: invited,
        },
      ],
    },
    byUser(actor),
  )
}

/** `groupUserIdArray`: exactly these take part in it. Who comes before who goes, so that nobody is lost to the limit. */
export const setShared = async (tx: Tx, actor: Actor, ticketId: string, userIds: string[]): Promise<void> => {
  const before = await lockVisibleTicket(tx, actor, ticketId)
  if (userIds.some((id) => !before.sharedWith.includes(id))) await addGuests(tx, actor, { ticketId, userIds })
  for (const id of before.sharedWith) if (!userIds.includes(id)) await removeGuest(tx, actor, ticketId, id)
}

/** DELETE /ticket-shared/{ticketId}/{userId}: somebody leaves it, or is taken out. */
export const unshareTicket = (actor: Actor, ticketId: string, userId: string): Promise<void> =>
  withTenant(actor.tenantId, (tx) => removeGuest(tx, actor, ticketId, userId))

const removeGuest = async (tx: Tx, actor: Actor, ticketId: string, userId: string): Promise<void> => {
  const { people } = await getDirectory(actor.tenantId)
  const before = await lockVisibleTicket(tx, actor, ticketId)
  if (!before.sharedWith.includes(userId)) throw new AppError('ERR_NO_USER_FOUND')
  const name = people.get(userId)?.name ?? 'uma pessoa'
  const line =
    userId === actor.userId ? `${name} saiu do atendimento.` : `${actor.name} retirou ${name} do atendimento.`
  await commitTicketChange(
    tx,
    {
      before,
      set: { sharedWith: before.sharedWith.filter((id) => id !== userId) },
      logs: [{ type: 'share', userId: actor.userId, queueId: before.queueId, note: `Sem ${name}` }],
      lines: [{ type: 'system', body: line }],
    },
    byUser(actor),
  )
}

/** GET /ticket-shareds/ticket/{id}: who takes part in it. */
export const listShared = async (actor: Actor, ticketId: string) => {
  const { people } = await getDirectory(actor.tenantId)
  const ticket = await withTenant(actor.tenantId, (tx) => getVisibleTicket(tx, actor, ticketId))
  const items = ticket.sharedWith.flatMap((id) => {
    const person = people.get(id)
    return person ? [{ id, name: person.name }] : []
  })
  return { items, hasMore: false, nextCursor: null }
}
