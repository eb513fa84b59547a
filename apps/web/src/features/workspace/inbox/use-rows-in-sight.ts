import { type RefObject, useLayoutEffect, useState } from 'react'

/** So many beyond what is in sight, on either side. */
const overscan = 5

type Rows = { count: number; rowPx: number; above: number }

/** Of rows of one height, `above` which other things stand in the frame: the first and last index to draw. */
export const useRowsInSight = (frame: RefObject<HTMLElement | null>, { count, rowPx, above }: Rows) => {
  const [first, setFirst] = useState(0)
  const [fitting, setFitting] = useState(0)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const look = () => {
      setFirst(Math.floor((element.scrollTop - above) / rowPx))
      setFitting(Math.ceil(element.clientHeight / rowPx))
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [frame, rowPx, above])
  return { from: Math.max(0, first - overscan), to: Math.min(count - 1, first + fitting + overscan) }
}
