import { AppError } from './errors.ts'

type Waiting = { start: () => void }

/**
 * Runs at most `atOnce` pieces of work, one of each company; companies that wait take turns, so that one with a hundred
 * pieces holds nobody up for longer than the piece in hand. A company with `mostWaiting` in line is asked to come later.
 */
export const createFairTurn = (atOnce: number, mostWaiting = Number.POSITIVE_INFINITY) => {
  const working = new Set<number>()
  /** Its order is the order of the turns. */
  const lines = new Map<number, Waiting[]>()

  const startNext = () => {
    for (const [tenantId, line] of lines) {
      if (working.size >= atOnce) return
      if (working.has(tenantId)) continue
      lines.delete(tenantId)
      const first = line.shift()
      if (line.length) lines.set(tenantId, line)
      working.add(tenantId)
      first?.start()
    }
  }
  const join = (tenantId: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const line = lines.get(tenantId) ?? []
      if (line.length >= mostWaiting) return reject(new AppError('ERR_TOO_MANY', { retryAfterS: 30 }))
      const leave = () => {
        line.splice(line.indexOf(waiting), 1)
        if (!line.length) lines.delete(tenantId)
        reject(signal?.reason)
      }
      const waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      line.push(waiting)
      lines.set(tenantId, line)
      signal?.addEventListener('abort', leave, { once: true })
      startNext()
    })

  return async <T>(tenantId: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted()
    await join(tenantId, signal)
    try {
      return await work()
    } finally {
      working.delete(tenantId)
      startNext()
    }
  }
}

/** Lists that leave the house whole are read page by page; each page waits for its turn. */
export const pageTurn = createFairTurn(2)
