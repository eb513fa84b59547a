import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelAdapter, RemoteCall, Session, SessionHost } from '../../../channels/adapter.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { log } from '../../../kit/log.ts'
import { processId } from '../../../kit/process-id.ts'
import { repeat } from '../../../kit/repeat.ts'
import { markConnection } from '../connections/connections.service.ts'
import { findConnection, forgetConnections, type OpenConnection } from '../connections/context.ts'
import { tellLogin } from '../connections/login.ts'
import { answerCalls, setLive } from '../connections/owner-calls.ts'
import { type Leased, leaseSeconds, releaseLeases, renewLeases, takeLeases } from './leases.ts'
import { storeFromSession } from './received.ts'
import { forgetState, readState } from './state.ts'

const renewEveryMs = 3_000
const takeEveryMs = 1_000
const callsEveryMs = 250
/** Of one company's or another's: what one process may have. */
const mostSessions = 500
const takenAtOnce = 50
const againAfterMs = { first: 1_000, longest: 60_000 }

type Options = { owner?: string; everyMs?: { renew: number; take: number; calls: number } }

/**
 * Owns sessions: takes those nobody has, keeps them open, opens them again when they break or their settings change, and
 * lets go of what it can no longer prove to be its own.
 */
export const startSessions = ({
  owner = processId,
  everyMs = { renew: renewEveryMs, take: takeEveryMs, calls: callsEveryMs },
}: Options = {}) => {
  const held = new Map<string, Held>()
  let provenAt = Date.now()

  const drop = async (connectionId: string) => {
    const one = held.get(connectionId)
    held.delete(connectionId)
    await one?.stop()
  }
  const renew = async () => {
    const askedAt = Date.now()
    const ours = new Map((await renewLeases(owner)).map((one) => [one.connectionId, one]))
    provenAt = askedAt
    for (const [connectionId, one] of held) {
      const now = ours.get(connectionId)
      if (now?.version === one.version) continue
      await drop(connectionId)
      if (now) held.set(connectionId, hold(now, owner))
    }
  }
  const take = async () => {
    const room = Math.min(mostSessions - held.size, takenAtOnce)
    if (room <= 0) return
    for (const one of await takeLeases(owner, room)) {
      provenAt = Math.max(provenAt, Date.now() - 1_000)
      held.set(one.connectionId, hold(one, owner))
    }
  }
  /** The database may be away, or this process stood still: somebody else may be about to take over. */
  const watch = setInterval(() => {
    if (held.size && Date.now() - provenAt > leaseSeconds.ownerStops * 1_000)
      for (const connectionId of [...held.keys()]) void drop(connectionId)
  }, 500)

  const renewing = repeat('session leases', everyMs.renew, renew)
  const taking = repeat('sessions', everyMs.take, take)
  const calling = repeat('session calls', everyMs.calls, answerCalls)
  return {
    held: () => [...held.keys()],
    stop: async () => {
      clearInterval(watch)
      await Promise.all([renewing.stop(), taking.stop(), calling.stop()])
      const ids = [...held.keys()]
      await Promise.all(ids.map(drop))
      if (ids.length)
        await releaseLeases(owner, ids).catch((error) => log.warn({ err: error }, 'leases not given back'))
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
    await tellProblem(place, problem, isBroken)
    // What its settings caused, only other settings mend: they open it again by themselves.
    const pauseMs = isBroken ? againAfterMs.longest * 5 : waitMs * (0.75 + Math.random() / 2)
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

const tellProblem = async ({ tenantId, connectionId }: Place, problem: unknown, isBroken: boolean) => {
  if (!(problem instanceof ChannelError)) log.warn({ err: problem, tenantId, connectionId }, 'session lost')
  const text = problem instanceof ChannelError ? problem.forAdmin.text : 'A conexão caiu. Estamos tentando de novo.'
  await markConnection(tenantId, connectionId, isBroken ? 'ERROR' : 'OPENING', text).catch((error) =>
    log.warn({ err: error, tenantId, connectionId }, 'state of a session not kept'),
  )
}

/** Opens a session and stays until it ends; resolves with what ended it. */
const live = async (place: Place, owner: string, outer: AbortSignal): Promise<unknown> => {
  const ended = new AbortController()
  const signal = AbortSignal.any([outer, ended.signal])
  let session: Session | undefined
  try {
    forgetConnections()
    const connection = await findConnection(place.connectionId)
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
    receive: async (pieces, changes = {}) => {
      signal.throwIfAborted()
      if (await storeFromSession({ connection, owner, pieces, changes })) return
      lose()
      throw new ChannelError('retry', 'Outro processo assumiu este canal.')
    },
    state: (prefix) => readState(tenantId, id, prefix),
    forget: async () => {
      await forgetState(tenantId, id)
    },
    tell: async (status, text, login) => {
      signal.throwIfAborted()
      await tellLogin(tenantId, id, login ?? null)
      await markConnection(tenantId, id, status, text)
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
