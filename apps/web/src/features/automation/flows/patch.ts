import type { FlowNode, FlowSettings } from '@balcao/contract/automation/flows/graph.ts'

export type Nodes = ReadonlyMap<string, FlowNode>
/** Steps as they are to be, and those that go. */
export type Patch = {
  upserts: readonly FlowNode[]
  removes: readonly string[]
  settings?: FlowSettings | undefined
}
type Graph = { nodes: Nodes; settings: FlowSettings }

export const applyPatch = ({ nodes, settings }: Graph, patch: Patch): Graph => {
  const next = new Map(nodes)
  for (const id of patch.removes) next.delete(id)
  for (const node of patch.upserts) next.set(node.id, node)
  return { nodes: next, settings: patch.settings ?? settings }
}

/** What brings the graph back to how it is before the patch. */
export const inverseOf = ({ nodes, settings }: Graph, patch: Patch): Patch => {
  const touched = touchedBy(patch)
  return {
    upserts: touched.flatMap((id) => nodes.get(id) ?? []),
    removes: touched.filter((id) => !nodes.has(id)),
    settings: patch.settings && settings,
  }
}

export const touchedBy = ({ upserts, removes }: Patch): string[] => [
  ...new Set([...upserts.map(({ id }) => id), ...removes]),
]

/** One after the other as one. */
export const joined = (first: Patch, second: Patch): Patch => {
  const touched = new Set(touchedBy(second))
  return {
    upserts: [...first.upserts.filter(({ id }) => !touched.has(id)), ...second.upserts],
    removes: [...first.removes.filter((id) => !touched.has(id)), ...second.removes],
    settings: second.settings ?? first.settings,
  }
}

export const without = (patch: Patch, ids: ReadonlySet<string>, settings: boolean): Patch => ({
  upserts: patch.upserts.filter(({ id }) => !ids.has(id)),
  removes: patch.removes.filter((id) => !ids.has(id)),
  settings: settings ? undefined : patch.settings,
})

export const isEmpty = ({ upserts, removes, settings }: Patch) => !upserts.length && !removes.length && !settings
