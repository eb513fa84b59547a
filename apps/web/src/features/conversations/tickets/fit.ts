import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import { dayOf } from '../../../kit/format.ts'
import type { ListFilter, Narrowing } from './filter.ts'
import type { Marks } from './marks.ts'
import { viewOf } from './views.ts'

/** Whoever looks, as far as the list must know. */
/** `seesAll`: may use "Ver todos". */
export type Viewer = { userId: string; seesAll: boolean; settings: Record<string, unknown>; marks: Marks }

/** `maybe`: only the server knows; a listed one stays, a new one does not enter. */
export type Fit = 'yes' | 'no' | 'maybe'

/** Would the server list this ticket under this filter? Tickets reach a browser only when its person may see them. */
export const fitOf = (ticket: Ticket, filter: ListFilter, viewer: Viewer): Fit => {
  const held = isChosen(ticket, filter, viewer)
  if (held === false || !isWithin(ticket, filter, viewer)) return 'no'
  if (held === null) return 'maybe'
  return filter.searchParam ? searchFit(ticket, filter.searchParam) : 'yes'
}

/** Is it among what the filter leaves, whichever view it stands in? */
export const isWithin = (ticket: Ticket, filter: Narrowing, viewer: Viewer): boolean => {
  if (!isListed(ticket, filter.showAll, viewer)) return false
  if (filter.withUnreadMessages && ticket.unreadMessages === 0) return false
  if (filter.priority.length && !filter.priority.includes(ticket.priority)) return false
  const day = dayOf(ticket.createdAt)
  if ((filter.dateFrom && day < filter.dateFrom) || (filter.dateTo && day > filter.dateTo)) return false
  if (!isInChosenQueue(ticket, filter)) return false
  const isFree = ticket.isGroup && viewer.settings.mostrarGruposParaTodos === true
  if (!isFree) {
    if (filter.whatsappIds.length && !filter.whatsappIds.includes(ticket.whatsappId)) return false
    const tags = [...ticket.tags, ...ticket.contact.tags]
    if (filter.tagIds.length && !tags.some((tag) => filter.tagIds.includes(tag.id))) return false
    if (!isInChosenHands(ticket, filter)) return false
  }
  return true
}

/** The same as far as a delta can tell: enough to leave alone what surely does not belong. */
export const mayFit = (delta: TicketDelta, filter: ListFilter, viewer: Viewer): boolean =>
  !filter.searchParam &&
  isChosen(delta, filter, viewer) === true &&
  isInChosenQueue(delta, filter) &&
  isInChosenHands(delta, filter)

const isChosen = (ticket: Ticket | TicketDelta, filter: ListFilter, { userId, marks }: Viewer): boolean | null => {
  const view = viewOf[filter.view]
  if (!view.status.includes(ticket.status)) return false
  if (filter.withUnreadMessages && ticket.unreadMessages === 0) return false
  if (filter.isPinned && !marks.pinned.has(ticket.id)) return false
  return view.holds(ticket, userId, marks)
}

/** Groups that everybody sees obey these too. */
const isInChosenQueue = ({ queueId, userId }: Pick<Ticket, 'queueId' | 'userId'>, filter: Narrowing) => {
  if (queueId === null && !filter.includeNotQueueDefined) return false
  if (queueId !== null && filter.queuesIds.length && !filter.queuesIds.includes(queueId)) return false
  return !(filter.isNotAssignedUser && userId !== null)
}

const isInChosenHands = ({ userId }: Pick<Ticket, 'userId'>, filter: Narrowing) =>
  !filter.selectedUser.length || (userId !== null && filter.selectedUser.includes(userId))

/** Without "Ver todos" the company's rules hold for administrators too; others receive only what they see. */
export const isListed = (ticket: Ticket, showAll: boolean, viewer: Viewer): boolean => {
  const { settings, userId } = viewer
  if (!viewer.seesAll || showAll) return true
  if (ticket.sharedWith.includes(userId)) return true
  if (ticket.status === 'closed' && settings.mostrarFechadoParaTodos) return true
  if (ticket.isGroup && settings.mostrarGruposParaTodos) return true
  if (settings.NotViewTicketsChatBot && !ticket.userId && !ticket.queueId && ticket.chatFlowId) return false
  if (ticket.userId === userId) return true
  const { wallets } = ticket.contact
  if (settings.DirectTicketsToWallets) {
    if (wallets.includes(userId)) return true
    const isOverflow = settings.transbordo && ticket.status === 'pending' && !ticket.userId
    if (wallets.length && !isOverflow) return false
  }
  return !(settings.NotViewAssignedTickets && ticket.userId)
}

const searchFit = (ticket: Ticket, search: string): Fit => {
  const words = plain(search)
  const digits = search.replace(/\D/g, '')
  const isFound =
    plain(ticket.name).includes(words) ||
    (digits.length > 2 && (ticket.contact.number?.includes(digits) || ticket.protocol.includes(digits)))
  return isFound ? 'yes' : 'maybe'
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
