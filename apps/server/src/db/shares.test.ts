import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { startTestApp } from '../../test/kit.ts'
import { limits, ShareTaken } from './shares.ts'

const kit = await startTestApp()
const { withSearch } = await import('./database.ts')
const [noisy, quiet] = [await kit.seedTenant(), await kit.seedTenant()]
const slow = { name: '', text: 'select pg_sleep($1)' }
const person = (n: number) => ({ tenantId: noisy.tenantId, userId: `pessoa-${n}` })

test('fifty long searches of one company leave the connections to live work and to others', async () => {
  let [running, most] = [0, 0]
  const searches = Array.from({ length: 50 }, (_, n) =>
    withSearch(person(n), async (tx) => {
      most = Math.max(most, ++running)
      await tx.rows(slow, [0.02])
      running -= 1
    }),
  )
  const startedAt = Date.now()
  await Promise.all(Array.from({ length: 8 }, () => kit.withTenant(noisy.tenantId, (tx) => tx.rows(slow, [0]))))
  await withSearch({ tenantId: quiet.tenantId, userId: 'a' }, (tx) => tx.rows(slow, [0]))
  expect(Date.now() - startedAt).toBeLessThan(400)
  await Promise.all(searches)
  expect(most).toBe(2)
})

test('one company’s live work leaves connections to the others', async () => {
  const busy = Array.from({ length: 20 }, () => kit.withTenant(noisy.tenantId, (tx) => tx.rows(slow, [0.3])))
  const startedAt = Date.now()
  await kit.withTenant(quiet.tenantId, (tx) => tx.rows(slow, [0]))
  expect(Date.now() - startedAt).toBeLessThan(250)
  await Promise.all(busy)
})

test('who asks on and on is answered what was asked last', async () => {
  const answered: number[] = []
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) =>
      withSearch(person(0), async (tx) => {
        await tx.rows(slow, [0.01])
        answered.push(n)
      }),
    ),
  )
  expect(answered).toHaveLength(limits.search.perPerson)
  expect(answered.slice(-2)).toContain(29) // the last ones run side by side
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused.every((reason) => reason instanceof ShareTaken)).toBe(true)
})

test('a search that takes too long is ended, one that finds no room is refused; both say what to do', async () => {
  const before = { ...limits.search }
  const owner = new pg.Client({ connectionString: inject('ownerUrl').replace(/[^/]*$/, await databaseName()) })
  await owner.connect()
  try {
    limits.search.statementMs = 300
    await owner.query('begin; lock table messages in access exclusive mode')
    const ask = () => kit.as(noisy.admin).get('/searchMessage?searchParam=pedido')
    const answers = await Promise.all(Array.from({ length: 12 }, ask))
    const ended = answers.find(({ status }) => status === 422)
    expect(ended?.body).toMatchObject({ error: 'ERR_TOO_SLOW', message: expect.stringContaining('mais específicas') })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ error: 'ERR_BUSY', message: expect.stringContaining('tente de novo') })
    expect(refused?.headers['retry-after']).toBe('2')
  } finally {
    Object.assign(limits.search, before)
    await owner.query('rollback')
    await owner.end()
  }
  expect((await kit.as(noisy.admin).get('/searchMessage?searchParam=pedido')).status).toBe(200)
})

const databaseName = () =>
  kit.withTenant(noisy.tenantId, async (tx) => {
    const [row] = await tx.rows<{ name: string }>({ name: '', text: 'select current_database() as name' }, [])
    return row?.name ?? ''
  })

test('signs alone find nothing and read nothing from end to end', async () => {
  const ask = (path: string) => kit.as(noisy.admin).get(`${path}${encodeURIComponent('%%%')}`)
  await kit.createTicket(noisy)
  expect((await ask('/searchMessage?searchParam=')).status).toBe(422)
  expect((await ask('/tickets?showAll=true&searchParam=')).body.items).toEqual([])
  expect((await ask('/contacts?searchParam=')).body.items).toEqual([])
  expect((await kit.as(noisy.admin).get('/contacts?searchParam=----')).body.items).toEqual([])
})
