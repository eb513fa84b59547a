import { expect, test, vi } from 'vitest'
import { createFairTurn } from '../fair-turn.ts'
import { createHeavy } from './heavy.ts'

process.env.APP_SECRET ??= 'test-secret-test-secret-test-secret-test'
const troubles = (timeMs: number) =>
  createHeavy<string, number, unknown>(new URL('./trouble.task.ts', import.meta.url), {
    processes: 1,
    memoryMb: 200,
    timeMs,
    mostWaiting: 3,
    niceness: 0,
  })
const work = troubles(30_000)
const inThread = createHeavy<string, number, unknown>(new URL('./trouble.task.ts', import.meta.url), {
  ...{ processes: 1, memoryMb: 200, timeMs: 1_000, mostWaiting: 3, niceness: 0, inThread: true },
})
async function* numbers() {
  yield* [1, 2, 3]
}

test('work is done elsewhere, in a process that is used again, and nothing of this one is in its hands', async () => {
  const first = await work(1, { input: 'sum', items: numbers() })
  expect(first).toEqual({ sum: 6, pid: expect.any(Number) })
  expect(first).not.toMatchObject({ pid: process.pid })
  expect(await work(1, { input: 'sum', items: numbers() })).toEqual(first)
  expect(await work(1, { input: 'secrets' })).not.toContain('APP_SECRET')
})

test.each(['heap', 'outside the heap'])('work that fills its %s is ended, and the next one is done', async (input) => {
  await expect(work(1, { input })).rejects.toMatchObject({ code: 'ERR_TOO_HEAVY' })
  expect(await work(1, { input: 'sum', items: numbers() })).toMatchObject({ sum: 6 })
})

test('in a thread the same holds: used again, without our secrets, and ended when it fills its heap or goes on without end', async () => {
  inThread.warm('secrets')
  expect(await inThread(1, { input: 'sum', items: numbers() })).toEqual({ sum: 6, pid: process.pid })
  expect(await inThread(1, { input: 'secrets' })).not.toContain('APP_SECRET')
  for (const input of ['heap', 'endless']) {
    await expect(inThread(1, { input })).rejects.toMatchObject({ code: 'ERR_TOO_HEAVY' })
    expect(await inThread(1, { input: 'sum', items: numbers() })).toMatchObject({ sum: 6 })
  }
  await expect(inThread(1, { input: 'refused' })).rejects.toThrow('no such thing')
})

test('work that takes too long is ended', async () => {
  await expect(troubles(1_000)(1, { input: 'endless' })).rejects.toMatchObject({ code: 'ERR_TOO_HEAVY' })
})

test('what fails by itself says why, and what fails while it is fed ends too', async () => {
  await expect(work(1, { input: 'refused' })).rejects.toThrow('no such thing')
  // biome-ignore lint/correctness/useYield: it breaks before
  const broken = async function* (): AsyncGenerator<number> {
    throw new Error('the database went away')
  }
  await expect(work(1, { input: 'sum', items: broken() })).rejects.toThrow('the database went away')
})

test('who gives up frees the place, waiting or not', async () => {
  const gone = new AbortController()
  const endless = work(1, { input: 'endless', signal: gone.signal })
  const waiting = work(1, { input: 'sum', items: numbers(), signal: gone.signal })
  const outcomes = Promise.allSettled([endless, waiting])
  const other = work(2, { input: 'sum', items: numbers() })
  gone.abort(new Error('nobody waits'))
  expect(await outcomes).toMatchObject([
    { reason: { message: 'nobody waits' } },
    { reason: { message: 'nobody waits' } },
  ])
  expect(await other).toMatchObject({ sum: 6 })
})

test('companies take turns, one piece of each at a time, and a long line is closed', async () => {
  const inTurn = createFairTurn(2, 3)
  const order: string[] = []
  const finish: (() => void)[] = []
  const ask = (tenantId: number, name: string) =>
    inTurn(tenantId, () => {
      order.push(name)
      return new Promise<void>((resolve) => finish.push(resolve))
    })
  const done = [ask(1, 'a1'), ask(1, 'a2'), ask(1, 'a3'), ask(1, 'a4')]
  await expect(ask(1, 'a5')).rejects.toMatchObject({ code: 'ERR_TOO_MANY' })
  done.push(ask(2, 'b1'), ask(2, 'b2'), ask(3, 'c1'))
  for (let n = 0; n < done.length; n += 1) {
    await vi.waitFor(() => expect(finish.length).toBeGreaterThan(0))
    finish.shift()?.()
    await Promise.resolve()
  }
  await Promise.all(done)
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4'])
})
