import { createServer } from 'node:net'
import { io } from 'socket.io-client'
import { v7 } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'

/** As much of Redis as its clients ask for: one whose memory is full, or one that takes everything and answers nothing. */
let isHung = false
const hello = '%3\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n$7\r\nversion\r\n$5\r\n7.4.0\r\n'
const full = "-OOM command not allowed when used memory > 'maxmemory'.\r\n"
const answerTo = ([name = '', channel = '']: string[]) => {
  if (name === 'HELLO') return hello
  if (name === 'SUBSCRIBE') return `>3\r\n$9\r\nsubscribe\r\n$${channel.length}\r\n${channel}\r\n:1\r\n`
  if (name === 'XREAD') return ''
  if (name === 'XADD') return full
  return name === 'PUBSUB' ? '*0\r\n' : ['CLIENT', 'PING'].includes(name) ? '+OK\r\n' : ':0\r\n'
}
const asked: string[] = []
const redis = createServer((line) => {
  line.on('error', () => {})
  line.on('data', (bytes) => {
    for (const command of bytes.toString().split(/(?=\*\d+\r\n\$)/)) {
      const words = command.split('\r\n').filter((_, at) => at > 0 && at % 2 === 0)
      asked.push(words[0] ?? '')
      if (!isHung) line.write(answerTo(words))
    }
  })
})
await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve))
const bound = redis.address()
process.env.REDIS_URL = `redis://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`
afterAll(() => void redis.close())
const { startTestApp } = await import('../../test/kit.ts')
const kit = await startTestApp()
const { url } = await kit.listen()
const { emit } = await import('../kit/outbox.ts')

test('a Redis that is full, or says nothing any more, keeps no live update from the windows of this process (T55)', async () => {
  const company = await kit.seedTenant()
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token: company.admin.token } })
  let heard = 0
  socket.on('user.updated', () => (heard += 1))
  await vi.waitFor(() => expect(socket.connected).toBe(true))
  await vi.waitFor(() => expect(asked).toContain('PUBSUB'), { timeout: 5_000 }) // the line is open
  const tell = (n: number) =>
    kit.withTenant(company.tenantId, (tx) =>
      emit(tx, 'user.updated', { id: v7(), name: `Pessoa ${n}` }, { kind: 'permission', can: 'users.read' }),
    )
  for (let n = 0; n < 5; n += 1) await tell(n)
  await vi.waitFor(() => expect(heard).toBe(5), { timeout: 2_000 })
  expect(asked).toEqual(expect.arrayContaining(['XADD', 'XREAD'])) // what is said, and what is heard

  isHung = true
  for (let n = 0; n < 5; n += 1) await tell(n)
  await vi.waitFor(() => expect(heard).toBe(10), { timeout: 6_000 })
  // From then on nothing waits for it.
  await tell(5)
  await vi.waitFor(() => expect(heard).toBe(11), { timeout: 2_000 })
  socket.disconnect()
}, 30_000)
