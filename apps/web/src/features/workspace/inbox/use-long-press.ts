import { type MouseEvent, type TouchEvent, useRef } from 'react'

const afterMs = 500

/** A finger that rests does what the right button does; the click that follows is swallowed. */
export const useLongPress = (onPress: (at: { x: number; y: number }) => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hasPressed = useRef(false)
  const end = () => clearTimeout(timer.current)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      hasPressed.current = false
      end()
      if (!touch || touches.length > 1) return
      const at = { x: touch.clientX, y: touch.clientY }
      timer.current = setTimeout(() => {
        hasPressed.current = true
        onPress(at)
      }, afterMs)
    },
    onTouchMove: end,
    onTouchEnd: end,
    onTouchCancel: end,
    onClickCapture: (event: MouseEvent) => {
      if (!hasPressed.current) return
      hasPressed.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
