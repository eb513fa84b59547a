import type { pauseBody, Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { commitTicketChange, type TicketChange } from './commit-ticket-changes.ts'
import type { Doer, Told } from './ticket-changes.ts'
import { lockVisibleTicket } from './tickets.service.ts'

const longestMs = 366 * 24 * 3_600_000

/** POST /ticketsPause/{id}/pause: put away; whoever pauses again says anew until when, the rest goes on being counted. */
export const pauseTicket = async (
  actor: Actor,
  ticketId: string,
  asked: z.output<typeof pauseBody>,
): Promise<Ticket> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    return commitTicketChange(tx, planPause(before, asked, actor, directory), byUser(actor))
  })
}

/** POST /ticketsPause/{id}/pause/end: taken up again. Twice is once. */
export const resumeTicket = (actor: Actor, ticketId: string): Promise<Ticket> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    const change = planResume(before, actor)
    return change ? commitTicketChange(tx, change, byUser(actor)) : before
  })

export const planPause = (
  before: Ticket,
  { pauseReason, until, wakesOnReply }: z.output<typeof pauseBody>,
  by: Doer,
  { settings, timezone }: Pick<Directory, 'settings' | 'timezone'>,
): TicketChange => {
  if (!settings.allowPause)
    throw new AppError('ERR_INVALID_TRANSITION', { message: 'A sua empresa não usa a pausa de atendimentos.' })
  if (before.status === 'closed')
    throw new AppError('ERR_TICKET_CLOSED', { message: 'Este atendimento está encerrado.' })
  const wakesAt = until ? new Date(until) : null
  if (wakesAt && wakesAt.getTime() <= Date.now())
    throw fieldErrors({ path: 'until', message: 'Escolha um momento no futuro.' })
  if (wakesAt && wakesAt.getTime() > Date.now() + longestMs)
    throw fieldErrors({ path: 'until', message: 'Escolha uma data de até um ano.' })

  const reason = pauseReason?.replaceAll('\0', '') || null
  const told = [
    wakesAt && `até ${momentText(wakesAt, timezone)}`,
    wakesOnReply && `${wakesAt ? 'ou ' : ''}até o cliente responder`,
  ]
  const line = [`${by.name} pausou o atendimento`, ...told].filter(Boolean).join(' ')
  return {
    before,
    set: { pausedAt: before.pausedAt ?? 'now', pausedUntil: wakesAt, pauseReason: reason, wakesOnReply },
    logs: [{ type: 'pause', userId: by.userId, queueId: before.queueId, note: reason }],
    lines: [{ type: 'system', body: `${line}.${reason ? ` Motivo: ${reason}` : ''}` }],
  }
}

/** `told`: where nobody decided it. */
export const planResume = (before: Ticket, by: Doer, told?: Told): TicketChange | undefined =>
  before.pausedAt
    ? {
        before,
        isResumed: true,
        isNews: true,
        logs: [{ type: 'resume', userId: by.userId, queueId: before.queueId, note: told?.note }],
        lines: [{ type: 'system', body: told?.line ?? `${by.name} retomou o atendimento.` }],
      }
    : undefined

const momentText = (moment: Date, timeZone: string) =>
  new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone })
    .format(moment)
    .replace(',', ' às')
