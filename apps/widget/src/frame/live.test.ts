import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, expect, test, vi } from 'vitest'
import { type Live, openLive } from './live.ts'

let server: Server
let live: Live
afterEach(async () => {
  live.close()
  await server.close()
  vi.unstubAllGlobals()
})

test('what came before the server listens for this visitor is asked for once it does, on every connection', async () => {
  const http = createServer()
  server = new Server(http)
  const sockets: { emit: (name: string, payload?: object) => void; disconnect: (close: boolean) => void }[] = []
  server.of('/webchat').on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((listening) => void http.listen(0, '127.0.0.1', listening))
  const { port } = http.address() as AddressInfo // it listens on a port
  vi.stubGlobal('location', { protocol: 'http:', hostname: '127.0.0.1', host: `127.0.0.1:${port}`, port: `${port}` })
  const seen: string[] = []
  live = openLive({
    getToken: () => 'token',
    renew: async () => undefined,
    onJoin: () => seen.push('joined'),
    onDisconnect: () => seen.push('lost'),
    on: {
      message: ({ text }) => seen.push(text),
      status: () => undefined,
      typing: () => undefined,
      agent: () => undefined,
      ticket: ({ status }) => seen.push(status),
      'session.revoked': () => undefined,
    },
  })
  await vi.waitFor(() => expect(sockets).toHaveLength(1))
  sockets[0]?.emit('message', { text: 'cedo' })
  sockets[0]?.emit('ticket', { status: 'pending' })
  sockets[0]?.emit('ticket', { status: 'open' })
  await vi.waitFor(() => expect(seen).toEqual(['cedo', 'pending', 'joined', 'open']))
  sockets[0]?.disconnect(true)
  await vi.waitFor(() => expect(sockets).toHaveLength(2), { timeout: 5_000 })
  sockets[1]?.emit('ticket', { status: 'open' })
  await vi.waitFor(() => expect(seen.slice(4)).toEqual(['lost', 'open', 'joined']))
})
