import { inBackground, inForeground, platformRows } from '../db/database.ts'
import type { env } from '../env.ts'
import { log } from './log.ts'
import { onSignal, type Topic } from './signals/signals.ts'

/** What a round did: for the log, and to go on at once while there is more. */
export type Round = {
  did: number
  isMore?: boolean
  /** Sooner than the clock would look: something is due then. */
  againInMs?: number
}

/** Work that a process does by itself. */
export type Worker = {
  name: string
  role: (typeof env.ROLES)[number]
  /** The rest between two rounds. */
  everyMs: number
  /** Does not rest when one of these is said. */
  wakesOn?: Topic[]
  /** What is said so soon after a round waits until then, so that under load a round does many things at once. */
  gathersMs?: number
  /**
   * A query that answers a row when there is something to do. All are asked in one statement a second, so that a server
   * with nothing to do asks one question instead of twenty. Without it there is a round every `everyMs`.
   */
  due?: string
  /** Nobody looks at a screen for it: its statements give way to those of people. */
  isBackground?: boolean
  run: (again: () => void) => Promise<Round | undefined>
  /** Finishes what is in hand, after the last round. */
  finish?: () => Promise<void>
}

const tickMs = 1_000
/** A machine whose time is set back must not stop its work: this clock only goes on. */
const clock = () => performance.now()
const maxRestMs = 60_000
const tellEveryMs = 10_000
/** Moments so near to each other are one. */
const alarmMs = 10
/** So many rounds in a row that failed are told as trouble. */
const troubleAfter = 3

/** Processes that started together do not all look at the same moment. */
const jittered = (ms: number) => ms * (0.9 + Math.random() * 0.2)

type Place = ReturnType<typeof place>
const places = new Set<Place>()

/** How the workers of this process are: for health checks and measures. */
export const workersHealth = () =>
  [...places].map(({ worker, health }) => ({
    name: worker.name,
    ...health,
    isInTrouble: health.failures >= troubleAfter,
  }))

/** One ticker for all of them: rounds by the clock, by what is due and by signals, each worker one round at a time. */
export const startWorkers = (workers: Worker[]) => {
  const mine = workers.map(place)
  const asked = mine.filter(({ worker }) => worker.due)
  const look = asked.length ? lookFor(asked) : undefined
  let lookFailures = 0
  let lookAt = 0
  let ticking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const tick = async () => {
    const now = clock()
    for (const one of mine) if (!one.worker.due && one.isRested(now)) one.go()
    if (look && now >= lookAt) {
      try {
        for (const one of await platformRows<{ n: number }>(look, [])) {
          const found = asked[one.n]
          if (found?.isRested(clock())) found.go()
        }
        lookFailures = 0
      } catch (error) {
        lookFailures += 1
        lookAt = clock() + restAfter(lookFailures)
        log.error({ err: error, failures: lookFailures }, 'workers cannot look for work')
      }
    }
    for (const one of mine) one.tellNowAndThen()
  }
  const keepTicking = () => {
    ticking = tick().finally(() => {
      ticking = undefined
      if (timer) timer = setTimeout(keepTicking, jittered(tickMs))
    })
  }
  timer = setTimeout(keepTicking, 0)
  for (const one of mine) places.add(one)

  return {
    stop: async () => {
      clearTimeout(timer)
      timer = undefined
      for (const one of mine) one.close()
      await ticking
      await Promise.all(mine.map((one) => one.ended()))
      await Promise.all(mine.map(({ worker }) => worker.finish?.()))
      for (const one of mine) places.delete(one)
    },
  }
}

/** After 1, 2, 4, 8… seconds, at most a minute. */
const restAfter = (failures: number) => jittered(Math.min(maxRestMs, 500 * 2 ** Math.min(failures, 10)))

const place = (worker: Worker) => {
  const health = { rounds: 0, did: 0, failures: 0, failed: 0, lastRoundAt: 0 }
  let told = { rounds: 0, did: 0, ms: 0, at: 0 }
  let isClosed = false
  let isAwaited = false
  let restsUntil = 0
  let running: Promise<void> | undefined
  let isMoreLeft = false
  let endedAt = 0
  const ringing = new Map<number, NodeJS.Timeout>()

  const round = async () => {
    const startedAt = performance.now()
    try {
      // Told, not inherited: who woke it may have been either.
      const result = await (worker.isBackground ? inBackground : inForeground)(() => worker.run(again))
      health.failures = 0
      restsUntil = clock() + jittered(worker.everyMs)
      const ms = performance.now() - startedAt
      const did = result?.did ?? 0
      health.did += did
      if (did) told = { ...told, rounds: told.rounds + 1, did: told.did + did, ms: told.ms + ms }
      isMoreLeft = result?.isMore === true
      if (result?.againInMs !== undefined) ringIn(result.againInMs)
    } catch (error) {
      health.failures += 1
      health.failed += 1
      isAwaited = false
      restsUntil = clock() + restAfter(health.failures)
      log.error({ err: error, worker: worker.name, failures: health.failures }, 'round failed')
    }
    health.rounds += 1
    endedAt = clock()
    health.lastRoundAt = Date.now()
  }
  const go = () => {
    if (isClosed || running) return
    isAwaited = false
    isMoreLeft = false
    running = round().finally(() => {
      running = undefined
      if (isMoreLeft) go()
      else if (isAwaited) soon()
    })
  }
  const soon = () => {
    const inMs = endedAt + (worker.gathersMs ?? 0) - clock()
    if (inMs > 0) ringIn(inMs)
    else go()
  }
  /** Each moment that was asked for comes: a round before it that finds nothing asks for none. */
  const ringIn = (ms: number) => {
    const at = Math.ceil((clock() + ms) / alarmMs) * alarmMs
    if (isClosed || ringing.has(at)) return
    const ring = () => {
      ringing.delete(at)
      when(go)
    }
    ringing.set(at, setTimeout(ring, ms))
  }
  /** Who failed rests all the same. */
  const when = (start: () => void) => {
    if (running) isAwaited = true
    else if (!health.failures) start()
  }
  const again = () => when(soon)
  const unhear = (worker.wakesOn ?? []).map((topic) => onSignal(topic, again))

  return {
    worker,
    health,
    go,
    isRested: (now: number) => !running && now >= restsUntil,
    /** Rounds that did something, together: a busy worker makes a hundred a second. */
    tellNowAndThen: () => {
      if (!told.rounds || told.at > clock() - tellEveryMs) return
      log.debug({ worker: worker.name, rounds: told.rounds, did: told.did, ms: Math.round(told.ms) }, 'worked')
      told = { rounds: 0, did: 0, ms: 0, at: clock() }
    },
    close: () => {
      isClosed = true
      for (const alarm of ringing.values()) clearTimeout(alarm)
      for (const end of unhear) end()
    },
    ended: () => running,
  }
}

/** The numbers of those that have something to do. */
const lookFor = (asked: Place[]) => {
  const text = asked.map(({ worker }, n) => `select ${n} as n where exists (${worker.due})`).join(' union all ')
  return { name: 'workers_due', text }
}
