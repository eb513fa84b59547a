import { useEffect, useSyncExternalStore } from 'react'
import { nowMs, onOtherTime } from './server-time.ts'

const everyMs = 20_000
const listeners = new Set<() => void>()
/** Moments at which somebody's picture changes, each with how many wait for it. */
const awaited = new Map<number, number>()
let now = nowMs()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * The present moment, renewed every 20 s by one shared timer however many readers there are, and at the very moment
 * `at` when a reader names one.
 */
export const useNow = (at: number | null = null) => {
  useEffect(() => {
    if (at !== null) return expect(at)
  }, [at])
  return useSyncExternalStore(subscribe, () => now)
}

const expect = (at: number) => {
  awaited.set(at, (awaited.get(at) ?? 0) + 1)
  plan()
  return () => {
    const left = (awaited.get(at) ?? 1) - 1
    if (left) awaited.set(at, left)
    else awaited.delete(at)
  }
}

const subscribe = (listener: () => void) => {
  if (listeners.size === 0) {
    now = nowMs()
    plan()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

const plan = () => {
  clearTimeout(timer)
  const moment = nowMs()
  const next = Math.min(moment + everyMs, ...[...awaited.keys()].filter((at) => at > moment))
  timer = setTimeout(tick, next - moment)
}

const tick = () => {
  now = nowMs()
  plan()
  for (const listener of listeners) listener()
}

// At the end: it needs everything above.
onOtherTime(() => {
  if (listeners.size > 0) tick()
})
