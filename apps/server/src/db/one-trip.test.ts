import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/kit.ts'
import type { Together, Tx } from './database.ts'

const kit = await startTestApp()
const { platformRows, readTenant, withTenant, withTenantAfter } = await import('./database.ts')
const [one, other] = [
  await kit.seedTenant({ queues: ['Vendas'] }),
  await kit.seedTenant({ queues: ['Suporte', 'Loja'] }),
]
const queues = { name: 'one_trip_queues', text: 'select name from queues order by name' }
const setting = { name: '', text: `select current_setting('app.tenant_id', true) as tenant` }

test('each round trip sees its own company alone and leaves nothing behind', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => readTenant((n % 2 ? one : other).tenantId, [queues, []], [setting, []])),
  )
  for (const [n, [rows, [told] = []]] of answers.entries()) {
    expect(rows).toEqual(n % 2 ? [{ name: 'Vendas' }] : [{ name: 'Loja' }, { name: 'Suporte' }])
    expect(told).toEqual({ tenant: String((n % 2 ? one : other).tenantId) })
  }
  await expect(readTenant(1.5, [queues, []])).rejects.toThrow('Not a tenant')
})

test('values travel as the driver writes them', async () => {
  const values = [null, 'é "asp", {chave}', ['a,b', 'c"d', 'e\\f', null], new Date(1_700_000_000_000), { ok: true }, 7]
  const echo = {
    name: '',
    text: 'select $1::text as a, $2::text as b, $3::text[] as c, $4::timestamptz as d, $5::jsonb as e, $6::int as f',
  }
  const [[row] = []] = await readTenant(one.tenantId, [echo, values])
  expect(Object.values(row ?? {})).toEqual(values)

  const lists = [
    [
      [1, 2],
      [3, null],
    ],
    [new Date(1_700_000_000_000)],
    [{ says: 'é "asp"' }],
    Buffer.from([0, 255, 92]),
  ]
  const listed = {
    name: 'one_trip_lists',
    text: 'select $1::int[] as a, $2::timestamptz[] as b, $3::jsonb[] as c, $4::bytea as d',
  }
  const [[again] = []] = await readTenant(one.tenantId, [listed, lists])
  expect(Object.values(again ?? {})).toEqual(lists)
})

test('a prepared statement is described once and read alike ever after, with rows and without', async () => {
  const some = { name: 'one_trip_some', text: 'select n, null::text as nothing from generate_series(1, $1::int) n' }
  const set = { name: 'one_trip_set', text: 'update queues set name = name where tenant_id = $1' }
  const read = () => readTenant(one.tenantId, [some, [0]], [set, [one.tenantId]], [some, [2]], [queues, []])
  const rows = [
    { n: 1, nothing: null },
    { n: 2, nothing: null },
  ]
  for (let times = 0; times < 40; times += 1) expect(await read()).toEqual([[], [], rows, [{ name: 'Vendas' }]])
})

test('a statement that fails is told, and the connection goes on', async () => {
  const wrong = { name: 'one_trip_wrong', text: 'select 1 / $1::int as part' }
  for (let n = 0; n < 20; n += 1)
    await expect(readTenant(one.tenantId, [queues, []], [wrong, [0]])).rejects.toThrow('division by zero')
  const [[row] = [], again] = await readTenant(one.tenantId, [wrong, [1]], [queues, []])
  expect(row).toEqual({ part: 1 })
  expect(again).toEqual([{ name: 'Vendas' }])
})

test('statements of one name are never taken for each other, whichever a connection knows first', async () => {
  const named = (n: number) => ({ name: 'one_name', text: `select ${n} as n` })
  const ways = [
    (n: number) => readTenant(one.tenantId, [named(n), []]).then(([rows]) => rows),
    (n: number) => withTenant(one.tenantId, (tx) => tx.rows(named(n), [])),
    (n: number) => platformRows(named(n), []),
  ]
  const asked = Array.from({ length: 60 }, (_, n) => n)
  for (const way of ways)
    expect(await Promise.all(asked.map((n) => way(n % 3)))).toEqual(asked.map((n) => [{ n: n % 3 }]))
})

