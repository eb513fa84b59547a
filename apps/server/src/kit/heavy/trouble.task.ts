import type { HeavyTask } from './child.ts'

/** For the tests of its neighbours: work of every kind that goes wrong. */
export const run: HeavyTask<string, number, unknown> = async (wanted, items) => {
  if (wanted === 'endless') for (;;);
  if (wanted === 'refused') throw new Error('no such thing')
  const kept: unknown[] = []
  while (wanted === 'heap') kept.push(Array.from({ length: 100_000 }, (_, n) => ({ n })))
  while (wanted === 'outside the heap') {
    kept.push(new Uint8Array(1e7).fill(1))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  // biome-ignore lint/style/noProcessEnv: to show that nothing is in it
  if (wanted === 'secrets') return Object.keys(process.env)
  let sum = 0
  for await (const item of items) sum += item
  return { sum, pid: process.pid }
}
