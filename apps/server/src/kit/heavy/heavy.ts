import { fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { createFairTurn } from '../fair-turn.ts'
import { log } from '../log.ts'
import type { Answer, Order } from './child.ts'

export type HeavyLimits = {
  /** Processes at one time; each has one piece of work, of one company. */
  processes: number
  memoryMb: number
  timeMs: number
  /** What a company may have in line. */
  mostWaiting: number
  /** How far below those who answer people, as the system counts it: 0 to 19. */
  niceness: number
  /**
   * In a thread instead: there in half the time, where somebody waits for the first piece. For our own JavaScript alone, since
   * only V8's heap has a limit there, and no niceness.
   */
  inThread?: true
  /** It ends after so long without work. */
  restMs?: number
}
type Work<Input, Item> = { input: Input; items?: AsyncIterable<Item>; signal?: AbortSignal }

const usualRestMs = 15_000
const childFile = new URL('./child.ts', import.meta.url)

/**
 * Work that strangers' input can make long or large (setting a PDF, opening a picture) runs in processes of its own, which
 * hold no secret and no database: started when needed, ended after a rest, killed at their limit with ERR_TOO_HEAVY. `task`
 * is the module whose `run` does the work.
 */
export const createHeavy = <Input, Item, Output>(task: URL, limits: HeavyLimits) => {
  const { restMs = usualRestMs } = limits
  const inTurn = createFairTurn(limits.processes, limits.mostWaiting)
  const resting: Resting[] = []
  const start = () => (limits.inThread ? startThread(task, limits) : startProcess(task, limits))

  const take = async () => {
    const rested = resting.pop()
    if (!rested) return start()
    clearTimeout(rested.ending)
    if (!rested.hand.isAlive()) return start()
    rested.hand.hold(true)
    return rested.hand
  }
  const rest = (hand: Hand) => {
    if (!hand.isAlive()) return
    hand.hold(false)
    const entry = {
      hand,
      ending: setTimeout(() => {
        resting.splice(resting.indexOf(entry), 1)
        hand.end()
      }, restMs).unref(),
    }
    resting.push(entry)
  }
  const attempt = async (work: Work<Input, Item>) => {
    const hand = await take()
    try {
      const output = await perform<Input, Item, Output>(hand, work, limits.timeMs)
      rest(hand)
      return output
    } catch (error) {
      hand.end()
      throw error
    }
  }
  let asked = 0
  const run = (tenantId: number, work: Work<Input, Item>): Promise<Output> => {
    asked += 1
    return inTurn(tenantId, () => attempt(work), work.signal).finally(() => {
      asked -= 1
    })
  }
  /** Does `input` now where nobody is there yet, so that the first who waits finds everything loaded. */
  const warm = (input: Input) => {
    if (asked === 0 && !resting.some(({ hand }) => hand.isAlive())) void run(0, { input }).catch(() => {})
  }
  return Object.assign(run, { warm })
}

/** Who does the work, wherever it is. */
type Hand = {
  send: (order: Order) => void
  /** What it answers, and that it ended; gives back how to hear no more. */
  hear: (onAnswer: (answer: Answer) => void, onEnd: (why: object) => void) => () => void
  /** Whether this process waits for it. */
  hold: (isHeld: boolean) => void
  isAlive: () => boolean
  end: () => void
}
type Resting = { hand: Hand; ending: NodeJS.Timeout }

const startThread = async (task: URL, { memoryMb }: HeavyLimits): Promise<Hand> => {
  const worker = new Worker(childFile, {
    argv: [task.href, String(memoryMb)],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: Math.round(memoryMb / 2), maxYoungGenerationSizeMb: 16 },
  })
  let isAlive = true
  let trouble: unknown
  worker.on('error', (error) => {
    trouble = error // its end is told by `exit`
  })
  worker.once('exit', () => {
    isAlive = false
  })
  return {
    send: (order) => worker.postMessage(order),
    hear: (onAnswer, onEnd) => {
      const onExit = (code: number) => onEnd({ code, err: trouble })
      worker.on('message', onAnswer).once('exit', onExit)
      return () => worker.off('message', onAnswer).off('exit', onExit)
    },
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    isAlive: () => isAlive,
    end: () => void worker.terminate(),
  }
}

const startProcess = async (task: URL, { memoryMb, niceness }: HeavyLimits): Promise<Hand> => {
  const compiled = getCompileCacheDir()
  const child = fork(childFile, [task.href, String(memoryMb)], {
    serialization: 'advanced',
    stdio: 'ignore',
    execArgv: [`--max-old-space-size=${Math.round(memoryMb / 2)}`, '--max-semi-space-size=8'],
    env: { MALLOC_ARENA_MAX: '2', ...(compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {}) },
  })
  const end = () => void child.kill('SIGKILL')
  ends.add(end)
  child.once('exit', () => ends.delete(end))
  await once(child, 'spawn')
  try {
    setPriority(child.pid ?? 0, niceness)
  } catch {} // a system without priorities
  return {
    send: (order) => void (child.connected && child.send(order, () => {})), // its end is told by `exit`
    hear: (onAnswer, onEnd) => {
      const onExit = (code: number | null, by: string | null) => onEnd({ code, by })
      child.on('message', onAnswer).once('exit', onExit)
      return () => child.off('message', onAnswer).off('exit', onExit)
    },
    hold: (isHeld) => {
      if (isHeld) child.ref()
      else child.unref()
      if (isHeld) child.channel?.ref()
      else child.channel?.unref()
    },
    isAlive: () => child.connected,
    end,
  }
}

const ends = new Set<() => void>()
process.once('exit', () => {
  for (const end of ends) end()
})

const perform = <Input, Item, Output>(
  hand: Hand,
  { input, items, signal }: Work<Input, Item>,
  timeMs: number,
): Promise<Output> => {
  const iterator = items?.[Symbol.asyncIterator]()
  const { promise, resolve, reject } = Promise.withResolvers<Output>()

  const onAnswer = (answer: Answer) => {
    if (answer.kind === 'done')
      resolve(answer.output as Output) // the task's own word
    else if (answer.kind === 'failed') reject(new Error(answer.reason))
    else
      Promise.resolve(iterator?.next()).then(
        (next) => hand.send(next && !next.done ? { kind: 'item', item: next.value } : { kind: 'end' }),
        reject,
      )
  }
  const onEnd = (why: object) => {
    log.warn(why, 'heavy work ended its process')
    reject(new AppError('ERR_TOO_HEAVY'))
  }
  const onAbort = () => reject(signal?.reason)
  const late = setTimeout(() => reject(new AppError('ERR_TOO_HEAVY')), timeMs)
  const hearNoMore = hand.hear(onAnswer, onEnd)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  else hand.send({ kind: 'start', input })

  return promise.finally(async () => {
    clearTimeout(late)
    hearNoMore()
    signal?.removeEventListener('abort', onAbort)
    await iterator?.return?.()
  })
}
