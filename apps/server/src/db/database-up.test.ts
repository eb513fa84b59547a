import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { closeDatabase, isDatabaseUp, openDatabase } from './database.ts'

/** Takes connections and says nothing, as a frozen database does. */
const frozen = createServer(() => {}).listen(0, '127.0.0.1')
await once(frozen, 'listening')
const { port } = frozen.address() as AddressInfo // a TCP server's
const url = `postgres://balcao@127.0.0.1:${port}/balcao`

afterAll(async () => {
  frozen.close()
  await closeDatabase()
})

test('a database that is frozen is told as away within two seconds, time after time', async () => {
  openDatabase({ appUrl: url, platformUrl: url })
  for (let n = 0; n < 2; n += 1) {
    const startedAt = performance.now()
    expect(await isDatabaseUp(300)).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  }
})
