import type { EventName, EventPayload } from '@balcao/contract/events.ts'
import type { QueryClient } from '@tanstack/react-query'

/**
 * What a feature does to the cache when the server tells a fact. One table per feature, in its `live.ts`, registered
 * once in `app/live.ts`; components never listen to sockets.
 */
export type Live = { [Name in EventName]?: (cache: QueryClient, payload: EventPayload<Name>) => void }

const calmMs = 400
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/** Every ResourceScreen at once: `tag.updated` renews the lists of `tag`. A burst of events costs one reading. */
export const renewResource = (cache: QueryClient, eventName: string) => {
  const [noun = '', verb = ''] = eventName.split('.')
  if (!['created', 'updated', 'deleted'].includes(verb) || waiting.has(noun)) return
  const renew = () => {
    waiting.delete(noun)
    void cache.invalidateQueries({ queryKey: ['resource', noun] })
  }
  waiting.set(noun, setTimeout(renew, calmMs))
}
