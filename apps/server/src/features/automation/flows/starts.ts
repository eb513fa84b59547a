import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { matchAutoReply } from '@balcao/contract/service/auto-reply-match.ts'
import type { RunStart } from '../../../db/schema/automation/flows.ts'
import { calendarOf } from '../../conversations/deadlines/targets.ts'
import type { TicketState } from '../../conversations/timeline/ticket-state.ts'
import type { Heard } from '../../conversations/turns/owners.ts'
import type { Directory, FlowCard } from '../../core/directory/directory.ts'

/** A flow that begins with a word, and what made it begin. */
export type Start = { flow: FlowCard; by: RunStart }

/**
 * The flow that begins with this word of a customer nobody leads yet: by a keyword at any time; else, at the beginning of a
 * conversation, the one that tries itself on this phone, its channel's, its queue's, the company's. Outside of the hours
 * one that is to keep quiet then leaves the word to others.
 */
export const startOf = (heard: Heard): Start | undefined => {
  const { ticket, directory } = heard
  if (ticket.isBotBlocked || ticket.userId) return undefined
  const found = byKeyword(heard) ?? (isBeginning(ticket) ? byPlace(heard) : undefined)
  const isQuiet = found?.flow.outOfHours === 'absence' && !isOpen(directory, ticket.queueId, heard.now)
  return isQuiet ? undefined : found
}

/** Nobody and no flow has answered yet; what we began ourselves waits for a person. */
const isBeginning = ({ status, firstAnsweredAt, chatFlowAt }: TicketState) =>
  status === 'pending' && firstAnsweredAt === null && chatFlowAt === null

const byKeyword = ({ directory, ticket, message, phones, now }: Heard): Start | undefined => {
  const match = matchAutoReply(directory.flowWords, {
    text: message.body,
    type: message.type,
    connectionId: ticket.connectionId,
    isOpen: true,
    isFirst: false,
    last: null,
    phones,
    now,
  })
  const flow = match && directory.flows.get(match.rule.id)
  return flow && { flow, by: 'keyword' }
}

const byPlace = ({ directory, ticket, phones }: Heard): Start | undefined => {
  const { flows, connections, queues, settings } = directory
  const ready = (id: string | null | undefined) => {
    const flow = id ? flows.get(id) : undefined
    return flow?.isActive && flow.publishedId ? flow : undefined
  }
  const tried = [...flows.values()].find(
    ({ id, celularTeste }) => celularTeste && phones.includes(celularTeste) && ready(id),
  )
  if (tried) return { flow: tried, by: 'test' }
  const places: [RunStart, string | null | undefined][] = [
    ['connection', connections.get(ticket.connectionId)?.chatFlowId],
    ['queue', ticket.queueId && queues.get(ticket.queueId)?.chatFlowId],
    ['company', settings.botTicketActive],
  ]
  for (const [by, id] of places) {
    const flow = ready(id)
    if (flow && !flow.celularTeste) return { flow, by }
  }
  return undefined
}

export const isOpen = (directory: Directory, queueId: string | null, now: Date): boolean => {
  const { hours, holidays, timeZone } = calendarOf(directory, { queueId, userId: null })
  return isOpenAt(hours, holidays, now, timeZone)
}
