import { getPriority } from 'node:os'
import { afterAll, expect, inject, test } from 'vitest'
import { closeDatabase, inBackground, openDatabase, platformRows, type Tx, withReport, withTenant } from './database.ts'

const url = inject('ownerUrl')
openDatabase({ appUrl: url, platformUrl: url, isOurs: true })
afterAll(closeDatabase)

const ask = { name: '', text: 'select pg_backend_pid() as pid' }
const priorityIn = async (tx: Tx) => priorityOf(await tx.rows<{ pid: number }>(ask, []))
const priorityOf = ([row]: { pid: number }[]) => getPriority(row?.pid)

test('what nobody waits for is behind, and so are sums over much; what people ask is not', async () => {
  const live = await withTenant(1, priorityIn)
  const behind = Math.min(19, live + 10)
  expect(priorityOf(await platformRows(ask, []))).toBe(live)
  expect(await inBackground(() => withTenant(1, priorityIn))).toBe(behind)
  expect(priorityOf(await inBackground(() => platformRows<{ pid: number }>(ask, [])))).toBe(behind)
  expect(await withReport({ tenantId: 1, userId: 'a' }, priorityIn)).toBe(behind)
  expect(await withTenant(1, priorityIn)).toBe(live)
})
