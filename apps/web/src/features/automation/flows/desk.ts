import { type FlowDraft, type FlowDraftChange, flowDraftChange } from '@balcao/contract/automation/flows/flows.ts'
import type { FlowSettings } from '@balcao/contract/automation/flows/graph.ts'
import { isApiError, isUnanswered, messageOf } from '../../../kit/api-error.ts'
import { createDrawer } from '../../conversations/messages/drawer.ts'
import type { FlowDraftChanged } from './api.ts'
import { applyPatch, inverseOf, isEmpty, joined, type Nodes, type Patch, touchedBy, without } from './patch.ts'

const pauseMs = 600
const retryMs = [2_000, 5_000, 10_000]
/** Keys pressed one after the other in the same field are undone together. */
const togetherMs = 1_500
const mostUndone = 200

export type SaveState = { kind: 'saved' | 'saving' | 'offline' } | { kind: 'refused'; text: string }
export type DeskState = {
  nodes: Nodes
  settings: FlowSettings
  /** Up to here this window has seen everything. */
  revision: number
  save: SaveState
  canUndo: boolean
  canRedo: boolean
}
/** What somebody else changed, as the server tells it. */
export type Heard = Patch & { revision: number; userId: string | null }
/** Somebody else changed what was being changed here: theirs stays, and ours is kept until somebody decides. */
export type Taken = {
  ids: readonly string[]
  settings: boolean
  userIds: readonly string[]
  takeOurs: () => void
  dropOurs: () => void
}
/** Who changed a step last, and the settings. */
type Authors = Pick<FlowDraft, 'authors' | 'settingsUserId'>

type Options = {
  flowId: string
  draft: FlowDraft
  write: (change: FlowDraftChange) => Promise<FlowDraftChanged>
  read: () => Promise<FlowDraft>
  onTaken: (taken: Taken) => void
}
type Entry = { undo: Patch; redo: Patch; key: string | null; at: number }

const drawer = createDrawer('fluxo')
const windowId = Math.random().toString(36).slice(2, 10)

/**
 * A flow that lies open: what is changed is seen at once, can be undone, and is saved by itself, one request after the
 * other; what others change comes in between. What cannot be saved now stays in this browser until it can.
 */
