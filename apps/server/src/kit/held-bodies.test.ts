import net from 'node:net'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../test/kit.ts'

const { listen } = await startTestApp()

test('bodies that never end hold no more than they may together, and who is quick is answered', async () => {
  const { url } = await listen()
  const megabyte = Buffer.alloc(1024 * 1024, ' ')
  const slow = Array.from({ length: 20 }, () => {
    const state = { isOpen: true }
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {}).on('close', () => Object.assign(state, { isOpen: false }))
    socket.write('POST /hooks/waba HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
    socket.write(`Content-Length: ${9 * megabyte.length}\r\n\r\n`)
    for (let sent = 0; sent < 8; sent += 1) socket.write(megabyte)
    return { state, socket }
  })
  // 160 MB were sent, of which 128 are kept.
  await vi.waitFor(() => expect(slow.filter(({ state }) => state.isOpen).length).toBeLessThanOrEqual(16), 20_000)
  const answer = await fetch(`${url}/hooks/waba`, {
    method: 'POST',
    body: JSON.stringify({ text: 'x'.repeat(900_000) }),
  })
  expect(answer.status).toBe(404)
  expect(slow.filter(({ state }) => state.isOpen).length).toBeGreaterThan(10)
  for (const { socket } of slow) socket.destroy()
})
