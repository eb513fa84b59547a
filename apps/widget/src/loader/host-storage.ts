import { isRecord, type Slots } from '../protocol.ts'
import type { Look } from './launcher.ts'

/**
 * What one channel keeps in the host page's localStorage: the resume token at `balcao:{key}` and small named slots
 * at `balcao:{key}:{slot}`. A page that refuses storage still gets a chat; it only forgets on reload.
 */
export const createHostStorage = (channelKey: string) => {
  const root = `balcao:${channelKey}`
  const memory = new Map<string, string>()

  const read = (key: string): string | null => attempt(() => localStorage.getItem(key)) ?? memory.get(key) ?? null

  const write = (key: string, value: string | null): void => {
    if (value === null) {
      memory.delete(key)
      attempt(() => localStorage.removeItem(key))
      return
    }
    const isKept = attempt(() => {
      localStorage.setItem(key, value)
      return true
    })
    if (isKept) memory.delete(key)
    else memory.set(key, value)
  }

  const keys = (): string[] => [...new Set([...(attempt(() => Object.keys(localStorage)) ?? []), ...memory.keys()])]

  return {
    readToken: () => read(root),
    writeToken: (token: string | null) => write(root, token),
    readSlots(): Slots {
      const prefix = `${root}:`
      const found = keys().filter((key) => key.startsWith(prefix))
      return Object.fromEntries(found.map((key) => [key.slice(prefix.length), read(key) ?? '']))
    },
    writeSlot(name: string, value: string | null) {
      if (/^[\w-]{1,80}$/.test(name)) write(`${root}:${name}`, value)
    },
    clear() {
      for (const key of keys()) if (key === root || key.startsWith(`${root}:`)) write(key, null)
    },
  }
}

/** The launcher's last known look, so that it appears as it will be before anything is loaded; written by us alone. */
export const parseLook = (text: string | undefined): Partial<Look> => {
  const value = attempt((): unknown => JSON.parse(text ?? ''))
  return isRecord(value) ? value : {}
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined // storage refused by the browser, full, or not JSON
  }
}
