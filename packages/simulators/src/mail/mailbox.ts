export type Stored = { uid: number; raw: Buffer; at: Date; flags: Set<string> }

/** One folder of a mailbox, as RFC 3501 has it: numbers only grow, and mean something within one validity. */
export const createMailbox = () => {
  const box = { validity: 1_700_000_001, next: 1, messages: [] as Stored[] }
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  return {
    box,
    changed,
    watch: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    deliver: (raw: string | Buffer, at = new Date()) => {
      const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(raw)
      box.messages.push({ uid: box.next, raw: bytes, at, flags: new Set() })
      box.next += 1
      changed()
    },
    /** What a server does after a restore: the same messages under numbers that mean something else. */
    renumber: (first = 1) => {
      box.validity += 1
      box.next = first
      for (const message of box.messages) {
        message.uid = box.next
        box.next += 1
      }
    },
  }
}
export type Mailbox = ReturnType<typeof createMailbox>