test('a transaction begins with what was known before it; late writes go with the next statement or its end', async () => {
  const { tenantId } = one
  const rename = { name: 'late_rename', text: 'update queues set name = $2 where tenant_id = $1 returning name' }
  const wrong = { name: 'late_wrong', text: 'select 1 / $1::int as part' }
  const name = async () => (await readTenant(tenantId, [queues, []]))[0]
  const ran: unknown[] = []

  const before = await withTenantAfter(tenantId, [[queues, []]], async (tx, [opened]) => {
    tx.afterCommit(() => ran.push('first'))
    tx.late(rename, [tenantId, 'Tarde'], (rows) => ran.push(rows))
    tx.afterCommit(() => ran.push('third'))
    const [now, set] = await tx.trip([queues, []], [setting, []])
    expect(ran).toEqual([])
    return { opened, now, set }
  })
  expect(before).toEqual({
    opened: [{ name: 'Vendas' }],
    now: [{ name: 'Tarde' }],
    set: [{ tenant: String(tenantId) }],
  })
  expect(ran).toEqual(['first', [{ name: 'Tarde' }], 'third'])
  expect(await name()).toEqual([{ name: 'Tarde' }])

  const ways: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => tx.rows(queues, []),
    (tx) => tx.trip([queues, []]),
    async (tx) => (await tx.db.execute(sql`select name from queues`)).rows,
  ]
  for (const [at, read] of ways.entries()) {
    const seen = await withTenant(tenantId, async (tx) => {
      tx.late(rename, [tenantId, `Lida ${at}`])
      return read(tx)
    })
    expect([seen].flat(2)).toEqual([{ name: `Lida ${at}` }])
    const failing = withTenant(tenantId, async (tx) => {
      tx.late(rename, [tenantId, 'Nunca'])
      tx.late(wrong, [0])
      await read(tx)
    })
    await expect(failing.catch((error) => Promise.reject(error.cause ?? error))).rejects.toThrow('division by zero')
  }
  const failing = withTenant(tenantId, async (tx) => {
    tx.late(rename, [tenantId, 'Nunca'])
    tx.late(wrong, [0])
  })
  await expect(failing).rejects.toThrow('division by zero')
  expect(await name()).toEqual([{ name: 'Lida 2' }])

  await withTenant(tenantId, async (tx) => {
    tx.late(rename, [tenantId, 'Primeira'])
    tx.late(rename, [tenantId, 'Antes'])
    const undone = tx.part(async () => {
      tx.late(rename, [tenantId, 'Nunca'], () => ran.push('never'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await expect(tx.part(async () => tx.late(wrong, [0]))).rejects.toThrow('division by zero')
    expect(await tx.rows(queues, [])).toEqual([{ name: 'Antes' }])
    tx.late(rename, [tenantId, 'Vendas'])
  })
  expect(await name()).toEqual([{ name: 'Vendas' }])
  expect(ran).toHaveLength(3)
})

test('what one statement can write goes as one, unless something else stands between', async () => {
  const { tenantId } = one
  const sent: number[][] = []
  const heard: unknown[] = []
  const together: Together<number> = {
    statement: { name: 'late_together', text: 'select n from unnest($1::int[]) as n order by n' },
    valuesOf: (_, items) => {
      sent.push([...items])
      return [items]
    },
    committed: (of, items, rows) => heard.push([of, items, rows]),
  }
  const also = { ...together }
  const other = { name: 'late_other', text: 'select 1 as one' }
  await withTenant(tenantId, async (tx) => {
    tx.lateTogether(together, 1)
    tx.lateTogether(also, 7)
    tx.lateTogether(together, 2)
    tx.late(other, [])
    tx.lateTogether(together, 3)
    await tx.rows(queues, [])
    tx.lateTogether(together, 4)
    await expect(
      tx.part(async () => {
        tx.lateTogether(together, 5)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    tx.lateTogether(together, 6)
    expect(heard).toEqual([])
  })
  expect(sent).toEqual([[1, 2], [7], [3], [4], [6]])
  const told = (items: number[]) => [tenantId, items, items.map((n) => ({ n }))]
  expect(heard).toEqual(sent.map(told))
})
