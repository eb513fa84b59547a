import { Loader, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import classes from './loading-overlay.module.css'

const showAfterMs = 2000
const hideAfterMs = 1000
const defaultMessage = 'Estamos trabalhando...'

let visible: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Seen only when what blocks takes more than 2 s, and gone 1 s after it ended. */
export const loadingOverlay = {
  show: (message = defaultMessage) => schedule(message, visible === null ? showAfterMs : 0),
  hide: () => schedule(null, visible === null ? 0 : hideAfterMs),
  /** Covers the screen while the work runs, by the rule above. */
  during: async <T,>(work: Promise<T>, message?: string): Promise<T> => {
    loadingOverlay.show(message)
    try {
      return await work
    } finally {
      loadingOverlay.hide()
    }
  },
}

export const LoadingOverlay = () => {
  const message = useSyncExternalStore(subscribe, () => visible)
  if (message === null) return null
  return (
    <div className={classes.overlay} role="status" aria-live="assertive">
      <Loader size={150} />
      <Text fw={500}>{message}</Text>
    </div>
  )
}

const schedule = (message: string | null, afterMs: number) => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    visible = message
    for (const listener of listeners) listener()
  }, afterMs)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
