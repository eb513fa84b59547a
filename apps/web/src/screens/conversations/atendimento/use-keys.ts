import { useEffect, useRef } from 'react'
import { createTyping, meaningOf, type Zone } from './keys.ts'

type Given = {
  /** Single keys as shortcuts. */
  keys: Record<string, () => void>
  canType: () => boolean
  /** Puts the keyboard where one writes: the letter lands there. */
  onType: () => void
  /** A conversation is on its way to the keyboard: what is typed now is meant for it, and kept there. */
  keepsEarly: (letter: string) => boolean
}

/** Keys pressed while nobody types in a field and no dialog or menu has the keyboard. */
export const useKeys = (given: Given) => {
  const latest = useRef(given)
  useEffect(() => {
    latest.current = given
  })
  useEffect(() => {
    let [lastInput, focusedBy] = ['key', 'key']
    const typing = createTyping()
    const notePointer = () => {
      lastInput = 'pointer'
      typing.stops()
    }
    const noteKey = () => {
      lastInput = 'key'
    }
    const noteFocus = () => {
      focusedBy = lastInput
    }
    const handle = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : document.body
      if (isBusy(target)) return typing.wasInField(event.key, Date.now())
      if (isBehindDialog(target)) return
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (target === document.body && typing.goesOn(event.key, Date.now())) return event.preventDefault()
      const { keys, canType, onType, keepsEarly } = latest.current
      const key = event.key.toLowerCase()
      if (key.startsWith('arrow') && target !== document.body) return
      if (key.length === 1 && keepsEarly(event.key)) return event.preventDefault()
      if (key === ' ' && target.closest('a, button, input') !== null) return
      const act = keys[key]
      const zone = zoneOf(target, focusedBy === 'key')
      const press = { key: event.key, zone, isShortcut: act !== undefined, isRepeat: event.repeat, canType: canType() }
      const meaning = meaningOf(press)
      if (meaning === 'text') return onType()
      if (meaning === 'nothing' || !act) return
      event.preventDefault()
      act()
    }
    const end = new AbortController()
    const { signal } = end
    window.addEventListener('pointerdown', notePointer, { capture: true, signal })
    window.addEventListener('keydown', noteKey, { capture: true, signal })
    window.addEventListener('focusin', noteFocus, { signal })
    window.addEventListener('keydown', handle, { signal })
    return () => end.abort()
  }, [])
}

/** With Ctrl (or ⌘) they work while one writes, too; false leaves the key to the browser. */
export const useCtrlKeys = (keys: Record<string, (event: KeyboardEvent) => boolean>) => {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return
      const target = event.target instanceof Element ? event.target : document.body
      if (target.closest('[role=dialog]') || isBehindDialog(target)) return
      const act = latest.current[`${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`]
      if (act?.(event)) event.preventDefault()
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [])
}

/** Whoever presses beside an open dialog has the keyboard nowhere, and means nothing on the screen behind it. */
const isBehindDialog = (target: Element) =>
  document.querySelector('[aria-modal=true]') !== null && target.closest('[aria-modal=true]') === null

/** Clicked, the frame is only where the mouse was; reached by keyboard, or left for it with Esc, its letters are shortcuts. */
const zoneOf = (target: HTMLElement, isByKey: boolean): Zone => {
  if (target.closest('[data-keys=list]')) return 'list'
  return isByKey && target.matches('[data-keys=frame], [data-keys=frame] [role=log]') ? 'frame' : 'elsewhere'
}

/** Keys pressed there are its own. */
export const isBusy = (target: Element) =>
  (target instanceof HTMLElement && target.isContentEditable) ||
  target.closest(
    'input:not([type=checkbox], [type=range]), textarea, select, [role=dialog], [role=menu], [role=listbox]',
  ) !== null
