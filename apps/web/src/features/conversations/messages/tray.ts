import type { Media } from '@balcao/contract/core/media.ts'
import { useSyncExternalStore } from 'react'
import { createDrawer, onOwnerChange } from './drawer.ts'
import { type ChosenFile, chooseFile, chooseMedia, discardFile, upload } from './uploads.ts'

/** A file in the composer: it goes up as soon as it is chosen, to the customer when the person says so. */
export type TrayItem = ChosenFile & { caption: string }

const drawer = createDrawer('anexos')
const trays = new Map<string, readonly TrayItem[]>()
const listeners = new Set<() => void>()

/** The files of one conversation's composer: they stay when another is opened, and after a reload. */
export const useTray = (ticketId: string) => useSyncExternalStore(subscribe, () => trayOf(ticketId))

export const trayOf = (ticketId: string): readonly TrayItem[] => {
  const known = trays.get(ticketId)
  if (known) return known
  const stored = drawer.read(ticketId)
  const items = Array.isArray(stored) ? (stored as TrayItem[]) : [] // written by `set`
  trays.set(ticketId, items)
  for (const { id } of items) void upload(id)
  return items
}

export const attachFiles = (ticketId: string, chosen: readonly File[]) => {
  for (const file of chosen) putBack(ticketId, { ...chooseFile(file), caption: '' })
}

/** A file the server already has, such as that of a quick message. */
export const attachMedia = (ticketId: string, media: Media) => putBack(ticketId, { ...chooseMedia(media), caption: '' })

/** What was not sent is in the composer again. */
export const putBack = (ticketId: string, item: TrayItem) => set(ticketId, [...trayOf(ticketId), item])

export const writeCaption = (ticketId: string, id: string, caption: string) =>
  set(
    ticketId,
    trayOf(ticketId).map((one) => (one.id === id ? { ...one, caption } : one)),
  )

/** Puts a file in another place among the others. */
export const moveItem = (ticketId: string, id: string, to: number) => {
  const items = trayOf(ticketId)
  const moved = items.find((one) => one.id === id)
  if (!moved || to < 0 || to >= items.length || items[to] === moved) return
  set(ticketId, items.filter((one) => one !== moved).toSpliced(to, 0, moved))
}

/** Takes a file out: nobody wants it any more. */
export const detach = (ticketId: string, id: string) => {
  handOver(ticketId, id)
  void discardFile(id)
}

/** The file leaves the composer with its message. */
export const handOver = (ticketId: string, id: string) =>
  set(
    ticketId,
    trayOf(ticketId).filter((one) => one.id !== id),
  )

/** How many conversations have files that were not sent. */
export const fullTrays = () => drawer.ids().length
export const emptyTrays = () => {
  drawer.empty()
  forgetAll()
}

const set = (ticketId: string, next: readonly TrayItem[]) => {
  trays.set(ticketId, next)
  if (next.length) drawer.write(ticketId, next)
  else drawer.remove(ticketId)
  changed()
}
const forgetAll = () => {
  trays.clear()
  changed()
}
const changed = () => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

// At the end: they need everything above.
onOwnerChange(forgetAll)
drawer.onChange((ticketId) => {
  trays.delete(ticketId)
  changed()
})
