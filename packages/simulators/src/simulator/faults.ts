import type { RecordedRequest } from './record.ts'

/** What goes wrong with the next matching request(s). */
export type Fault = {
  /** Answer with this status. Without it the request is handled normally, after `delayMs`. */
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delayMs?: number
  /** How many requests it hits; default 1. */
  times?: number
  /** Part of the path, a pattern on it, or a predicate; default every request. */
  match?: string | RegExp | ((request: RecordedRequest) => boolean)
  /** Do the work, record the message, and only then answer `status`, or cut the connection when there is none. */
  afterAccepting?: boolean
  /** Whatever the answer, it is not given before this. */
  answersAfter?: Promise<unknown>
  /** Cut the connection before doing anything. */
  drop?: boolean
}

/** A fault a person can choose on the phone page. */
export type KnownFault = { id: string; label: string; fault: Fault }

export type FaultControl = {
  /** Queues a fault; the first queued fault that matches a request hits it. */
  next(fault: Fault): void
  clear(): void
  /** How many requests are still going to fail. */
  readonly pending: number
  /** Delay of every answer. */
  latencyMs: number
}

export type Faults = FaultControl & { take(request: RecordedRequest): Fault | undefined }

export function createFaults(): Faults {
  let queue: { fault: Fault; left: number }[] = []
  return {
    latencyMs: 0,
    next: (fault) => void queue.push({ fault, left: fault.times ?? 1 }),
    clear: () => {
      queue = []
    },
    get pending() {
      return queue.reduce((sum, entry) => sum + entry.left, 0)
    },
    take: (request) => {
      const entry = queue.find(({ fault }) => matches(fault.match, request))
      if (entry && --entry.left <= 0) queue = queue.filter((other) => other !== entry)
      return entry?.fault
    },
  }
}

const matches = (match: Fault['match'], request: RecordedRequest): boolean => {
  if (match === undefined) return true
  if (typeof match === 'string') return request.path.includes(match)
  return match instanceof RegExp ? match.test(request.path) : match(request)
}
