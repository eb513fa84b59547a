import { log } from '../kit/log.ts'

/** Processes tell each other by Redis. While it is away each goes on serving its own sockets. */
export const redisAdapter = async (url: string) => {
  const [{ createClient }, { createAdapter }] = await Promise.all([
    import('redis'),
    import('@socket.io/redis-streams-adapter'),
  ])
  const client = createClient({ url, disableOfflineQueue: true }) // an event does not wait for Redis to come back
  const duplicate = client.duplicate.bind(client)
  client.duplicate = () => duplicate({ disableOfflineQueue: false }) // the adapter's reader does nothing but wait
  client.on('error', (error) => log.warn({ err: error }, 'redis is away; live updates reach only this process'))
  void client.connect().catch(() => {}) // told above
  return createAdapter(client)
}
