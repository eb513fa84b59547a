import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../test/kit.ts'

await startTestApp()
const { startWorkers, workersHealth } = await import('./workers.ts')
const { announce } = await import('./signals/signals.ts')
const { statementCount } = await import('../db/database.ts')

const worker = { role: 'worker' as const, everyMs: 60_000 }

test('a signal wakes who waits for it, and what it says is found', async () => {
  let rounds = 0
  const run = async () => {
    rounds += 1
    return { did: 1 }
  }
  const running = startWorkers([{ ...worker, name: 'woken', due: 'select where false', wakesOn: ['jobs.wanted'], run }])
  announce('jobs.wanted')
  announce('jobs.wanted') // the same twice at once is said once
  await vi.waitFor(() => expect(rounds).toBe(1))
  await running.stop()
  announce('jobs.wanted')
  await new Promise(setImmediate)
  expect(rounds).toBe(1)
})

test('who has more to do goes on at once, one round at a time', async () => {
  let rounds = 0
  let atOnce = 0
  const run = async () => {
    atOnce += 1
    expect(atOnce).toBe(1)
    await new Promise(setImmediate)
    atOnce -= 1
    rounds += 1
    return { did: 1, isMore: rounds < 50 }
  }
  const running = startWorkers([{ ...worker, name: 'busy', due: 'select', run }])
  await vi.waitFor(() => expect(rounds).toBe(50), { timeout: 3_000 })
  await running.stop()
})

test('what is said soon after a round waits for what else is said', async () => {
  let rounds = 0
  const run = async () => {
    rounds += 1
    return { did: 1 }
  }
  const gathering = { ...worker, name: 'gathering', due: 'select where false', gathersMs: 200, run }
  const running = startWorkers([{ ...gathering, wakesOn: ['jobs.wanted'] }])
  announce('jobs.wanted')
  await vi.waitFor(() => expect(rounds).toBe(1))
  for (let n = 0; n < 20; n += 1) {
    announce('jobs.wanted')
    await new Promise(setImmediate)
  }
  await vi.waitFor(() => expect(rounds).toBe(2), { timeout: 3_000 })
  await running.stop()
  expect(rounds).toBe(2)
})

test('a moment that was asked for comes, whatever is said before it and finds nothing', async () => {
  let rounds = 0
  const run = async () => {
    rounds += 1
    return rounds === 1 ? { did: 1, againInMs: 1_000 } : { did: 0 }
  }
  const gathering = { ...worker, name: 'paced', due: 'select where false', gathersMs: 500, run }
  const running = startWorkers([{ ...gathering, wakesOn: ['jobs.wanted'] }])
  announce('jobs.wanted')
  await vi.waitFor(() => expect(rounds).toBe(1))
  announce('jobs.wanted')
  await vi.waitFor(() => expect(rounds).toBe(3), { timeout: 3_000 })
  await running.stop()
})

test('all that look for work ask in one statement', async () => {
  const found: string[] = []
  const lookers = Array.from({ length: 20 }, (_, n) => ({
    ...worker,
    name: `looker ${n}`,
    due: `select where ${n} = 7`,
    run: async () => void found.push(`looker ${n}`) as undefined,
  }))
  const before = statementCount()
  const running = startWorkers(lookers)
  await vi.waitFor(() => expect(found).toEqual(['looker 7']))
  expect(statementCount() - before).toBeLessThanOrEqual(2)
  await running.stop()
})

test('who fails rests longer each time, whatever is said meanwhile, and is told as trouble', async () => {
  let rounds = 0
  const run = async () => {
    rounds += 1
    throw new Error('broken')
  }
  const running = startWorkers([
    { ...worker, name: 'broken', everyMs: 1, due: 'select', wakesOn: ['jobs.wanted'], run },
  ])
  const health = () => workersHealth().find(({ name }) => name === 'broken')
  await vi.waitFor(() => expect(rounds).toBe(1))
  for (let n = 0; n < 20; n += 1) {
    announce('jobs.wanted')
    await new Promise(setImmediate)
  }
  expect(rounds).toBe(1)
  await vi.waitFor(() => expect(health()).toMatchObject({ failures: 3, isInTrouble: true }), { timeout: 10_000 })
  expect(rounds).toBe(3)
  await running.stop()
  expect(health()).toBeUndefined()
})

test('what a background worker asks goes over connections of its own; whom it wakes has those of people', async () => {
  const { withTenant, inBackground, inForeground } = await import('../db/database.ts')
  const { limits } = await import('../db/shares.ts')
  const limitOf = () =>
    withTenant(1, async (tx) => {
      const [row] = await tx.rows<{ limit: string }>({ name: '', text: 'show statement_timeout' }, [])
      return row && Object.values(row)[0]
    })
  const [background, live] = [await inBackground(limitOf), await limitOf()]
  expect([background, live]).toEqual(['1min', '30s'])
  expect(limits.background.statementMs).toBe(60_000)

  const seen: unknown[] = []
  const woken = { ...worker, name: 'woken by it', due: 'select where false', wakesOn: ['jobs.wanted' as const] }
  const running = startWorkers([
    {
      ...worker,
      name: 'behind',
      isBackground: true,
      due: 'select where true',
      run: async () => {
        seen.push(await limitOf())
        announce('jobs.wanted')
        return { did: 1 }
      },
    },
    { ...woken, run: async () => ({ did: seen.push(await limitOf()) }) },
  ])
  await vi.waitFor(() => expect(seen).toEqual(['1min', '30s']), { timeout: 5_000 })
  await running.stop()
  expect(await inBackground(() => inForeground(limitOf))).toBe('30s')
})
