import { log } from '../log.ts'
import type { Carrier, Hearer } from './signals.ts'

const channel = 'balcao:signals'

/** Published and forgotten: while Redis is away everybody looks by the clock. */
export const signalsByRedis =
  (url: string) =>
  ({ hear, opened }: Hearer): Carrier => {
    const opening = open(url, { hear, opened })
    opening.catch((error) => log.error({ err: error }, 'signals: no Redis client'))
    return {
      send: async (texts) => {
        const { speaker } = await opening
        if (speaker.isReady) await Promise.all(texts.map((text) => speaker.publish(channel, text)))
      },
      stop: async () => {
        const { speaker, listener } = await opening
        speaker.destroy()
        listener.destroy()
      },
    }
  }

const open = async (url: string, { hear, opened }: Hearer) => {
  const { createClient } = await import('redis')
  const speaker = createClient({ url, disableOfflineQueue: true })
  const listener = speaker.duplicate({ disableOfflineQueue: false })
  for (const client of [speaker, listener]) client.on('error', () => {}) // told by the sockets' client
  let isHeard = false
  const tellOpened = () => {
    if (isHeard && speaker.isReady) opened()
  }
  speaker.on('ready', tellOpened)
  listener.on('ready', tellOpened)
  void listener
    .connect()
    .then(() => listener.subscribe(channel, hear))
    .then(() => {
      isHeard = true
      tellOpened()
    })
    .catch(() => {})
  void speaker.connect().catch(() => {})
  return { speaker, listener }
}
