import type { FlowNumbers, FlowProblem, FlowViewer } from '@balcao/contract/automation/flows/flows.ts'
import { createContext, useContext, useRef, useSyncExternalStore } from 'react'
import type { Desk, DeskState } from './desk.ts'
import type { PortRef } from './edits.ts'
import type { NameOf } from './words.ts'

export type NodeNumbers = FlowNumbers['nodes'][number]
/** What is shown on steps besides themselves. */
export type Marks = {
  nameOf: NameOf
  problems: ReadonlyMap<string, readonly FlowProblem[]>
  viewers: ReadonlyMap<string, readonly FlowViewer[]>
  /** Null while they are not asked for. */
  numbers: ReadonlyMap<string, NodeNumbers> | null
  /** Where a search found its words; null: nobody searches. */
  found: ReadonlySet<string> | null
  /** Of the version beside the draft. */
  diff: { added: ReadonlySet<string>; changed: ReadonlySet<string> } | null
  /** Steps a run came through, the lines it went along (`step:port`), and the step it stands on. */
  path: { passed: ReadonlySet<string>; lit: ReadonlySet<string>; at: string | null } | null
}
const nothing: Marks = {
  nameOf: () => undefined,
  problems: new Map(),
  viewers: new Map(),
  numbers: null,
  found: null,
  diff: null,
  path: null,
}
export const createMarks = () => {
  let marks = nothing
  const watchers = new Set<() => void>()
  return {
    get: () => marks,
    set: (next: Partial<Marks>) => {
      marks = { ...marks, ...next }
      for (const watcher of watchers) watcher()
    },
    subscribe: (watcher: () => void) => {
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
  }
}

export type Builder = {
  desk: Desk
  marks: ReturnType<typeof createMarks>
  readOnly: boolean
  /** Offers the kinds of steps for what comes after a port, where the finger is. */
  offerAfter: (port: PortRef, at: { x: number; y: number }) => void
}
const BuilderContext = createContext<Builder | null>(null)
export const BuilderProvider = BuilderContext.Provider
export const useBuilder = (): Builder => {
  const builder = useContext(BuilderContext)
  if (!builder) throw new Error('Only inside a builder')
  return builder
}

/** One thing of the marks: drawn anew only when this one changes. */
export const useMark = <T>(pick: (marks: Marks) => T): T => {
  const { marks } = useBuilder()
  return useSyncExternalStore(marks.subscribe, () => pick(marks.get()))
}
/** One thing of the flow: the same. */
export const useDesk = <T>(desk: Desk, pick: (state: DeskState) => T): T => {
  const latest = useRef(pick)
  latest.current = pick
  return useSyncExternalStore(desk.subscribe, () => latest.current(desk.get()))
}
