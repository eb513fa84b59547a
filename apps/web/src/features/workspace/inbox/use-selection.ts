import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

const none: ReadonlySet<string> = new Set()

/** Rows chosen for one act; with Shift everything from the last one chosen. `ids` is the order on screen. */
export const useSelection = (ids: readonly string[]) => {
  const [chosen, setChosen] = useState(none)
  const anchor = useRef<string | null>(null)
  const order = useRef(ids)
  useEffect(() => {
    order.current = ids
  }, [ids])
  // What left the list is no longer chosen.
  const selected = useMemo(() => {
    if (chosen.size === 0) return none
    const there = new Set(ids)
    return new Set([...chosen].filter((id) => there.has(id)))
  }, [chosen, ids])

  const toggle = useCallback((id: string, withRange: boolean) => {
    const from = order.current.indexOf(anchor.current ?? '')
    const to = order.current.indexOf(id)
    const range = withRange && from !== -1 && to !== -1
    const picked = range ? order.current.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    anchor.current = id
    setChosen((now) => {
      const next = new Set(now)
      for (const one of picked) {
        if (!range && next.has(one)) next.delete(one)
        else next.add(one)
      }
      return next
    })
  }, [])
  const clear = useCallback(() => setChosen(none), [])
  return { selected, toggle, clear }
}
