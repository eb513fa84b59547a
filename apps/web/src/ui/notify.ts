import { useSyncExternalStore } from 'react'

export type Tone = 'success' | 'error' | 'info' | 'warning'
/** What can be done about it from the toast, e.g. "Desfazer". */
export type ToastAction = { label: string; onClick: () => void }
export type Toast = { id: number; tone: Tone; message: string; staysMs: number; action?: ToastAction }

const stays: Record<Tone, number> = { success: 3_500, info: 5_000, error: 6_000, warning: 6_000 }
/** A toast that offers something stays long enough to decide; the next one takes its place: only the last act is undone. */
const staysToActMs = 8_000
const most = 4

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

/** The toasts of the product, from anywhere. A text is on the screen once, however often it is told. */
export const notify = {
  success: (message: string, action?: ToastAction) => show('success', message, action),
  error: (message: string) => show('error', message),
  info: (message: string, action?: ToastAction) => show('info', message, action),
  /** A warning at the top, with a bar that shows how long it stays. */
  warning: (message: string) => show('warning', message),
}

export const dismissToast = (id: number) => set(toasts.filter((toast) => toast.id !== id))
export const useToasts = () => useSyncExternalStore(subscribe, () => toasts)

const show = (tone: Tone, message: string, action?: ToastAction) => {
  const others = toasts.filter(
    (toast) => toast.tone !== tone || (toast.message !== message && !(action && toast.action)),
  )
  const staysMs = action ? staysToActMs : stays[tone]
  const id = nextId++
  set([...others, { id, tone, message, staysMs, action }].slice(-most))
  return id
}

const set = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
