import { useEffect, useRef, useState } from 'react'

const nearPx = 60

/**
 * Keeps the end of the conversation in sight while the room for it or the text in it changes: a quote over the
 * composer, the panel beside it, a picture that arrives. Only the reader's own scrolling leaves the end.
 */
export const useStickToEnd = (beginsAtEnd: boolean, isOff: boolean) => {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const sticks = useRef(beginsAtEnd)
  useEffect(() => {
    if (!scroller || isOff) return
    let known = sizeOf(scroller)
    // The room for the rows is as tall as the list itself; what grows with the text stands inside it.
    const room = scroller.firstElementChild
    const watchParts = () => {
      for (const part of room?.children ?? []) watcher.observe(part)
    }
    const stick = () => {
      known = sizeOf(scroller)
      watchParts()
      if (sticks.current) scroller.scrollTop = scroller.scrollHeight
    }
    const handleScroll = () => {
      const size = sizeOf(scroller)
      // A scroll that comes with another size is the layout's doing.
      if (size !== known) return stick()
      sticks.current = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < nearPx
    }
    const watcher = new ResizeObserver(stick)
    watcher.observe(scroller)
    if (room) watcher.observe(room)
    watchParts()
    scroller.addEventListener('scroll', handleScroll, { passive: true })
    return () => {
      watcher.disconnect()
      scroller.removeEventListener('scroll', handleScroll)
    }
  }, [scroller, isOff])
  return (element: HTMLElement | Window | null) => setScroller(element instanceof HTMLElement ? element : null)
}

const sizeOf = ({ scrollHeight, clientHeight, clientWidth }: HTMLElement) =>
  `${scrollHeight}/${clientHeight}/${clientWidth}`
