import type { EventPayload } from '@balcao/contract/events.ts'
import { log } from '../kit/log.ts'
import { onSignal } from '../kit/signals/signals.ts'
import { socketsIn } from '../kit/sockets.ts'
import { userRoom, viewRoom } from './rooms.ts'
import type { StaffNamespace, StaffSocket, Viewed } from './staff-data.ts'

type Presence = EventPayload<'presence.ticket'>
type Viewer = Presence['viewers'][number]

/**
 * Who looks at a conversation and who writes in it. The sockets themselves are the record (their room, their data), so
 * nothing is stored and every process knows the same.
 */
let staff: StaffNamespace | undefined
export const openPresence = (namespace: StaffNamespace) => {
  staff = namespace
  const stops = [
    onSignal('contact.typing', ({ tenantId, ticketId, isTyping }) => setContactTyping(tenantId, ticketId, isTyping)),
    onSignal('contact.answering', ({ tenantId, connectionId, contactId, name, isTyping }) => {
      for (const listener of typingListeners) listener(tenantId, { connectionId, contactId }, { isTyping, name })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

type TypingListener = (tenantId: number, viewed: Viewed, typing: { isTyping: boolean; name: string }) => void
const typingListeners: TypingListener[] = []
/** Somebody of the team began, goes on or stopped writing to the customer: the web chat shows it to its visitor. */
export const onStaffTyping = (listener: TypingListener) => {
  typingListeners.push(listener)
}

export const beginViewing = (socket: StaffSocket, ticketId: string, viewed: Viewed) => {
  const { actor, viewing } = socket.data
  viewing.set(ticketId, viewed)
  void socket.join(viewRoom(actor.tenantId, ticketId))
  tell(actor.tenantId, ticketId)
}

export const endViewing = (socket: StaffSocket, ticketId: string) => {
  const { actor, viewing } = socket.data
  setTyping(socket, ticketId, false)
  if (!viewing.delete(ticketId)) return
  void socket.leave(viewRoom(actor.tenantId, ticketId))
  tell(actor.tenantId, ticketId)
}

/** Colleagues see all of it; the customer never that a note is being written, nor by whom. */
export const setTyping = (socket: StaffSocket, ticketId: string, isTyping: boolean, isNote = false) => {
  const { actor, viewing, typing, shown } = socket.data
  const viewed = viewing.get(ticketId)
  const wasTyping = typing.includes(ticketId)
  if (!viewed || (!wasTyping && !isTyping)) return
  const isShown = isTyping && !isNote
  if (isShown || shown.delete(ticketId))
    for (const listener of typingListeners) listener(actor.tenantId, viewed, { isTyping: isShown, name: actor.name })
  if (isShown) shown.add(ticketId)
  if (wasTyping === isTyping) return
  socket.data.typing = isTyping ? [...typing, ticketId] : typing.filter((id) => id !== ticketId)
  tell(actor.tenantId, ticketId)
}

/** A customer who closes the page says nothing more; their window repeats itself sooner than this. */
const contactForgetMs = 10_000
const contactsTyping = new Map<string, NodeJS.Timeout>()

/** The customer writes: told to whoever looks at the conversation. */
const setContactTyping = (tenantId: number, ticketId: string, isTyping: boolean) => {
  const room = viewRoom(tenantId, ticketId)
  const wasTyping = contactsTyping.has(room)
  clearTimeout(contactsTyping.get(room))
  contactsTyping.delete(room)
  if (isTyping) {
    const forget = setTimeout(() => setContactTyping(tenantId, ticketId, false), contactForgetMs)
    contactsTyping.set(room, forget.unref())
  }
  if (wasTyping !== isTyping) tell(tenantId, ticketId)
}

/** This person has the conversation before their eyes, in some window. */
export const isLooking = async (tenantId: number, ticketId: string, userId: string): Promise<boolean> => {
  const sockets = staff ? await socketsIn(staff, viewRoom(tenantId, ticketId)) : []
  return sockets.some(({ data }) => data.claims.userId === userId && !data.isHidden)
}

/** Some window of theirs is in sight. */
export const isAtDesk = async (tenantId: number, userId: string): Promise<boolean> => {
  const sockets = staff ? await socketsIn(staff, userRoom(tenantId, userId)) : []
  return sockets.some(({ data }) => !data.isHidden)
}

/** The conversation is no longer theirs to see: their windows leave the room. */
export const expelViewers = (tenantId: number, ticketId: string, userIds: string[]) => {
  staff?.in(userIds.map((userId) => userRoom(tenantId, userId))).socketsLeave(viewRoom(tenantId, ticketId))
  tell(tenantId, ticketId)
}

const tell = (tenantId: number, ticketId: string) => {
  present(tenantId, ticketId).catch((error) => log.warn({ err: error, tenantId }, 'presence not told'))
}

const present = async (tenantId: number, ticketId: string) => {
  if (!staff) return
  const room = viewRoom(tenantId, ticketId)
  const viewers = new Map<string, Viewer>()
  for (const { data } of await socketsIn(staff, room)) {
    const { userId, name } = data.actor
    const isTyping = data.typing.includes(ticketId) || viewers.get(userId)?.isTyping === true
    viewers.set(userId, { userId, name, isTyping })
  }
  if (!viewers.size) return
  const presence: Presence = { ticketId, viewers: [...viewers.values()], contactTyping: contactsTyping.has(room) }
  staff.to(room).emit('presence.ticket', presence)
}
