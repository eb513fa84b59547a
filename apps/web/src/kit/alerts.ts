import { useSyncExternalStore } from 'react'
import { session } from './session.ts'

/** Something the person should know of, kept in the bell until seen; `to` leads there from where one is then. */
export type Alert = { id: string; title: string; body: string; to: () => string; at: string; isRead: boolean }

const keep = 50
let alerts: readonly Alert[] = []
const listeners = new Set<() => void>()

/** Adds an alert (one per id: a newer one replaces it and moves up), with a sound when the person wants one. */
export const pushAlert = (alert: Omit<Alert, 'isRead' | 'at'>) => {
  set(
    [{ ...alert, at: new Date().toISOString(), isRead: false }, ...alerts.filter((one) => one.id !== alert.id)].slice(
      0,
      keep,
    ),
  )
  if (session.get()?.user.configs.sound) chime()
}

export const readAlerts = (id?: string) =>
  set(alerts.map((one) => (id === undefined || one.id === id ? { ...one, isRead: true } : one)))
export const clearAlerts = () => set([])
export const useAlerts = () => useSyncExternalStore(subscribe, () => alerts)

/** Two soft tones, made here: no file to load. Browsers allow it once the person has touched the page. */
const chime = () => {
  if (!navigator.userActivation?.hasBeenActive) return
  const audio = new AudioContext()
  for (const [index, frequency] of [660, 880].entries()) {
    const start = audio.currentTime + index * 0.12
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, start)
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.28)
    tone.connect(volume).connect(audio.destination)
    tone.start(start)
    tone.stop(start + 0.3)
  }
  setTimeout(() => void audio.close(), 800)
}

const set = (next: readonly Alert[]) => {
  alerts = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
