/** Kinds of work by what they may take of the database: nobody's searches stop anybody's messages. */
export type Kind = 'live' | 'background' | 'search' | 'report'
/** Whose work it is; `userId` where a person may ask again and again. */
export type Owner = { tenantId: number; userId?: string }

type Limits = {
  /** Connections all of this kind may hold, and those one company may hold, of a pool of `size`. */
  inAll: (size: number) => number
  perTenant: (size: number) => number
  /** In hand and waiting, of one person: one more, and their oldest that waits is given up. */
  perPerson: number
  waitMs: number
  /** A statement that takes longer is ended. */
  statementMs: number
  /** What one of its steps may sort or hash in memory, where it is more than the database's own. */
  workMemory?: string
  /** Its statements take one process each: those PostgreSQL would add do not give way as their connection does. */
  isAlone?: true
}
const part = (of: number) => (size: number) => Math.max(1, Math.floor(size * of))

export const limits: Record<Kind, Limits> = {
  // A company always leaves a quarter to the others; searches leave three quarters to live work.
  live: { inAll: part(1), perTenant: part(3 / 4), perPerson: Infinity, waitMs: 10_000, statementMs: 30_000 },
  // What happens by itself has its own few connections, and patience.
  background: { inAll: part(1 / 4), perTenant: part(3 / 16), perPerson: Infinity, waitMs: 60_000, statementMs: 60_000 },
  search: { inAll: part(1 / 4), perTenant: part(1 / 8), perPerson: 8, waitMs: 5_000, statementMs: 5_000 },
  // Two at once: what is grouped stays in memory.
  report: {
    inAll: part(1 / 8),
    perTenant: part(1 / 16),
    perPerson: 4,
    waitMs: 20_000,
    statementMs: 60_000,
    workMemory: '64MB',
    isAlone: true,
  },
}

/** There is no room in this kind's share just now. */
export class ShareTaken extends Error {
  readonly kind: Kind
  constructor(kind: Kind) {
    super(`No room left for ${kind} work`)
    this.kind = kind
  }
}

type Waiter = { owner: Owner; person: string | undefined; start: () => void; giveUp: () => void }

/** Hands out the places of one kind; whoever has the fewest gets the next one that is free. */
export const createShare = (kind: Kind, size: number) => {
  const { inAll, perTenant, perPerson, waitMs } = limits[kind]
  const [mostInAll, mostPerTenant] = [inAll(size), perTenant(size)]
  const running = new Map<number, number>()
  const asking = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let total = 0

  const of = (tenantId: number) => running.get(tenantId) ?? 0
  const isRoomFor = ({ tenantId }: Owner) => total < mostInAll && of(tenantId) < mostPerTenant
  const begin = ({ tenantId }: Owner) => {
    total += 1
    running.set(tenantId, of(tenantId) + 1)
  }
  const end = ({ tenantId }: Owner) => {
    total -= 1
    addTo(running, tenantId, -1)
    let next: Waiter | undefined
    for (const one of waiting)
      if (isRoomFor(one.owner) && (!next || of(one.owner.tenantId) < of(next.owner.tenantId))) next = one
    next?.start()
  }
  const wait = (owner: Owner, person: string | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        waiting.delete(waiter)
      }
      const waiter: Waiter = {
        owner,
        person,
        start: () => {
          leave()
          begin(owner)
          resolve()
        },
        giveUp: () => {
          leave()
          reject(new ShareTaken(kind))
        },
      }
      const timer = setTimeout(waiter.giveUp, waitMs)
      waiting.add(waiter)
    })

  return async <T>(owner: Owner, work: () => Promise<T>): Promise<T> => {
    const person = owner.userId && `${owner.tenantId} ${owner.userId}`
    if (person && (asking.get(person) ?? 0) >= perPerson) {
      // Who types on no longer wants the answer to the first letters.
      const oldest = [...waiting].find((one) => one.person === person)
      if (!oldest) throw new ShareTaken(kind)
      oldest.giveUp()
    }
    if (person) addTo(asking, person, 1)
    try {
      if (isRoomFor(owner)) begin(owner)
      else await wait(owner, person)
      try {
        return await work()
      } finally {
        end(owner)
      }
    } finally {
      if (person) addTo(asking, person, -1)
    }
  }
}
export type Share = ReturnType<typeof createShare>

const addTo = <Key>(counts: Map<Key, number>, key: Key, by: number) => {
  const now = (counts.get(key) ?? 0) + by
  if (now) counts.set(key, now)
  else counts.delete(key)
}
