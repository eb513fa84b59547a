import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
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
}
type Work<Input, Item> = { input: Input; items?: AsyncIterable<Item>; signal?: AbortSignal }

const restMs = 15_000
const childFile = new URL('./child.ts', import.meta.url)

/**
 * Work that strangers' input can make long or large (setting a PDF, opening a picture) runs in processes of its own, which
 * hold no secret and no database: started when needed, ended after a rest, killed at their limit with ERR_TOO_HEAVY. `task`
 * is the module whose `run` does the work.
 */
export const createHeavy = <Input, Item, Output>(task: URL, limits: HeavyLimits) => {
  const inTurn = createFairTurn(limits.processes, limits.mostWaiting)
  const resting: Resting[] = []

  const take = async () => {
    const rested = resting.pop()
    if (!rested) return start(task, limits)
    clearTimeout(rested.ending)
    if (!rested.child.connected) return start(task, limits)
    rested.child.ref()
    rested.child.channel?.ref()
    return rested.child
  }
  const rest = (child: ChildProcess) => {
    if (!child.connected) return
    child.unref()
    child.channel?.unref()
    const entry = {
      child,
      ending: setTimeout(() => {
        resting.splice(resting.indexOf(entry), 1)
        child.kill('SIGKILL')
      }, restMs).unref(),
    }
    resting.push(entry)
  }
  const attempt = async (work: Work<Input, Item>) => {
    const child = await take()
    try {
      const output = await perform<Input, Item, Output>(child, work, limits.timeMs)
      rest(child)
      return output
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }
  return (tenantId: number, work: Work<Input, Item>): Promise<Output> =>
    inTurn(tenantId, () => attempt(work), work.signal)
}
type Resting = { child: ChildProcess; ending: NodeJS.Timeout }

const start = async (task: URL, { memoryMb, niceness }: HeavyLimits): Promise<ChildProcess> => {
  const compiled = getCompileCacheDir()
  const child = fork(childFile, [task.href, String(memoryMb)], {
    serialization: 'advanced',
    stdio: 'ignore',
    execArgv: [`--max-old-space-size=${Math.round(memoryMb / 2)}`, '--max-semi-space-size=8'],
    env: { MALLOC_ARENA_MAX: '2', ...(compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {}) },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  await once(child, 'spawn')
  try {
    setPriority(child.pid ?? 0, niceness)
  } catch {} // a system without priorities
  return child
}

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

const perform = <Input, Item, Output>(
  child: ChildProcess,
  { input, items, signal }: Work<Input, Item>,
  timeMs: number,
): Promise<Output> => {
  const iterator = items?.[Symbol.asyncIterator]()
  const send = (order: Order) => child.connected && child.send(order, () => {}) // its end is told by `exit`
  const { promise, resolve, reject } = Promise.withResolvers<Output>()

  const onAnswer = (answer: Answer) => {
    if (answer.kind === 'done')
      resolve(answer.output as Output) // the task's own word
    else if (answer.kind === 'failed') reject(new Error(answer.reason))
    else
      Promise.resolve(iterator?.next()).then(
        (next) => send(next && !next.done ? { kind: 'item', item: next.value } : { kind: 'end' }),
        reject,
      )
  }
  const onExit = (code: number | null, by: string | null) => {
    log.warn({ code, by }, 'heavy work ended its process')
    reject(new AppError('ERR_TOO_HEAVY'))
  }
  const onAbort = () => reject(signal?.reason)
  const late = setTimeout(() => reject(new AppError('ERR_TOO_HEAVY')), timeMs)
  child.on('message', onAnswer).once('exit', onExit)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  else send({ kind: 'start', input })

  return promise.finally(async () => {
    clearTimeout(late)
    child.off('message', onAnswer).off('exit', onExit)
    signal?.removeEventListener('abort', onAbort)
    await iterator?.return?.()
  })
}
