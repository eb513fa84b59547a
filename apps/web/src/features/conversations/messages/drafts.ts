import { useSyncExternalStore } from 'react'
import { nowMs } from '../../../ui/server-time.ts'
import { type DraftPlace, getDraft, putDraft } from './api.ts'
import { createDrawer, onOwnerChange } from './drawer.ts'

type Draft = { body: string; at: number; isDirty: boolean }

const saveAfterMs = 1_200
const drawer = createDrawer('rascunho')
const drafts = new Map<string, Draft>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()
const empty: Draft = { body: '', at: 0, isDirty: false }

/** What is being written: on this device at once, on the server after a pause, so nothing typed is lost. */
export const readDraft = (place: DraftPlace): Draft => {
  const id = idOf(place)
  const known = drafts.get(id)
  if (known) return known
  const stored = asDraft(drawer.read(id))
  drafts.set(id, stored)
  return stored
}

export const writeDraft = (place: DraftPlace, body: string) => {
  if (readDraft(place).body === body) return
  set(place, { body, at: nowMs(), isDirty: true })
  const id = idOf(place)
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => void save(place), body ? saveAfterMs : 0),
  )
}

/** What another device wrote takes the place only of what nobody is changing here. */
export const receiveDraft = (place: DraftPlace, body: string) => {
  const now = readDraft(place)
  if (!now.isDirty && now.body !== body) set(place, { body, at: nowMs(), isDirty: false })
}

/** Reads the server's draft when a conversation opens; the later writing wins. */
export const fetchDraft = async (place: DraftPlace) => {
  const before = readDraft(place)
  try {
    const told = await getDraft(place)
    const now = readDraft(place)
    if (now !== before) return // someone typed meanwhile
    if (Date.parse(told.updatedAt) > now.at) receiveDraft(place, told.body)
    else if (now.isDirty) void save(place)
  } catch {
    // Without the server the device's own draft stands.
  }
}

export const useDraft = (place: DraftPlace) => useSyncExternalStore(subscribe, () => readDraft(place).body)

/** The beginning of what one writes to the customer there, for the row of a list; nothing where one has it open. */
export const useDraftLine = (ticketId: string, isOpen: boolean) =>
  useSyncExternalStore(subscribe, () =>
    isOpen ? '' : readDraft({ ticketId, kind: 'message' }).body.slice(0, 160).trim(),
  )

const save = async (place: DraftPlace) => {
  const saving = readDraft(place)
  try {
    await putDraft(place, saving.body)
    if (drafts.get(idOf(place)) === saving) set(place, { ...saving, isDirty: false })
  } catch {
    // It stays on this device and is saved with the next key or the next visit.
  }
}

const set = (place: DraftPlace, draft: Draft) => {
  const id = idOf(place)
  drafts.set(id, draft)
  if (draft.body || draft.isDirty) drawer.write(id, draft)
  else drawer.remove(id)
  for (const listener of listeners) listener()
}

const idOf = ({ ticketId, kind }: DraftPlace) => `${ticketId}:${kind}`

const asDraft = (value: unknown): Draft => {
  if (typeof value !== 'object' || value === null || !('body' in value) || typeof value.body !== 'string') return empty
  const at = 'at' in value && typeof value.at === 'number' ? value.at : 0
  return { body: value.body, at, isDirty: 'isDirty' in value && value.isDirty === true }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Another person at this browser has other drafts; the device keeps each one's. */
onOwnerChange(() => {
  for (const timer of timers.values()) clearTimeout(timer)
  drafts.clear()
})
