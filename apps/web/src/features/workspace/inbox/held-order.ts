import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'

const restMs = 900

/** True while the pointer moves over the element, and for a moment after: somebody is about to click there. */
export const useAiming = (frame: RefObject<HTMLElement | null>): boolean => {
  const [isAiming, setAiming] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const rest = () => {
      clearTimeout(timer)
      setAiming(false)
    }
    const aim = () => {
      clearTimeout(timer)
      timer = setTimeout(rest, restMs)
      setAiming(true)
    }
    const end = new AbortController()
    const options = { passive: true, signal: end.signal }
    element.addEventListener('pointermove', aim, options)
    element.addEventListener('pointerdown', aim, options)
    element.addEventListener('pointerleave', rest, options)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [frame])
  return isAiming
}

type Row = { id: string }
/** The rows in the order they had when it began to be held: none comes under the pointer in place of another. */
export const useHeldOrder = <T extends Row>(rows: readonly T[], isAiming: boolean, place: string): readonly T[] => {
  const before = useRef<{ place: string; ids: readonly string[] }>({ place, ids: [] })
  const isHeld = isAiming && before.current.place === place
  if (!isHeld) before.current = { place, ids: rows.map(({ id }) => id) }
  const { ids } = before.current
  return useMemo(() => (isHeld ? inOrder(ids, rows) : rows), [isHeld, ids, rows])
}

/** Those of before where they stood; of the others only what comes below them all. */
export const inOrder = <T extends Row>(order: readonly string[], rows: readonly T[]): T[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const known = new Set(order)
  const lastKnown = rows.findLastIndex(({ id }) => known.has(id))
  return [...order.flatMap((id) => byId.get(id) ?? []), ...rows.slice(lastKnown + 1)]
}
