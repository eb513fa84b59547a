import type { Bench } from '../bench.ts'
import { ask, requestOf } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { residentMb } from '../servers.ts'

/** From the start of the process to its first answer, the database being up; then its memory while nothing happens. */
export const measureStart = async (bench: Bench) => {
  const times: number[] = []
  let server = bench.server
  for (let n = 0; n < 4; n += 1) {
    server = await bench.restart()
    const at = performance.now()
    await ask(server.port, requestOf('GET', '/health'))
    times.push(server.startMs + performance.now() - at)
  }
  atMost(1_000, {
    name: 'cold start, database up',
    value: percentile(times, 50),
    unit: 'ms',
    compared: { worst: rounded(Math.max(...times)) },
  })
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  atMost(160, { name: 'resident memory, idle', value: await residentMb(server), unit: 'MB' })
}

/** After all measurements that ran before: at once, and when the rush has been over for a while. */
export const measureMemory = async ({ server }: Bench) => {
  const atOnce = await residentMb(server)
  await new Promise((resolve) => setTimeout(resolve, 25_000))
  atMost(350, {
    name: 'resident memory, after all of it',
    value: await residentMb(server),
    unit: 'MB',
    compared: { atOnce: rounded(atOnce) },
  })
}
