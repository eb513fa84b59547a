import { type PointerEvent, useRef } from 'react'

const holdMs = 450
const slackPx = 10

/** A finger that rests on something; a mouse has its own ways. */
export const useLongPress = (onHold: (target: HTMLElement) => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const start = useRef({ x: 0, y: 0 })
  const stop = () => clearTimeout(timer.current)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'touch') return
      const target = event.currentTarget
      start.current = { x: event.clientX, y: event.clientY }
      stop()
      timer.current = setTimeout(() => onHold(target), holdMs)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > slackPx) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  }
}
