import { load, type Paced } from './load.ts'

process.once('message', async ({ port, requests, everyMs }: Paced) => {
  const next = (n: number) => Buffer.from(requests[n] ?? '')
  const { latenciesMs } = await load({ port, connections: 1, count: requests.length, everyMs, next })
  process.send?.(latenciesMs)
})
process.on('disconnect', () => process.exit())
