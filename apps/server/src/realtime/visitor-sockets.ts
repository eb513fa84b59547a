import type { EventPayload } from '@balcao/contract/events.ts'
import type { Server } from 'socket.io'
import { isHeldBack } from '../features/conversations/tickets/keep-way-back.ts'
import { getDirectory } from '../features/core/directory/directory.ts'
import { ingest } from '../features/intake/inbound/inbound.service.ts'
import { findConversation } from '../features/intake/webchat/conversation.ts'
import { type Caller, requireSession } from '../features/intake/webchat/sessions.ts'
import { readVisitor } from '../features/intake/webchat/visitor-token.ts'
import { findMessage } from '../features/intake/webchat/window-messages.ts'
import {
  closeWindows,
  connectionRoom,
  contactRoom,
  familyRoom,
  isOpen,
  mayBeOpen,
  openWindows,
  tellWindows,
  visitorRoom,
  type WindowSocket,
  type Windows,
} from '../features/intake/webchat/windows.ts'
import { AppError } from '../kit/errors.ts'
import { createLanes } from '../kit/in-order.ts'
import { log } from '../kit/log.ts'
import type { OutboxEvent } from '../kit/outbox.ts'
import { onStaffTyping } from './presence.ts'
import { onRelayedEvent } from './relay.ts'

/** The socket of chat windows (namespace /webchat): they listen; all they say goes over HTTP. */
export const startWebchatSockets = (io: Server) => {
  const windows: Windows = io.of('/webchat')
  openWindows(windows)
  windows.use((socket, next) => {
    admit(socket).then(
      () => next(),
      () => next(new Error('ERR_SESSION_EXPIRED')),
    )
  })
  windows.on('connection', (socket) => {
    socket.onAny(() => socket.disconnect(true))
    welcome(socket).catch((error) => {
      log.warn({ err: error }, 'web chat state')
      socket.disconnect(true) // it waits for the state, and comes again
    })
  })
  onStaffTyping((tenantId, { connectionId, contactId }, { isTyping, name }) =>
    tellWindows(contactRoom(tenantId, connectionId, contactId), 'typing', { on: isTyping, agentName: name }),
  )
  onRelayedEvent(forward)
}

const admit = async (socket: WindowSocket) => {
  const { accessToken } = socket.handshake.auth
  const visitor = await readVisitor(typeof accessToken === 'string' ? accessToken : undefined)
  await requireSession(visitor)
  socket.data.visitor = visitor
}

/** Where the conversation stands. Told when every room is joined: the window asks for what it missed until then. */
const welcome = async (socket: WindowSocket) => {
  const { visitor } = socket.data
  const { tenantId, connectionId, familyId } = visitor
  await socket.join([visitorRoom(visitor), familyRoom(tenantId, familyId), connectionRoom(tenantId, connectionId)])
  // Asked after joining: whoever becomes a contact, or is revoked, from here on is found in those rooms.
  const caller = await requireSession(visitor).catch((error) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (!caller) {
    socket.emit('session.revoked')
    return socket.disconnect(true)
  }
  if (!caller.contactId) return tellState(socket, caller)
  const room = contactRoom(tenantId, connectionId, caller.contactId)
  await socket.join(room)
  await lanes.run(room, () => tellState(socket, caller))
}

const tellState = async (socket: WindowSocket, caller: Caller) => {
  const now = await findConversation(caller)
  const agent = now?.userId ? (await getDirectory(caller.tenantId)).people.get(now.userId) : undefined
  socket.emit('ticket', { status: now?.status ?? 'closed' })
  socket.emit('agent', agent ? { name: agent.name, avatarUrl: null } : null)
}

/** Turns what happened in the house into what its visitor may know of it, in the order it happened. */
const forward = (event: OutboxEvent) => {
  if (event.name === 'connection.deleted') {
    const { id } = event.payload as EventPayload<'connection.deleted'> // the payload of this very name
    return closeWindows(connectionRoom(event.tenantId, id))
  }
  const [room, tell] = toTell(event) ?? []
  if (!room || !tell || !mayBeOpen(room)) return
  lanes
    .run(room, () => tell(room))
    .catch((error) => log.error({ err: error, tenantId: event.tenantId }, 'web chat relay'))
}
/** By room: what is told there later is what happened later. */
const lanes = createLanes<string>()

/** The room that an event concerns, and what is told there. */
const toTell = (event: OutboxEvent): [string, (room: string) => Promise<void>] | undefined => {
  const { tenantId } = event
  if (event.name === 'ticket.created' || event.name === 'ticket.updated') {
    const ticket = event.payload as EventPayload<'ticket.updated'> // as above
    if (ticket.channel !== 'webchat') return undefined
    return [contactRoom(tenantId, ticket.whatsappId, ticket.contactId), (room) => tellTicket(room, tenantId, ticket)]
  }
  const visitor = event.audience.kind === 'ticket' ? event.audience.visitor : undefined
  const messageId = visitor && messageToShow(event)
  if (!visitor || !messageId) return undefined
  const { connectionId, contactId } = visitor
  const ofMessage = { tenantId, connectionId, messageId }
  return [contactRoom(tenantId, connectionId, contactId), (room) => tellMessage(room, ofMessage)]
}

/** Ours, and on its way to the window: just sent, edited or taken back. What the visitor wrote, their window knows. */
const messageToShow = (event: OutboxEvent): string | undefined => {
  if (event.name === 'message.status') {
    const { id, status } = event.payload as EventPayload<'message.status'> // the payload of this very name
    return status === 'sent' ? id : undefined
  }
  if (event.name !== 'message.updated') return undefined
  const { id, fromMe } = event.payload as EventPayload<'message.updated'> // as above
  return fromMe ? id : undefined
}

type OfMessage = { tenantId: number; connectionId: string; messageId: string }
const tellMessage = async (room: string, { tenantId, connectionId, messageId }: OfMessage) => {
  const shown = await findMessage(tenantId, connectionId, messageId)
  if (!shown) return
  tellWindows(room, 'message', shown)
  if (shown.status === 'sent' && (await isOpen(room)))
    await ingest(tenantId, connectionId, [{ kind: 'status', providerId: messageId, messageId, status: 'delivered' }])
}

const tellTicket = async (room: string, tenantId: number, ticket: EventPayload<'ticket.updated'>) => {
  if (await isHeldBack(tenantId, ticket)) return
  tellWindows(room, 'ticket', { status: ticket.status })
  tellWindows(room, 'agent', ticket.username ? { name: ticket.username, avatarUrl: null } : null)
  if (ticket.unreadMessages === 0) tellWindows(room, 'status', { upToSeq: Number.MAX_SAFE_INTEGER, status: 'read' })
}
