import { startRedisSimulator } from '@balcao/simulators/redis.ts'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../test/kit.ts'
import type { Signals } from './signals.ts'

const { ownerUrl } = await startTestApp()
const redis = await startRedisSimulator()
afterAll(() => redis.close())

/** Two copies of the module in one process are two processes to each other. */
const load = async () => {
  vi.resetModules()
  const { announce, onSignal, openSignals } = await import('./signals.ts')
  const { signalsByPostgres } = await import('./by-postgres.ts')
  const { signalsByRedis } = await import('./by-redis.ts')
  return { announce, onSignal, openSignals, byPostgres: signalsByPostgres, byRedis: signalsByRedis }
}
const ways = {
  PostgreSQL: (module: Awaited<ReturnType<typeof load>>) => module.byPostgres(ownerUrl),
  Redis: (module: Awaited<ReturnType<typeof load>>) => module.byRedis(redis.url),
}

const open = async (way: keyof typeof ways) => {
  const module = await load()
  const signals = module.openSignals(ways[way](module))
  const typing: Signals['contact.typing'][] = []
  const written: number[] = []
  let woken = 0
  module.onSignal('contact.typing', (one) => typing.push(one))
  module.onSignal('events.written', ({ seq }) => written.push(seq))
  module.onSignal('jobs.wanted', () => {
    woken += 1
  })
  return { ...module, ...signals, typing, written, woken: () => woken }
}
const ticket = { tenantId: 1, ticketId: 'a', isTyping: true }
/** They have heard of each other. */
const meet = (one: Awaited<ReturnType<typeof open>>, other: Awaited<ReturnType<typeof open>>) =>
  vi.waitFor(
    () => {
      one.announce('contact.typing', { ...ticket, ticketId: 'one' })
      other.announce('contact.typing', { ...ticket, ticketId: 'other' })
      expect(other.typing.some(({ ticketId }) => ticketId === 'one')).toBe(true)
      expect(one.typing.some(({ ticketId }) => ticketId === 'other')).toBe(true)
    },
    { timeout: 10_000 },
  )

for (const way of ['PostgreSQL', 'Redis'] as const)
  test(`${way}: what one process says the other hears once, and so does the first`, async () => {
    const one = await open(way)
    const other = await open(way)
    await meet(one, other)
    const sent = Array.from({ length: 2_000 }, (_, n) => n)
    for (const seq of sent) one.announce('events.written', { tenantId: 1, seq })
    await vi.waitFor(() => expect(other.written).toHaveLength(2_000), { timeout: 5_000 })
    expect(other.written).toEqual(sent)
    expect(one.written).toEqual(sent)
    await Promise.all([one.stop(), other.stop()])
  })

test('a connection that is cut is opened again, and everybody looks for what was missed', async () => {
  const one = await open('PostgreSQL')
  const other = await open('PostgreSQL')
  await meet(one, other)
  const before = other.woken()
  const admin = new pg.Client({ connectionString: ownerUrl })
  await admin.connect()
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'balcao: signals'")
  await admin.end()
  await vi.waitFor(() => expect(other.woken()).toBeGreaterThan(before), { timeout: 5_000 })
  const heard = other.typing.length
  await vi.waitFor(
    () => {
      one.announce('contact.typing', ticket)
      expect(other.typing.length).toBeGreaterThan(heard)
    },
    { timeout: 5_000 },
  )
  await Promise.all([one.stop(), other.stop()])
})

test('who is alone says nothing to nobody', async () => {
  const { announce, openSignals } = await load()
  const sent: string[] = []
  const signals = openSignals(({ opened }) => {
    setImmediate(opened)
    return { send: async (texts) => void sent.push(...texts), stop: async () => {} }
  })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  announce('jobs.wanted')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(sent.map((text) => JSON.parse(text))).toMatchObject([{ hello: 'ask' }])
  await signals.stop()
})

test.each(['PostgreSQL', 'Redis'] as const)('%s: stopped while it still connects, it is over', async (way) => {
  const module = await load()
  const signals = module.openSignals(ways[way](module))
  await signals.stop()
})
