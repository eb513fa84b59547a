import { log } from '../kit/log.ts'

/** A Redis that says nothing for so long is away: what waits for it goes out here, and a new line is opened. */
const silentMs = 3_000

/** Processes tell each other by Redis. While it is away each goes on serving its own sockets. */
export const redisAdapter = async (url: string) => {
  const [{ createClient }, { createAdapter }] = await Promise.all([
    import('redis'),
    import('@socket.io/redis-streams-adapter'),
  ])
  const client = createClient({
    url,
    disableOfflineQueue: true, // an event does not wait for Redis to come back
    pingInterval: silentMs / 3,
    socket: { socketTimeout: silentMs },
  })
  const duplicate = client.duplicate.bind(client)
  // The adapter's readers do nothing but wait.
  const patient = {
    disableOfflineQueue: false,
    pingInterval: 0,
    socket: { ...client.options.socket, socketTimeout: 0 },
  }
  client.duplicate = () => duplicate(patient)
  client.on('error', (error) => log.warn({ err: error }, 'redis is away; live updates reach only this process'))
  void client.connect().catch(() => {}) // told above
  return createAdapter(client)
}
