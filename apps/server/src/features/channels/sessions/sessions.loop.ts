import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelAdapter, RemoteCall, Session, SessionHost } from '../../../channels/adapter.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { log } from '../../../kit/log.ts'
import { processId } from '../../../kit/process-id.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { Round } from '../../../kit/workers.ts'
import { keepStanding } from '../connections/connect.ts'
import { markConnection } from '../connections/connections.service.ts'
import { findConnection, forgetConnections, type OpenConnection } from '../connections/context.ts'
import { setLive } from '../connections/owner-calls.ts'
import { freeSession, holdsLease, type Leased, leaseSeconds, releaseLeases, renewLeases, takeLeases } from './leases.ts'
import { storeFromSession } from './received.ts'
import { forgetState, readState, recallPiece } from './state.ts'

const watchEveryMs = 500
/** Of one company's or another's: what one process may have. */
const mostSessions = 500
const takenAtOnce = 50
const againAfterMs = { first: 1_000, longest: 60_000 }

/** Some connection's session is to be had. */
export const isSessionFree = freeSession

/**
 * Owns sessions: takes those nobody has, keeps them open, opens them again when they break or their settings change, and
 * lets go of what it can no longer prove to be its own.
 */
export const createSessions = ({ owner = processId } = {}) => {
  const held = new Map<string, Held>()
  let provenAt = 0

  const drop = async (connectionId: string) => {
    const one = held.get(connectionId)
    held.delete(connectionId)
    await one?.stop()
  }
  /** The database may be away, or this process stood still: somebody else may be about to take over. */
  const watch = setInterval(() => {
    if (held.size && Date.now() - provenAt > leaseSeconds.ownerStops * 1_000)
      for (const connectionId of [...held.keys()]) void drop(connectionId)
  }, watchEveryMs).unref()

  return {
    held: () => [...held.keys()],
    take: async (): Promise<Round> => {
      const room = Math.min(mostSessions - held.size, takenAtOnce)
      if (room <= 0) return { did: 0 }
      const askedAt = Date.now()
      const taken = await takeLeases(owner, room)
      if (taken.length && !held.size) provenAt = askedAt
      for (const one of taken) {
        await drop(one.connectionId) // it had been lost without our knowing
        held.set(one.connectionId, hold(one, owner))
      }
      return { did: taken.length, isMore: taken.length === room }
    },
    renew: async (): Promise<Round> => {
      if (!held.size) return { did: 0 }
      const askedAt = Date.now()
      const ours = new Map((await renewLeases(owner)).map((one) => [one.connectionId, one]))
      provenAt = askedAt
      const changed = [...held].filter(([connectionId, { version }]) => ours.get(connectionId)?.version !== version)
      for (const [connectionId] of changed) {
        const now = ours.get(connectionId)
        await drop(connectionId)
        if (now) held.set(connectionId, hold(now, owner))
      }
      const over = changed.flatMap(([connectionId]) => (ours.has(connectionId) ? [] : [connectionId]))
      if (over.length) await releaseLeases(owner, over) // started again, it waits for nobody
      return { did: changed.length }
    },
    finish: async () => {
      clearInterval(watch)
      const ids = [...held.keys()]
      await Promise.all(ids.map(drop))
      if (!ids.length) return
      await releaseLeases(owner, ids).catch((error) => log.warn({ err: error }, 'leases not given back'))
      announce('sessions.changed')
    },
  }
}

type Held = { version: number; stop: () => Promise<void> }

/** One session in hand: opened, and opened again with growing pauses when it breaks, until `stop`. */
const hold = ({ tenantId, connectionId, version }: Leased, owner: string): Held => {
  const ending = new AbortController()
  const running = run({ tenantId, connectionId }, owner, ending.signal).catch((error) =>
    log.error({ err: error, tenantId, connectionId }, 'session ended'),
  )
  return {
    version,
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

type Place = { tenantId: number; connectionId: string }
const run = async (place: Place, owner: string, signal: AbortSignal) => {
  for (let waitMs = againAfterMs.first; !signal.aborted; waitMs = Math.min(waitMs * 2, againAfterMs.longest)) {
    const openedAt = Date.now()
    const problem = await live(place, owner, signal)
    if (signal.aborted) return
    if (Date.now() - openedAt > againAfterMs.longest) waitMs = againAfterMs.first
    const isBroken = problem instanceof ChannelError && problem.isConnectionBroken
    await tellProblem(place, owner, problem, isBroken)
    // What its settings caused, only other settings mend: they open it again by themselves.
    const pauseMs = isBroken ? againAfterMs.longest * 5 : waitMs * (0.75 + Math.random() / 2)
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

const tellProblem = async (place: Place, owner: string, problem: unknown, isBroken: boolean) => {
  const { tenantId, connectionId } = place
  if (!(problem instanceof ChannelError)) log.warn({ err: problem, tenantId, connectionId }, 'session lost')
  const text = problem instanceof ChannelError ? problem.forAdmin.text : 'A conexão caiu. Estamos tentando de novo.'
  const tell = async () => {
    if (await holdsLease(owner, place))
      await markConnection(tenantId, connectionId, isBroken ? 'ERROR' : 'OPENING', text)
  }
  await tell().catch((error) => log.warn({ err: error, tenantId, connectionId }, 'state of a session not kept'))
}

/** Opens a session and stays until it ends; resolves with what ended it. */
const live = async (place: Place, owner: string, outer: AbortSignal): Promise<unknown> => {
  const ended = new AbortController()
  const signal = AbortSignal.any([outer, ended.signal])
  let session: Session | undefined
  try {
    const connection = await findConnection(place.connectionId, { isFresh: true })
    if (!connection?.usesSession) return new Error('No session')
    session = await openSession(
      connection,
      hostOf(connection, owner, signal, () => ended.abort()),
    )
    const calls: Partial<Record<RemoteCall, (target: never) => Promise<unknown>>> = session.calls
    setLive(place.connectionId, { call: async (name, target) => calls[name]?.(target as never) }) // what the caller's types have checked
    await Promise.race([session.ended, aborted(signal)])
    return new ChannelError('retry', 'A conexão caiu. Estamos tentando de novo.')
  } catch (error) {
    return error
  } finally {
    setLive(place.connectionId, undefined)
    ended.abort()
    await session?.close().catch((error) => log.info({ err: error, ...place }, 'session not closed'))
  }
}

const openSession = <K extends OpenConnection['kind']>(connection: OpenConnection<K>, host: SessionHost) => {
  const { session }: ChannelAdapter<K> = connection.adapter
  if (!session) throw new Error('No session')
  return session.open(connection.context, host)
}

const hostOf = (connection: OpenConnection, owner: string, signal: AbortSignal, lose: () => void): SessionHost => {
  const { tenantId, id } = connection
  return {
    signal,
    receive: async (pieces, changes = {}, { untilHandled } = {}) => {
      signal.throwIfAborted()
      if (await storeFromSession({ connection, owner, pieces, changes, untilHandled })) return
      lose()
      throw new ChannelError('retry', 'Outro processo assumiu este canal.')
    },
    history: connection.history,
    state: (names) => readState(tenantId, id, names),
    recall: (key) => recallPiece(tenantId, id, key),
    forget: async () => {
      signal.throwIfAborted()
      await forgetState(tenantId, id, owner)
    },
    tell: async (standing) => {
      signal.throwIfAborted()
      if (!(await holdsLease(owner, { tenantId, connectionId: id }))) return lose()
      await keepStanding(connection, standing)
      forgetConnections()
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