export const createDesk = ({ flowId, draft, write, read, onTaken }: Options) => {
  let state: DeskState = {
    nodes: new Map(draft.nodes.map((node) => [node.id, node])),
    settings: draft.settings,
    revision: draft.revision,
    save: { kind: 'saved' },
    canUndo: false,
    canRedo: false,
  }
  let done: Entry[] = []
  let undone: Entry[] = []
  let dirty = new Set<string>()
  let isSettingsDirty = false
  /** There are changes that were not told here. */
  let isBehind = false
  /** What this window wrote: never somebody else's. */
  const own = new Set<number>()
  let waiting: Heard[] = []
  let sending: Promise<void> | null = null
  /** What is not saved yet lies here in the browser, and beside it what gave way. */
  const place = `${flowId}.${windowId}`
  let kept = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isOpen = true
  const watchers = new Set<() => void>()

  const set = (next: Partial<DeskState>) => {
    state = { ...state, ...next, canUndo: done.length > 0, canRedo: undone.length > 0 }
    for (const watcher of watchers) watcher()
  }

  /** Changes what is here and is to be saved. */
  const alter = (patch: Patch) => {
    for (const id of touchedBy(patch)) dirty.add(id)
    if (patch.settings) isSettingsDirty = true
    const save: SaveState = state.save.kind === 'offline' ? state.save : { kind: 'saving' }
    set({ ...applyPatch(state, patch), save })
    if (state.save.kind === 'offline') keep()
    else later(pauseMs)
  }
  /** `key`: the field that is being written in. */
  const change = (patch: Patch, key: string | null = null) => {
    if (isEmpty(patch)) return
    const undo = inverseOf(state, patch)
    const last = done.at(-1)
    const now = Date.now()
    if (key && last?.key === key && now - last.at < togetherMs)
      done[done.length - 1] = { ...last, redo: joined(last.redo, patch), at: now }
    else done = [...done, { undo, redo: patch, key, at: now }].slice(-mostUndone)
    undone = []
    alter(patch)
  }
  const undo = () => {
    const entry = done.at(-1)
    if (!entry) return
    done = done.slice(0, -1)
    undone = [...undone, entry]
    alter(entry.undo)
  }
  const redo = () => {
    const entry = undone.at(-1)
    if (!entry) return
    undone = undone.slice(0, -1)
    done = [...done, { ...entry, key: null }]
    alter(entry.redo)
  }

  /** What was written here and is not what counts, of a window that has seen `base`. */
  const giveWay = (ours: Patch, base: number, { authors, settingsUserId }: Authors) => {
    const ids = touchedBy(ours)
    const settings = ours.settings !== undefined
    const by = [...ids.map((id) => authors[id]), settings ? settingsUserId : null]
    kept += 1
    const aside = `${place}-${kept}`
    drawer.write(aside, { base, ...ours })
    const dropOurs = () => drawer.remove(aside)
    const takeOurs = () => {
      dropOurs()
      change(ours)
    }
    onTaken({ ids, settings, userIds: [...new Set(by.flatMap((id) => id ?? []))], takeOurs, dropOurs })
  }

  /** Theirs comes in, also over what is not saved here yet. */
  const take = (theirs: Patch, by: Authors) => {
    const ids = new Set(touchedBy(theirs))
    const lost = [...ids].filter((id) => dirty.has(id))
    const losesSettings = theirs.settings !== undefined && isSettingsDirty
    const ours: Patch = {
      upserts: lost.flatMap((id) => state.nodes.get(id) ?? []),
      removes: lost.filter((id) => !state.nodes.has(id)),
      settings: losesSettings ? state.settings : undefined,
    }
    for (const id of lost) dirty.delete(id)
    if (losesSettings) isSettingsDirty = false
    const rest = (entries: readonly Entry[]) =>
      entries
        .map((entry) => ({
          ...entry,
          undo: without(entry.undo, ids, theirs.settings !== undefined),
          redo: without(entry.redo, ids, theirs.settings !== undefined),
        }))
        .filter((entry) => !isEmpty(entry.redo))
    done = rest(done)
    undone = rest(undone)
    set(applyPatch(state, theirs))
    if (!lost.length && !losesSettings) return
    if (!keep()) drawer.remove(place)
    giveWay(ours, state.revision, by)
  }
  const hear = (heard: Heard) => {
    if (sending)
      waiting.push(heard) // whose change it is turns out with the answer
    else if (heard.revision === state.revision + 1) {
      take(heard, allBy(heard))
      set({ revision: heard.revision })
    } else if (heard.revision > state.revision) {
      isBehind = true // one before it is missing: the whole draft is read
      later(0)
    }
  }
  /** The whole draft as it is now: after a pause of the connection, or where something was missed. */
  const catchUp = (now: FlowDraft): void => {
    if (sending)
      void sending.then(() => merge(now)) // what is on its way is in neither
    else merge(now)
  }
  const merge = (now: FlowDraft) => {
    if (now.revision <= state.revision) return
    const known = new Set(now.nodes.map(({ id }) => id))
    const isTheirs = (revision = 0) => revision > state.revision && !own.has(revision)
    const isNew = (id: string) => isTheirs(now.revisions[id])
    const isOther = ({ id }: { id: string }) => isNew(id) || (!state.nodes.has(id) && !dirty.has(id))
    take(
      {
        upserts: now.nodes.filter(isOther),
        removes: [...state.nodes.keys()].filter((id) => !known.has(id) && !dirty.has(id)),
        settings: isTheirs(now.settingsRevision) ? now.settings : undefined,
      },
      now,
    )
    set({ revision: now.revision })
  }

  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void send(), ms)
  }
  const unsaved = (): FlowDraftChange => ({
    base: state.revision,
    upserts: [...dirty].flatMap((id) => state.nodes.get(id) ?? []),
    removes: [...dirty].filter((id) => !state.nodes.has(id)),
    ...(isSettingsDirty && { settings: state.settings }),
  })
  const isDirty = () => dirty.size > 0 || isSettingsDirty
  const keep = () => isDirty() && drawer.write(place, unsaved())
  const send = async (): Promise<void> => {
    clearTimeout(timer)
    if (sending) return sending.then(send)
    if (!isDirty() && !isBehind) return set({ save: { kind: 'saved' } })
    sending = attempt()
    await sending
    sending = null
    const heard = waiting
    waiting = []
    for (const one of heard) hear(one)
    if ((isDirty() || isBehind) && state.save.kind === 'saving') later(isBehind ? 0 : pauseMs)
  }
  const attempt = async () => {
    const sent = { dirty, isSettingsDirty }
    try {
      if (isBehind) {
        isBehind = false
        merge(await read())
      }
      const body = unsaved()
      if (!isDirty()) return set({ save: { kind: 'saved' } })
      sent.dirty = dirty
      sent.isSettingsDirty = isSettingsDirty
      dirty = new Set()
      isSettingsDirty = false
      const answer = await write(body)
      failures = 0
      drawer.remove(place)
      if (answer.conflicts.length || answer.settings) return takeBack(sent, answer)
      own.add(answer.revision)
      // Somebody saved other steps in between: with what is seen now our own would look like theirs.
      if (answer.revision > state.revision + 1) isBehind = true
      else set({ revision: answer.revision })
      set({ save: { kind: isDirty() || isBehind ? 'saving' : 'saved' } })
    } catch (error) {
      const conflict = isApiError(error) && error.status === 409 ? conflictIn(error.details) : undefined
      if (conflict) return takeBack(sent, conflict)
      putBack(sent)
      keep()
      if (!isUnanswered(error) && !isApiError(error, 'ERR_TIMEOUT'))
        return set({ save: { kind: 'refused', text: messageOf(error) } })
      set({ save: { kind: 'offline' } })
      if (isOpen) later(retryMs[failures++] ?? 10_000)
    }
  }
  type Sent = { dirty: Set<string>; isSettingsDirty: boolean }
  const putBack = (sent: Sent) => {
    dirty = new Set([...sent.dirty, ...dirty])
    isSettingsDirty ||= sent.isSettingsDirty
  }
  /** Nothing was written: theirs comes in, and the rest goes out again. */
  const takeBack = (sent: Sent, { conflicts, settings, settingsUserId, revision }: FlowDraftChanged) => {
    putBack(sent)
    take(
      {
        upserts: conflicts.flatMap(({ node }) => node ?? []),
        removes: conflicts.flatMap(({ id, node }) => (node ? [] : id)),
        settings: settings ?? undefined,
      },
      {
        authors: Object.fromEntries(conflicts.flatMap(({ id, userId }) => (userId ? [[id, userId]] : []))),
        settingsUserId,
      },
    )
    if (revision > state.revision) isBehind = true // other steps may have changed on the way there
    set({ save: { kind: 'saving' } })
    later(0)
  }

  const handleOnline = () => state.save.kind === 'offline' && void send()
  const handleHide = () => void keep()
  const start = () => {
    isOpen = true
    for (const id of drawer.ids().filter((one) => one.startsWith(`${flowId}.`))) {
      const kept = flowDraftChange.safeParse(drawer.read(id)).data
      drawer.remove(id)
      if (kept) bringBack(kept)
    }
    window.addEventListener('online', handleOnline)
    window.addEventListener('pagehide', handleHide)
    return () => {
      isOpen = false
      window.removeEventListener('online', handleOnline)
      window.removeEventListener('pagehide', handleHide)
      keep()
      void send()
    }
  }
  /** What was not saved when this was last open; where others have changed the same since, theirs stays. */
  const bringBack = ({ base, upserts, removes, settings }: FlowDraftChange) => {
    const ours = { upserts, removes, settings }
    const overtaken = new Set(touchedBy(ours).filter((id) => (draft.revisions[id] ?? 0) > base))
    const losesSettings = settings !== undefined && draft.settingsRevision > base
    change(without(ours, overtaken, losesSettings))
    if (overtaken.size === 0 && !losesSettings) return
    const lost: Patch = {
      upserts: upserts.filter(({ id }) => overtaken.has(id)),
      removes: removes.filter((id) => overtaken.has(id)),
      settings: losesSettings ? settings : undefined,
    }
    giveWay(lost, base, draft)
  }

  return {
    get: () => state,
    subscribe: (watcher: () => void) => {
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
    change,
    undo,
    redo,
    hear,
    catchUp,
    /** Saves what is not saved yet; true when everything is. */
    flush: async () => {
      for (let attempts = 0; attempts < 3 && (isDirty() || sending); attempts += 1) await send()
      return !isDirty()
    },
    start,
  }
}
export type Desk = ReturnType<typeof createDesk>

const allBy = ({ upserts, removes, userId }: Heard): Authors => ({
  authors: userId ? Object.fromEntries(touchedBy({ upserts, removes }).map((id) => [id, userId])) : {},
  settingsUserId: userId,
})

const conflictIn = (details: unknown): FlowDraftChanged | undefined =>
  typeof details === 'object' && details !== null && 'conflicts' in details
    ? (details as FlowDraftChanged) // the server's own answer
    : undefined
