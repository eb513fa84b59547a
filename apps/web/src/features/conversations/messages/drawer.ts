import { session } from '../../../kit/session.ts'

/** Who is at this device, and in which company: nobody else who logs in here reads or sends what they left. */
export const ownerOf = () => {
  const now = session.get()
  return now ? `${now.user.tenantId}:${now.userId}` : ''
}

/** Runs when somebody else, or nobody, is at this device: what a page remembers is not theirs. */
export const onOwnerChange = (handle: () => void) => {
  let owner = ownerOf()
  session.subscribe(() => {
    if (ownerOf() === owner) return
    owner = ownerOf()
    handle()
  })
}

/** What the person at this device wrote, each thing under its id: it outlives a reload and is the same in every page. */
export const createDrawer = (name: string) => {
  const prefix = () => `${name}:${ownerOf()}:`
  const ids = () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix()))
      .map((key) => key.slice(prefix().length))
      .toSorted()
  const remove = (id: string) => localStorage.removeItem(prefix() + id)
  return {
    ids,
    has: (id: string) => localStorage.getItem(prefix() + id) !== null,
    read: (id: string) => parse(localStorage.getItem(prefix() + id)),
    /** False when the device is full: it lasts as long as this page. */
    write: (id: string, value: unknown): boolean => {
      try {
        localStorage.setItem(prefix() + id, JSON.stringify(value))
        return true
      } catch {
        return false
      }
    },
    remove,
    empty: () => ids().forEach(remove),
    /** Another page of this browser wrote, or removed, when there is nothing to read any more. */
    onChange: (handle: (id: string) => void) =>
      window.addEventListener('storage', ({ key }) => {
        if (key?.startsWith(prefix())) handle(key.slice(prefix().length))
      }),
  }
}

const parse = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
