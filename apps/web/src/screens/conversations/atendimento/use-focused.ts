import { useSyncExternalStore } from 'react'

/** True while somebody can be looking: the window has the focus and is not hidden. */
export const useFocused = () => useSyncExternalStore(subscribe, isFocused)

const isFocused = () => !document.hidden && document.hasFocus()

const subscribe = (listener: () => void) => {
  const events = ['focus', 'blur'] as const
  for (const name of events) window.addEventListener(name, listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    for (const name of events) window.removeEventListener(name, listener)
    document.removeEventListener('visibilitychange', listener)
  }
}
