import { useSyncExternalStore } from 'react'
import { createDrawer, onOwnerChange } from './drawer.ts'
import { asOutgoing, type Outgoing } from './outbox-state.ts'

const drawer = createDrawer('naoEnviada')
let entries: readonly Outgoing[] = []
const kept = new Set<string>()
const leaving = new Map<string, () => void>()
const listeners = new Set<() => void>()

/** What is on its way from this browser, oldest first. */
export const outgoing = () => entries
export const useOutgoing = () => useSyncExternalStore(subscribe, outgoing)

export const findEntry = (id: string) => entries.find((entry) => entry.message.id === id)

export const putEntry = (entry: Outgoing) => {
  if (drawer.write(entry.message.id, entry)) kept.add(entry.message.id)
  show(entry)
}

export const removeEntry = (id: string) => {
  drawer.remove(id)
  hide(id)
}

export const removeEntries = () => {
  drawer.empty()
  hideAll()
}

/** Another page of this browser took it back, or sent it: true, and it is forgotten here too. */
export const isGone = ({ message: { id } }: Outgoing): boolean => {
  const isGone = kept.has(id) && !drawer.has(id)
  if (isGone) hide(id)
  return isGone
}

/** Resolves when a message is no longer on its way: the server has it, or it was taken back. */
export const left = (id: string) => new Promise<void>((resolve) => leaving.set(id, resolve))

/** Brings back what this person left unsent here, now and whenever somebody else logs in; then hears the other pages. */
export const watchEntries = (adopt: (entry: Outgoing) => void) => {
  const hear = (id: string) => {
    const entry = asOutgoing(drawer.read(id))
    if (!entry) return hide(id)
    const isNew = !findEntry(id)
    kept.add(id)
    show(entry)
    if (isNew) adopt(entry)
  }
  // The ids are UUIDv7: their order is that of writing.
  const restore = () => drawer.ids().forEach(hear)
  drawer.onChange(hear)
  onOwnerChange(() => {
    hideAll()
    restore()
  })
  restore()
}

const show = (entry: Outgoing) => {
  const known = findEntry(entry.message.id)
  set(known ? entries.map((one) => (one === known ? entry : one)) : [...entries, entry])
}
const hide = (id: string) => {
  kept.delete(id)
  leaving.get(id)?.()
  leaving.delete(id)
  set(entries.filter((entry) => entry.message.id !== id))
}
const hideAll = () => {
  kept.clear()
  set([])
}
const set = (next: readonly Outgoing[]) => {
  entries = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
