import { useEffect, useRef } from 'react'

/** Single keys as shortcuts: not while somebody types, nor while a dialog or menu has the keyboard. */
export const useKeys = (keys: Record<string, () => void>) => {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (event.target instanceof HTMLElement && isBusy(event.target)) return
      const key = event.key.toLowerCase()
      // Wherever something has the focus, the arrows are its own.
      if (key.startsWith('arrow') && event.target !== document.body) return
      const act = latest.current[key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [])
}

const isBusy = (target: HTMLElement) =>
  target.isContentEditable ||
  target.closest(
    'input:not([type=checkbox], [type=range]), textarea, select, [role=dialog], [role=menu], [role=listbox]',
  ) !== null
