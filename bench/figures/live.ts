import { io, type Socket } from 'socket.io-client'
import type { Bench } from '../bench.ts'
import { load } from '../load.ts'
import { atMost, percentile, rounded, say } from '../report.ts'
import { tenantId } from '../seed.ts'
import { activeCustomers, arrived, sweep, webhook } from '../webhook.ts'

const perSecond = 50
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** 50 messages a second while 200 agents are connected: how soon the provider is answered, how soon the agents see it. */
export const measureLive = async (bench: Bench) => {
  const { db, agents, server } = bench
  await sweep(db)
  await db.query('update users set is_online = true where tenant_id = $1', [tenantId])
  const customers = await activeCustomers(db)
  const sentAt = new Map<number, number>()
  const seen: number[] = []
  const sockets = await Promise.all(
    agents.map((agent) =>
      open(server.port, agent.token, (body) => {
        const at = sentAt.get(Number(/#(\d+)$/.exec(body)?.[1]))
        if (at !== undefined) seen.push(performance.now() - at)
      }),
    ),
  )
  try {
    await pause(3_000)
    const acknowledged: number[] = []
    const many = perSecond * (bench.scale < 1 ? 4 : 30)
    const warm = perSecond * 2
    const startedAt = performance.now()
    const sending: Promise<void>[] = []
    for (let n = 0; n < many + warm; n += 1) {
      await pause(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()))
      const customer = customers[(n * 11) % customers.length]
      if (!customer) continue
      const request = webhook(customer, `Bom dia, tem como mudar o endereço de entrega do pedido? #${n}`)
      if (n >= warm) sentAt.set(n, performance.now())
      sending.push(
        load({ port: server.port, connections: 1, count: 1, next: () => request }).then(({ latenciesMs }) => {
          if (n >= warm) acknowledged.push(...latenciesMs)
        }),
      )
    }
    await Promise.all(sending)
    await pause(1_500)
    const { stored } = await arrived(db)
    if (stored < many + warm) say(`stored ${stored} of ${many + warm}`)
    const compared = {
      deliveries: seen.length,
      toEach: rounded(seen.length / many),
      p99Ms: rounded(percentile(seen, 99)),
    }
    atMost(50, {
      name: 'live: webhook acknowledged, p99',
      value: percentile(acknowledged, 99),
      unit: 'ms',
      compared: { p50Ms: rounded(percentile(acknowledged, 50)) },
    })
    atMost(15, { name: "live: inbound to agent's socket, p50", value: percentile(seen, 50), unit: 'ms', compared })
    atMost(60, { name: "live: inbound to agent's socket, p95", value: percentile(seen, 95), unit: 'ms', compared })
  } finally {
    for (const socket of sockets) socket.disconnect()
  }
  await sweep(db)
}

type MessageCreated = { message: { body: string } }
const open = (port: number, token: string, onBody: (body: string) => void) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = io(`http://127.0.0.1:${port}`, {
      transports: ['websocket'],
      auth: { token },
      forceNew: true,
      reconnection: false,
    })
    socket.on('message.created', ({ message }: MessageCreated) => onBody(message.body))
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })
