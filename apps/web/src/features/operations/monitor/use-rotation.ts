import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useState } from 'react'

const pageMs = 10_000
/** Few rows are written larger, as far as their columns allow. */
const largest = 1.3

/**
 * Nobody scrolls a television: rows that have no room take turns, some seconds each, until somebody stops them. On a
 * small window all of them are there, and the page scrolls. Heights are in letters, as the styles have them.
 */
export const useRotation = <Row>(
  rows: readonly Row[],
  now: number,
  { rowEm, headEm }: { rowEm: number; headEm: number },
) => {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY)
  const [stoppedAt, setStoppedAt] = useState<number | null>(null)
  const isWall = useMediaQuery('(min-width: 75em) and (min-height: 37.5em)')
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const letter = getComputedStyle(element.parentElement ?? element)
    const measure = () => setRoom(element.clientHeight / Number.parseFloat(letter.fontSize))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const perPage = isWall ? Math.max(1, Math.floor((room - headEm) / rowEm)) : Number.POSITIVE_INFINITY
  const pages = Math.max(1, Math.ceil(rows.length / perPage))
  const page = stoppedAt === null ? Math.floor(now / pageMs) % pages : Math.min(stoppedAt, pages - 1)
  const scale = isWall ? Math.min(largest, Math.max(1, room / (headEm + rowEm * rows.length))) : 1
  return {
    ref,
    fontSize: `${scale}em`,
    shown: pages === 1 ? rows : rows.slice(page * perPage, (page + 1) * perPage),
    page,
    pages,
    isStopped: stoppedAt !== null,
    toggle: () => setStoppedAt(stoppedAt === null ? page : null),
  }
}
