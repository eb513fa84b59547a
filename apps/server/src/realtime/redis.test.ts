import { io } from 'socket.io-client'
import { v7 } from 'uuid'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../test/kit.ts'

process.env.REDIS_URL = 'redis://127.0.0.1:1' // nobody listens there
const kit = await startTestApp()
const { url } = await kit.listen()
const { emit } = await import('../kit/outbox.ts')

test('while Redis is away every window of this process goes on hearing, and nobody spins', async () => {
  const company = await kit.seedTenant()
  const ticketId = await kit.createTicket(company)
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token: company.admin.token } })
  const heard: string[] = []
  socket.onAny((name: string) => heard.push(name))
  await vi.waitFor(() => expect(socket.connected).toBe(true))
  socket.emit('ticket.view', { ticketId })
  await vi.waitFor(() => expect(heard).toContain('presence.ticket'))

  const before = process.cpuUsage()
  const startedAt = Date.now()
  for (let n = 0; n < 20; n += 1)
    await kit.withTenant(company.tenantId, (tx) =>
      emit(tx, 'user.updated', { id: v7(), name: `Pessoa ${n}` }, { kind: 'permission', can: 'users.read' }),
    )
  await vi.waitFor(() => expect(heard.filter((name) => name === 'user.updated')).toHaveLength(20))
  expect(Date.now() - startedAt).toBeLessThan(2_000)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const { user } = process.cpuUsage(before)
  expect(user / 1_000).toBeLessThan(700)
  socket.disconnect()
})
