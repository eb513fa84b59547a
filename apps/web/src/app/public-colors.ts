import { useSyncExternalStore } from 'react'
import { api } from '../kit/api.ts'

type NamedColor = { label: string; value: string }

const key = 'publicSystemColors'
let colors: NamedColor[] | undefined
const listeners = new Set<() => void>()

/** The installation's colours, for screens before the login; kept so that the next visit begins with them. */
export const usePublicColors = () => useSyncExternalStore(subscribe, current)

/** A list of colour maps, applied as style variables and stored. */
export const loadPublicColors = async () => {
  const answer = await api.get<unknown>('/publicSystemColors', { quiet: true }).catch(() => null) // the page is whole without it
  if (!Array.isArray(answer)) return
  colors = answer.flatMap(namedColors)
  localStorage.setItem(key, JSON.stringify(colors))
  for (const color of colors) document.documentElement.style.setProperty(`--tenant-${color.label}`, color.value)
  for (const listener of listeners) listener()
}

const current = () => {
  colors ??= stored()
  return colors
}

/** `{ label, value }`, or a map of names to values. */
const namedColors = (entry: unknown): NamedColor[] => {
  if (typeof entry !== 'object' || entry === null) return []
  if ('label' in entry && 'value' in entry) return [{ label: String(entry.label), value: String(entry.value) }]
  return Object.entries(entry).map(([label, value]) => ({ label, value: String(value) }))
}

const stored = (): NamedColor[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.flatMap(namedColors) : []
  } catch {
    return []
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
