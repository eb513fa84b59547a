import type { clientEvents, EventName } from '@balcao/contract/events.ts'
import { notifyManager, type Query, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { ManagerOptions, Socket, SocketOptions } from 'socket.io-client'
import type { z } from 'zod'
import { readyToken, refreshToken } from './api.ts'
import { isUnanswered } from './api-error.ts'
import { type Live, renewResource } from './live.ts'
import { session } from './session.ts'

export type ConnectionState = 'connected' | 'connecting' | 'offline'
type ClientEvent = Exclude<keyof typeof clientEvents, 'setUserActive'>
type Said<Name extends ClientEvent> = z.output<(typeof clientEvents)[Name]>

const retryDeniedMs = 30_000
const manualReconnectMs = 1_000

let socket: Socket | null = null
let state: ConnectionState = 'offline'
const watchers = new Set<() => void>()
const greeters = new Set<() => void>()

/** Connects while there is a session and feeds every event to the tables; returns how to stop. */
export const connectSocket = (cache: QueryClient, loadTables: () => Promise<readonly Live[]>) => {
  if (!session.token()) return () => undefined
  let isWanted = true
  let hangUp: (() => void) | undefined
  setState('connecting')
  const connect = async () => {
    try {
      // Beside the first screen, which does not wait for them.
      const [{ io }, tables] = await Promise.all([import('socket.io-client'), loadTables()])
      if (isWanted) hangUp = listen(io(options), cache, tables)
    } catch {
      if (isWanted) setTimeout(() => isWanted && void connect(), manualReconnectMs)
    }
  }
  void connect()
  return () => {
    isWanted = false
    hangUp?.()
    setState('offline')
  }
}

const options: Partial<ManagerOptions & SocketOptions> = {
  path: '/socket.io',
  transports: ['polling', 'websocket'],
  forceNew: true,
  auth: (give: (credentials: object) => void) => void readyToken().then(() => give({ token: session.token() })),
}

const listen = (current: Socket, cache: QueryClient, tables: readonly Live[]) => {
  socket = current
  let deniedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  current.on('connect', () => {
    setState('connected')
    current.emit(`${session.get()?.user.tenantId}:setUserActive`)
    current.emit('window.hidden', { isHidden: document.hidden })
    for (const greet of greeters) greet()
    // An event is a hint, the database is the truth: what was read before we could hear is read again.
    void cache.invalidateQueries({ refetchType: 'active', predicate: isRead })
  })
  current.on('disconnect', (reason) => {
    setState('connecting')
    // The client does not come back by itself when the server closed the door.
    if (reason === 'io server disconnect')
      timer = setTimeout(() => session.token() && current.connect(), manualReconnectMs)
  })
  current.on('connect_error', () => {
    setState('connecting')
    if (current.active) return // the network: the client tries again by itself
    current.disconnect() // the token was refused: only a new one helps
    const soon = Date.now() - deniedAt > retryDeniedMs
    deniedAt = Date.now()
    const again = async () => {
      if (session.token() && (await refreshToken().catch(() => false))) current.connect()
      else if (session.token()) timer = setTimeout(() => void again(), retryDeniedMs)
    }
    timer = setTimeout(() => void again(), soon ? 0 : retryDeniedMs)
  })
  const tellHidden = () => tell('window.hidden', { isHidden: document.hidden })
  document.addEventListener('visibilitychange', tellHidden)
  const hear = inFrames((name: EventName, payload: unknown) => {
    for (const table of tables) {
      const tell = table[name] as ((cache: QueryClient, payload: unknown) => void) | undefined // the server parsed it by the name's own schema
      tell?.(cache, payload)
    }
    renewResource(cache, name)
  })
  current.onAny(hear)

  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tellHidden)
    current.removeAllListeners()
    current.disconnect()
    if (socket === current) socket = null
  }
}

/** It has an answer, asked for one when nobody told us yet of what came after, or asked when nobody could answer. */
const isRead = ({ state }: Query) =>
  state.data !== undefined || state.fetchStatus === 'fetching' || isUnanswered(state.error)

/** A hidden window draws no frames. */
const hiddenFrameMs = 50
/** Events of one frame are heard together, in their order, and drawn once: a rush does not make the page draw each. */
const inFrames = (handle: (name: EventName, payload: unknown) => void) => {
  let waiting: [EventName, unknown][] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  const flush = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    const heard = waiting
    waiting = []
    notifyManager.batch(() => {
      for (const [name, payload] of heard) handle(name, payload)
    })
  }
  return (name: EventName, payload: unknown) => {
    if (waiting.push([name, payload]) > 1) return
    // Whichever comes first: a window that goes out of sight in between still hears.
    frame = requestAnimationFrame(flush)
    timer = setTimeout(flush, hiddenFrameMs)
  }
}

/** Says something to the server; lost when there is no connection (presence is a signal, never a record). */
export const tell = <Name extends ClientEvent>(name: Name, said: Said<Name>) => {
  socket?.connected && socket.emit(name, said)
}

/** Runs now when connected and after every reconnect: what the server must know anew, such as the ticket in view. */
export const onConnected = (greet: () => void) => {
  greeters.add(greet)
  if (socket?.connected) greet()
  return () => {
    greeters.delete(greet)
  }
}

export const isConnected = () => state === 'connected'
export const useConnectionState = (): ConnectionState => useSyncExternalStore(watch, () => state)

const setState = (next: ConnectionState) => {
  if (state === next) return
  state = next
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}
