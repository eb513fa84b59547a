import type { Ticket, TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError, messageOf, problemsOf, reasonOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'
import { inTurn } from '../../conversations/messages/outbox.ts'
import { forceTicket, putTicket, ticketQuery } from '../../conversations/tickets/api.ts'
import { receiveTicket } from '../../conversations/tickets/live.ts'
import { offerUndo } from '../../conversations/tickets/undo.ts'

/** Another conversation with the same contact is under way: where, and in whose hands. */
export type OtherTicket = { ticketId: string; userName: string | null }
type TicketAction = 'accept' | 'giveBack' | 'close' | 'reopen' | 'transfer'

/** A form that shows what is wrong with its fields itself. */
type OnProblems = (problems: FieldProblem[]) => void

type Around = {
  /** Told before a conversation leaves one's hands; what it answers runs once it has. */
  onLeaving?: () => () => void
  /** What was closed or given away is back. */
  onUndone?: (ticketId: string) => void
}

/** What an agent does with a conversation; a lost race is told by the winner's name. */
export const useTicketActions = (ticket: Ticket | undefined, { onLeaving, onUndone }: Around = {}) => {
  const cache = useQueryClient()
  const { userId, user } = useCurrentSession()
  const isUndoable = user.configs.undoSend || undefined
  const [busy, setBusy] = useState<TicketAction | null>(null)
  const [other, setOther] = useState<OtherTicket | null>(null)
  const inHand = useRef<{ action: TicketAction; isDone: Promise<boolean> } | null>(null)

  /** One after the other: a quick hand accepts and closes before the first has been answered. Twice the same is once. */
  const attempt = async (
    action: TicketAction,
    put: (id: string) => Promise<Ticket>,
    onProblems?: OnProblems,
  ): Promise<boolean> => {
    if (!ticket || inHand.current?.action === action) return false
    const before = inHand.current?.isDone
    const mine = { action, isDone: Promise.resolve(before).then(() => call(ticket.id, put, onProblems)) }
    inHand.current = mine
    setBusy(action)
    const isDone = await mine.isDone
    if (inHand.current === mine) {
      inHand.current = null
      setBusy(null)
    }
    return isDone
  }
  const call = async (id: string, put: (id: string) => Promise<Ticket>, onProblems?: OnProblems) => {
    try {
      receiveTicket(cache, await inTurn(id, () => put(id)))
      return true
    } catch (error) {
      const found = otherTicketIn(error)
      const problems = problemsOf(error)
      if (found) setOther(found)
      else if (onProblems && problems.length) onProblems(problems)
      else notify.error(sentenceOf(error))
      if (isApiError(error) && [404, 409].includes(error.status))
        void cache.invalidateQueries({ queryKey: ticketQuery(id).queryKey })
      return false
    }
  }
  /** Leaves one's hands, and may be taken back for some seconds. */
  const leave = async (action: TicketAction, patch: Partial<TicketPatch>, message: string, onProblems?: OnProblems) => {
    const goOn = onLeaving?.()
    const isDone = await run(action, { ...patch, isUndoable }, onProblems)
    if (!isDone || !ticket) return false
    if (isUndoable) offerUndo({ ticketId: ticket.id, message, cache, onUndone: onUndone ?? (() => undefined) })
    goOn?.()
    return true
  }
  const run = (action: TicketAction, patch: Partial<TicketPatch>, onProblems?: OnProblems) =>
    attempt(action, (id) => putTicket(id, patch), onProblems)
  return {
    busy,
    other,
    dismissOther: () => setOther(null),
    accept: () => run('accept', { status: 'open', userId }),
    /** What is a colleague's turn, who has not accepted it. */
    takeOver: () => run('accept', { status: 'open', userId, takeOver: true }),
    giveBack: () => run('giveBack', { status: 'pending', userId: null }),
    close: (how: Pick<TicketPatch, 'reasonId' | 'farewellId' | 'value'> = {}, onProblems?: OnProblems) =>
      leave('close', { status: 'closed', ...how }, `Atendimento de ${ticket?.name} encerrado.`, onProblems),
    forceClose: async () => {
      const goOn = onLeaving?.()
      const isDone = await attempt('close', forceTicket)
      if (isDone) goOn?.()
      return isDone
    },
    reopen: () => run('reopen', { status: 'open', userId }),
    transfer: ({ name, ...to }: { userId?: string; queueId?: string; note: string; name: string }) =>
      leave(
        'transfer',
        { ...to, note: to.note || undefined, isTransference: true },
        `${ticket?.name} agora está com ${name}.`,
      ),
  }
}
export type TicketActions = ReturnType<typeof useTicketActions>

/** The details of ERR_OTHER_OPEN_TICKET, or null for any other failure. */
export const otherTicketIn = (error: unknown): OtherTicket | null => {
  if (!isApiError(error, 'ERR_OTHER_OPEN_TICKET')) return null
  const { ticketId, userName } = fieldsOf(error.details)
  return typeof ticketId === 'string' ? { ticketId, userName: typeof userName === 'string' ? userName : null } : null
}

const sentenceOf = (error: unknown): string => {
  const isTaken = isApiError(error, 'ERR_TICKET_TAKEN')
  if (!isTaken && !isApiError(error, 'ERR_TICKET_OFFERED')) {
    return reasonOf(error)
  }
  const { userName } = fieldsOf(error.details)
  if (typeof userName !== 'string') return messageOf(error)
  return isTaken
    ? `${userName} já aceitou este atendimento.`
    : `Este atendimento está na vez de ${userName}. Você pode assumir mesmo assim.`
}

const fieldsOf = (details: unknown): Record<string, unknown> =>
  typeof details === 'object' && details !== null ? { ...details } : {}
