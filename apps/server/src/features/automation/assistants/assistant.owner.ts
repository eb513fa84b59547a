import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import type { Tx } from '../../../db/database.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import { lockConversation } from '../../conversations/messages/system-messages.ts'
import type { Heard, OwnerWork, Turn } from '../../conversations/turns/owners.ts'
import { type AssistantCard, assistantsFor, type Directory, isForOwner } from '../../core/directory/directory.ts'
import { give, handOverTo, letGo } from './give.ts'
import { endRun, findActiveRun, findVersionOf, openingAsks, openingOf, openSession } from './runs.rows.ts'
import { lookAgainMs, think, waitsForMore } from './think.ts'

/**
 * Assistants answer what nobody of the team attends. A turn is thought about first (`thinks`), and what was thought is a
 * run that is ready; the turn that holds the conversation gives it. Whatever came meanwhile is a turn of its own: it finds
 * the run ready, gives it, and answers what has not been heard next.
 */
export const assistant: OwnerWork = {
  claims: (heard) => {
    const { ticket, now } = heard
    if (ticket.isBotBlocked || (ticket.status === 'open' && ticket.userId)) return undefined
    const card = ticket.bot ? (lentTo(heard) ?? answering(heard)) : beginning(heard)
    if (!card) return ticket.bot && !isKept(heard) ? { ownerId: null } : undefined
    const waitMs = card.waitSeconds * 1_000
    return { ownerId: card.id, ...(waitMs && { dueAt: new Date(now.getTime() + waitMs) }) }
  },
  thinks: think,
  reads: openingAsks,
  run: async (tx, turn, directory, read) => {
    const { conversation, run, ...known } = openingOf(read, turn.ticketId)
    if (!conversation || conversation.status === 'closed') return undefined
    if (conversation.bot && isForOwner(directory, conversation)) {
      if (run) endRun(tx, run.id, 'overtaken')
      await letGo(tx, conversation.id, 'O contato tem carteira: o assistente deixou a conversa para a equipe.')
      return undefined
    }
    if (run?.state === 'ready') return give(tx, { run, conversation, directory, ...known })
    if (run?.isLeased) return { dueAt: new Date(Date.now() + lookAgainMs), payload: turn.payload }
    const session = known.session ?? (await openSession(tx, turn.ticketId))
    const card = directory.assistants.get(session.assistantId ?? turn.ownerId ?? '')
    const version = card && (await findVersionOf(tx, card.id))
    const heardSeq = Math.max(session.heardSeq, session.fromSeq)
    const until =
      version &&
      (await waitsForMore(tx, directory, { ticketId: turn.ticketId, heardSeq, config: version.config, card }))
    // The words of an audio wake it sooner.
    if (until && (conversation.status !== 'open' || !conversation.userId))
      return { dueAt: until, payload: turn.payload }
    // It was switched off meanwhile: whoever waits is a person's again.
    if (conversation.bot && (!card?.isActive || !card.publishedId))
      await letGo(tx, conversation.id, 'O assistente foi desligado.')
    return undefined
  },
  giveUp: (tx, turn, directory) => giveUp(tx, turn, directory),
}

const giveUp = async (tx: Tx, { ticketId }: Pick<Turn, 'ticketId'>, directory: Directory): Promise<void> => {
  const [conversation, run] = [await lockConversation(tx, ticketId), await findActiveRun(tx, ticketId)]
  if (run) endRun(tx, run.id, 'failed')
  if (!conversation?.bot || conversation.status === 'closed') return
  const session = await openSession(tx, ticketId)
  await handOverTo(tx, {
    conversation,
    directory,
    assistantId: session.assistantId ?? '',
    reason: 'failed',
    queueId: null,
  })
}

/** A flow has lent it: to which one is known by the session, and where and when it works is the flow's to say. */
const lentTo = ({ directory, ticket }: Heard): AssistantCard | undefined =>
  ticket.chatFlowId
    ? [...directory.assistants.values()].find(
        ({ isActive, publishedId, bot }) => isActive && publishedId && bot === ticket.bot,
      )
    : undefined
/** The one that has it in hand; of several of one kind the first that works here. */
const answering = (heard: Heard): AssistantCard | undefined =>
  assistantsFor(heard.directory, heard.ticket).find(({ bot, hours }) => bot === heard.ticket.bot && isIn(heard, hours))
/** Its hours alone keep it from answering: the flag stays. */
const isKept = (heard: Heard) =>
  assistantsFor(heard.directory, heard.ticket).some(({ bot }) => bot === heard.ticket.bot)

/** At the beginning of a conversation that nobody and nothing has answered yet. */
const beginning = (heard: Heard): AssistantCard | undefined => {
  const { ticket, directory } = heard
  const isNew =
    ticket.status === 'pending' &&
    !ticket.userId &&
    !ticket.chatFlowId &&
    ticket.firstAnsweredAt === null &&
    ticket.assistantAt === null &&
    ticket.chatFlowAt === null
  if (!isNew) return undefined
  return assistantsFor(directory, ticket).find(
    ({ allTickets, bot, hours }) =>
      (allTickets || (bot && directory.settings[`${bot}AllTickets`])) && isIn(heard, hours),
  )
}

const isIn = ({ directory, ticket, now }: Heard, hours: AssistantCard['hours']) => {
  if (hours === 'always') return true
  const { hours: days, holidays, timeZone } = calendarOf(directory, { queueId: ticket.queueId, userId: null })
  return isOpenAt(days, holidays, now, timeZone) === (hours === 'open')
}
