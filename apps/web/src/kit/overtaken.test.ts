import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { overtakeFirst, renewOvertaken } from './overtaken.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A list whose answers come when the test says so. */
const open = (meta?: Record<string, unknown>) => {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  renewOvertaken(cache)
  const answers: ((rows: string[]) => void)[] = []
  const queryFn = () => new Promise<string[]>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(cache, { queryKey: ['rows'], queryFn, ...(meta && { meta }) })
  observer.subscribe(() => undefined)
  const answer = async (index: number, rows: string[]) => {
    answers[index]?.(rows)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { cache, answers, answer, rows: () => cache.getQueryData(['rows']) }
}

test('what was told while an older answer was on its way is read again', async () => {
  const { cache, answers, answer, rows } = open()
  await answer(0, ['old'])
  void cache.invalidateQueries({ queryKey: ['rows'] })
  cache.setQueryData(['rows'], ['new'])
  await answer(1, ['old'])
  await vi.advanceTimersByTimeAsync(1_000)
  await answer(2, ['new'])
  expect(rows()).toEqual(['new'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answers).toHaveLength(3)
})

test('in a rush each reading waits longer', async () => {
  const { cache, answers, answer } = open()
  await answer(0, ['a'])
  void cache.invalidateQueries({ queryKey: ['rows'] })
  for (const [index, wait] of [1_000, 2_000, 4_000].entries()) {
    cache.setQueryData(['rows'], [`told ${index}`])
    await answer(index + 1, ['late'])
    await vi.advanceTimersByTimeAsync(wait - 1)
    expect(answers).toHaveLength(index + 2)
    await vi.advanceTimersByTimeAsync(1)
    expect(answers).toHaveLength(index + 3)
  }
})

test('a first answer that was asked for before something was told is read again', async () => {
  const { cache, answers, answer, rows } = open()
  overtakeFirst(cache, ['others'])
  overtakeFirst(cache, ['rows'])
  await answer(0, ['old'])
  await vi.advanceTimersByTimeAsync(1_000)
  await answer(1, ['new'])
  expect(rows()).toEqual(['new'])
  overtakeFirst(cache, ['rows'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answers).toHaveLength(2)
})

test('a first answer on its way when its query is invalidated is read again: invalidation alone keeps waiting for it', async () => {
  const { cache, answers, answer, rows } = open()
  void cache.invalidateQueries({ queryKey: ['rows'] })
  expect(answers).toHaveLength(1)
  await answer(0, ['old'])
  await vi.advanceTimersByTimeAsync(1_000)
  await answer(1, ['new'])
  expect(rows()).toEqual(['new'])

  // One that has an answer is asked at once, and once.
  void cache.invalidateQueries({ queryKey: ['rows'] })
  expect(answers).toHaveLength(3)
  void cache.invalidateQueries({ queryKey: ['rows'] })
  await answer(3, ['newer'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answers).toHaveLength(4)
  expect(rows()).toEqual(['newer'])
})

test('what puts its answer together with what was told is left alone', async () => {
  const { cache, answers, answer } = open({ merges: true })
  await answer(0, ['a'])
  void cache.invalidateQueries({ queryKey: ['rows'] })
  cache.setQueryData(['rows'], ['told'])
  await answer(1, ['a'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answers).toHaveLength(2)
})
