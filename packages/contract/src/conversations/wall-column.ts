import type { WallCard, WallGroup } from './wall.ts'

type Placed = Pick<WallCard, 'status' | 'userId' | 'queueId' | 'pausedAt' | 'bot' | 'chatFlowId'>
/** The column a ticket stands in; undefined when it is closed. Told by the server in SQL as well. */
export const wallColumnOf = (ticket: Placed, group: WallGroup): string | undefined => {
  if (ticket.status === 'closed') return undefined
  if (group === 'user' && ticket.userId) return `user:${ticket.userId}`
  if (group !== 'status') return `queue:${ticket.queueId ?? 'none'}`
  if (ticket.pausedAt) return 'status:paused'
  if (!ticket.userId && (ticket.bot || ticket.chatFlowId)) return 'status:bot'
  return `status:${ticket.status}`
}
