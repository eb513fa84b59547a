import { type RefObject, useEffect, useRef } from 'react'

export type Shortcuts = {
  undo: () => void
  redo: () => void
  remove: () => void
  selectAll: () => void
  search: () => void
  open: () => void
  /** A letter: it goes on in the chosen step's first field. */
  type: () => void
  close: () => void
  add: () => void
  duplicate: () => void
  move: (direction: 'left' | 'right' | 'up' | 'down', by: 'focus' | 'step') => void
  copy: () => string | null
  cut: () => string | null
  /** False: what is on the clipboard is not ours. */
  paste: (text: string) => boolean
}
const arrows = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const

/**
 * The keys of a canvas. They are its own while the focus is on it (or on nothing at all), never in a field: there every
 * key is a letter, and Ctrl+Z takes back what was typed.
 */
export const useShortcuts = (canvas: RefObject<HTMLElement | null>, shortcuts: Shortcuts) => {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const isOurs = () => {
      const at = document.activeElement
      return (
        !at || at === document.body || at === canvas.current?.parentElement || canvas.current?.contains(at) === true
      )
    }
    const isTyping = (event: Event) =>
      event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable="true"]') !== null
    const handleKey = (event: KeyboardEvent) => {
      const { undo, redo, remove, selectAll, search, open, type, close, add, duplicate, move } = latest.current
      if (event.defaultPrevented || isTyping(event) || !isOurs()) return
      const isMod = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      const run = () => {
        if (isMod && key === 'z') return event.shiftKey ? redo : undo
        if (isMod && key === 'y') return redo
        if (isMod && key === 'a') return selectAll
        if (isMod && key === 'f') return search
        if (isMod && key === 'd') return duplicate
        if (isMod) return undefined
        if (key === 'delete' || key === 'backspace') return remove
        if (key === 'enter' && event.target === canvas.current) return open
        if (key === 'escape') return close
        if (key === '+' || key === 'insert') return add
        if (/^[\p{L}\p{N}]$/u.test(event.key) && !event.altKey && event.target === canvas.current) {
          type() // the focus has moved by now, and the letter falls there
          return undefined
        }
        const direction = arrows[event.key as keyof typeof arrows]
        return direction && (() => move(direction, event.shiftKey ? 'step' : 'focus'))
      }
      const act = run()
      if (!act) return
      event.preventDefault()
      act()
    }
    const carry = (take: () => string | null) => (event: ClipboardEvent) => {
      if (isTyping(event) || !isOurs() || String(getSelection())) return
      const text = take()
      if (!text) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
    }
    const handleCopy = carry(() => latest.current.copy())
    const handleCut = carry(() => latest.current.cut())
    const handlePaste = (event: ClipboardEvent) => {
      if (isTyping(event) || !isOurs()) return
      if (latest.current.paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault()
    }
    document.addEventListener('keydown', handleKey)
    document.addEventListener('copy', handleCopy)
    document.addEventListener('cut', handleCut)
    document.addEventListener('paste', handlePaste)
    return () => {
      document.removeEventListener('keydown', handleKey)
      document.removeEventListener('copy', handleCopy)
      document.removeEventListener('cut', handleCut)
      document.removeEventListener('paste', handlePaste)
    }
  }, [canvas])
}
