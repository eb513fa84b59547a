import type { Distribution } from '@balcao/contract/service/queues.ts'

/** Somebody who may be handed a conversation of a queue. */
export type Candidate = {
  userId: string
  /** Conversations that are theirs now, accepted or not. */
  load: number
  capacity: number | null
  /** When a conversation of this queue was last handed to them. */
  lastAssignedAt: Date | null
}

/**
 * The next person by the queue's way of distributing; nobody when all are full. Whoever let it pass before (`previous`)
 * gets it again only when there is nobody else.
 */
export const choose = <C extends Candidate>(
  way: Exclude<Distribution, 'none'>,
  candidates: readonly C[],
  previous: string | null,
): C | undefined => {
  const free = candidates.filter(({ load, capacity }) => capacity === null || load < capacity)
  const others = free.filter(({ userId }) => userId !== previous)
  const among = others.length ? others : free
  if (way === 'random') return among[Math.floor(Math.random() * among.length)]
  return among.toSorted(orders[way])[0]
}

const waitsLongest = (a: Candidate, b: Candidate) =>
  (a.lastAssignedAt?.getTime() ?? 0) - (b.lastAssignedAt?.getTime() ?? 0) || (a.userId < b.userId ? -1 : 1)
const orders = {
  fewest: (a: Candidate, b: Candidate) => a.load - b.load || waitsLongest(a, b),
  roundRobin: waitsLongest,
}
