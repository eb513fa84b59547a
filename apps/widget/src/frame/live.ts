import { io, type Socket } from 'socket.io-client'
import type { WebchatMessage } from './api.ts'

export type Agent = { name: string; avatarUrl?: string | null }
export type TicketStatus = 'pending' | 'open' | 'closed'

export type ServerEvents = {
  message: (message: WebchatMessage) => void
  status: (change: { upToSeq: number; status: 'delivered' | 'read' }) => void
  typing: (change: { on: boolean; agentName?: string | null }) => void
  agent: (agent: Agent | null) => void
  ticket: (change: { status: TicketStatus }) => void
  'session.revoked': () => void
}

type Options = {
  getToken: () => string
  renew: () => Promise<unknown>
  on: ServerEvents
  /** The server listens for this visitor from here on: whatever happened before it must be asked for. */
  onJoin: () => void
  onDisconnect: () => void
}

const REFUSED_RETRY_MS = [500, 2000, 5000, 15_000, 30_000]

/** The socket to the server. It reconnects for ever: by itself on a lost line, with a fresh token when refused. */
export const openLive = ({ getToken, renew, on, onJoin, onDisconnect }: Options) => {
  const socket: Socket<ServerEvents, Record<string, never>> = io('/webchat', {
    path: '/socket.io',
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 10_000,
    auth: (answer) => answer({ accessToken: getToken() }),
  })
  let refusals = 0
  let hasJoined = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const returnWithFreshToken = (): void => {
    clearTimeout(retry)
    const delay = REFUSED_RETRY_MS[Math.min(refusals++, REFUSED_RETRY_MS.length - 1)]
    retry = setTimeout(async () => {
      await renew().catch(() => undefined)
      if (!isClosed) socket.connect()
    }, delay)
  }

  socket.on('connect', () => {
    hasJoined = false
  })
  socket.on('connect_error', () => {
    onDisconnect()
    if (!socket.active && !isClosed) returnWithFreshToken()
  })
  socket.on('disconnect', (reason) => {
    if (isClosed) return
    onDisconnect()
    if (reason === 'io server disconnect') returnWithFreshToken()
  })
  socket.on('message', on.message)
  socket.on('status', on.status)
  socket.on('typing', on.typing)
  socket.on('agent', on.agent)
  socket.on('ticket', (change) => {
    on.ticket(change)
    // The first one of a connection says where the conversation stands, and comes when all of its rooms are joined.
    if (hasJoined) return
    hasJoined = true
    refusals = 0
    onJoin()
  })
  socket.on('session.revoked', on['session.revoked'])

  return {
    close(): void {
      isClosed = true
      clearTimeout(retry)
      socket.disconnect()
    },
  }
}

export type Live = ReturnType<typeof openLive>
