let aheadMs = 0
const listeners = new Set<() => void>()

/** The present moment by the server's clock: many a computer's own is wrong by an hour or by a day. */
export const nowMs = () => Date.now() + aheadMs

/**
 * An answer was written at `stamp` (in whole seconds), between two moments of this computer's clock. What fits them
 * changes nothing, so that a clock that is right is left alone.
 */
export const heardServerTime = (stamp: number, sentAt: number, receivedAt: number) => {
  if (Number.isNaN(stamp)) return
  const fitting = Math.min(Math.max(aheadMs, stamp - receivedAt), stamp + 1_000 - sentAt)
  const isNoticed = Math.abs(fitting - aheadMs) > noticedMs
  aheadMs = fitting
  if (isNoticed) for (const listener of listeners) listener()
}
const noticedMs = 5_000

/** Somebody shows the time, and is told when it turns out to be another. */
export const onOtherTime = (listener: () => void) => listeners.add(listener)
