import { useSyncExternalStore } from 'react'
import { session } from '../../kit/session.ts'
import { getDraft, putDraft } from './api.ts'

type Draft = { body: string; at: number; isDirty: boolean }

const saveAfterMs = 1_200
const drafts = new Map<string, Draft>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()
const empty: Draft = { body: '', at: 0, isDirty: false }

/** What is being written in a conversation: on this device at once, on the server after a pause, so nothing typed is lost. */
export const readDraft = (ticketId: string): Draft => {
  const known = drafts.get(ticketId)
  if (known) return known
  const stored = parse(localStorage.getItem(keyOf(ticketId)))
  drafts.set(ticketId, stored)
  return stored
}

export const writeDraft = (ticketId: string, body: string) => {
  if (readDraft(ticketId).body === body) return
  set(ticketId, { body, at: Date.now(), isDirty: true })
  clearTimeout(timers.get(ticketId))
  timers.set(
    ticketId,
    setTimeout(() => void save(ticketId), body ? saveAfterMs : 0),
  )
}

/** What another device wrote takes the place only of what nobody is changing here. */
export const receiveDraft = (ticketId: string, body: string) => {
  const now = readDraft(ticketId)
  if (!now.isDirty && now.body !== body) set(ticketId, { body, at: Date.now(), isDirty: false })
}

/** Reads the server's draft when a conversation opens; the later writing wins. */
export const fetchDraft = async (ticketId: string) => {
  const before = readDraft(ticketId)
  try {
    const told = await getDraft(ticketId)
    const now = readDraft(ticketId)
    if (now !== before) return // someone typed meanwhile
    if (Date.parse(told.updatedAt) > now.at) receiveDraft(ticketId, told.body)
    else if (now.isDirty) void save(ticketId)
  } catch {
    // Without the server the device's own draft stands.
  }
}

export const useDraft = (ticketId: string) => useSyncExternalStore(subscribe, () => readDraft(ticketId).body)

const save = async (ticketId: string) => {
  const saving = readDraft(ticketId)
  try {
    await putDraft(ticketId, saving.body)
    if (drafts.get(ticketId) === saving) set(ticketId, { ...saving, isDirty: false })
  } catch {
    // It stays on this device and is saved with the next key or the next visit.
  }
}

const set = (ticketId: string, draft: Draft) => {
  drafts.set(ticketId, draft)
  if (draft.body || draft.isDirty) localStorage.setItem(keyOf(ticketId), JSON.stringify(draft))
  else localStorage.removeItem(keyOf(ticketId))
  for (const listener of listeners) listener()
}

const keyOf = (ticketId: string) => `rascunho:${session.get()?.userId ?? ''}:${ticketId}`

const parse = (text: string | null): Draft => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null || !('body' in value) || typeof value.body !== 'string')
      return empty
    const at = 'at' in value && typeof value.at === 'number' ? value.at : 0
    return { body: value.body, at, isDirty: 'isDirty' in value && value.isDirty === true }
  } catch {
    return empty
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Another person at this browser has other drafts; the device keeps each one's. */
session.subscribe(() => {
  if (session.get()) return
  drafts.clear()
})
