import type { WebchatMessage } from '@balcao/contract/intake/webchat.ts'
import type { Namespace, Socket } from 'socket.io'
import { env } from '../../../env.ts'
import { socketsIn } from '../../../kit/sockets.ts'
import { knownVisitorId, type Visitor } from './visitor-token.ts'

/** What the server tells a chat window (reference/channels/webchat.md §3.3). */
type Told = {
  message: (message: WebchatMessage) => void
  status: (seen: { upToSeq: number; status: 'delivered' | 'read' }) => void
  typing: (typing: { on: boolean; agentName: string }) => void
  agent: (agent: { name: string; avatarUrl: null } | null) => void
  ticket: (ticket: { status: 'pending' | 'open' | 'closed' }) => void
  'session.revoked': () => void
}
type Nothing = Record<never, never>
export type WindowSocket = Socket<Nothing, Told, Nothing, { visitor: Visitor }>
export type Windows = Namespace<Nothing, Told, Nothing, { visitor: Visitor }>

let windows: Windows | undefined
export const openWindows = (namespace: Windows) => {
  windows = namespace
}

export const visitorRoom = ({
  tenantId,
  connectionId,
  visitorId,
}: Pick<Visitor, 'tenantId' | 'connectionId' | 'visitorId'>) => `w:${tenantId}:${connectionId}:${visitorId}`
export const familyRoom = (tenantId: number, familyId: string) => `f:${tenantId}:${familyId}`
export const connectionRoom = (tenantId: number, connectionId: string) => `k:${tenantId}:${connectionId}`
/** The conversation of one contact on one web chat. */
export const contactRoom = (tenantId: number, connectionId: string, contactId: string) =>
  `c:${tenantId}:${connectionId}:${contactId}`

/** The visitor became a contact: their open windows begin to listen. */
export const listenToContact = (visitor: Visitor, contactId: string) =>
  windows?.in(visitorRoom(visitor)).socketsJoin(contactRoom(visitor.tenantId, visitor.connectionId, contactId))

type Identity = { kind: string; value: string }
/** A contact became part of another, or itself again: the windows of these identities listen where their messages are now. */
export const moveWindows = (
  tenantId: number,
  moved: { identities: Identity[]; connectionIds: string[]; from: string; to: string },
) => {
  const visitors = moved.identities.flatMap(({ kind, value }) =>
    kind === 'webchat' ? value : kind === 'webchatUser' ? knownVisitorId(value) : [],
  )
  for (const connectionId of moved.connectionIds) {
    const rooms = visitors.map((visitorId) => visitorRoom({ tenantId, connectionId, visitorId }))
    if (!rooms.length) continue
    windows?.in(rooms).socketsLeave(contactRoom(tenantId, connectionId, moved.from))
    windows?.in(rooms).socketsJoin(contactRoom(tenantId, connectionId, moved.to))
  }
}

export const tellWindows = <E extends keyof Told>(room: string, event: E, ...told: Parameters<Told[E]>) => {
  windows?.to(room).emit(event, ...told)
}

/** False when certainly nobody listens: what nobody sees need not be read. Another process may have the window. */
export const mayBeOpen = (room: string) => Boolean(windows && (env.REDIS_URL || windows.adapter.rooms.has(room)))

export const isOpen = async (room: string) => windows !== undefined && (await socketsIn(windows, room)).length > 0

/** Their session is over: the windows are told why, and closed. */
export const closeWindows = (room: string) => {
  tellWindows(room, 'session.revoked')
  windows?.in(room).disconnectSockets(true)
}
