import type { Bench } from '../bench.ts'
import { atLeast, atMost, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'
import { residentMb } from '../servers.ts'

const atOnce = 64
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** People connecting as fast as they can, as after a restart; then what each costs while nothing happens. */
export const measureSockets = async (bench: Bench) => {
  const { agents, db } = bench
  const server = await bench.restart()
  const many = bench.scale < 1 ? 400 : 2_000
  await db.query('update users set is_online = true where tenant_id = $1', [tenantId])
  const warm = await connectAll(
    server.port,
    agents.map((agent) => agent.token),
  )
  for (const socket of warm.sockets) socket.close()
  await pause(3_000)

  const before = await residentMb(server)
  const { sockets, perSecond } = await connectAll(
    server.port,
    Array.from({ length: many }, (_, n) => agents[n % agents.length]?.token ?? ''),
  )
  atLeast(1_500, { name: 'socket connects', value: perSecond, unit: 'connects/s', compared: { sockets: many, atOnce } })
  await pause(6_000)
  const after = await residentMb(server)
  atMost(45, {
    name: 'memory per idle socket',
    value: ((after - before) * 1_000) / many,
    unit: 'kB',
    compared: { beforeMb: rounded(before), afterMb: rounded(after) },
  })
  for (const socket of sockets) socket.close()
  await pause(1_000)
}

const connectAll = async (port: number, tokens: string[]) => {
  const sockets: WebSocket[] = []
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    for (let n = next++; n < tokens.length; n = next++) sockets.push(await join(port, tokens[n] ?? ''))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { sockets, perSecond: tokens.length / ((performance.now() - startedAt) / 1000) }
}

/** The Socket.IO handshake by hand: the real client would need more of the machine than the server it measures. */
const join = (port: number, token: string) =>
  new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
    socket.onmessage = ({ data }) => {
      const text = String(data)
      if (text.startsWith('0')) socket.send(`40${JSON.stringify({ token })}`)
      else if (text.startsWith('40')) resolve(socket)
      else if (text.startsWith('44')) reject(new Error(text))
      else if (text === '2') socket.send('3')
    }
    socket.onerror = () => reject(new Error('The socket was refused'))
  })
