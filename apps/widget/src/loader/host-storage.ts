import { isRecord, type Slots } from '../protocol.ts'

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

/** The launcher's last known look, so that it appears in the right colour before the chat is loaded. */
export const parseLook = (text: string | undefined): { color?: string; position?: string } => {
  const value = attempt((): unknown => JSON.parse(text ?? '{}'))
  if (!isRecord(value)) return {}
  return {
    color: typeof value.color === 'string' ? value.color : undefined,
    position: typeof value.position === 'string' ? value.position : undefined,
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined // storage refused by the browser, full, or not JSON
  }
}
