import { expect, test } from 'vitest'
import { startTestApp } from '../../test/kit.ts'

const kit = await startTestApp()
const { readTenant } = await import('./database.ts')
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
})

test('a statement that fails is told, and the connection goes on', async () => {
  const wrong = { name: 'one_trip_wrong', text: 'select 1 / $1::int as part' }
  for (let n = 0; n < 20; n += 1)
    await expect(readTenant(one.tenantId, [queues, []], [wrong, [0]])).rejects.toThrow('division by zero')
  const [[row] = [], again] = await readTenant(one.tenantId, [wrong, [1]], [queues, []])
  expect(row).toEqual({ part: 1 })
  expect(again).toEqual([{ name: 'Vendas' }])
})
