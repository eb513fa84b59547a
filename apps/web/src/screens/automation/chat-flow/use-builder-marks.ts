import type { FlowProblem, FlowViewer } from '@balcao/contract/automation/flows/flows.ts'
import { problemsIn } from '@balcao/contract/automation/flows/problems.ts'
import { useThrottledValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { flowAccountsQuery, flowList, namingQuery, problemsQuery } from '../../../features/automation/flows/api.ts'
import { type createMarks, useDesk } from '../../../features/automation/flows/builder-context.ts'
import type { Desk } from '../../../features/automation/flows/desk.ts'
import { flowViewers } from '../../../features/automation/flows/live.ts'
import { segmentList } from '../../../features/contacts/segments/api.ts'
import { useNames } from '../../../features/service/actions/use-names.ts'
import { useCurrentSession } from '../../../kit/session.ts'

const calmMs = 300

/** Keeps the marks of the steps: what is wrong, who is there, how rows are called. Answers with all problems. */
export const useBuilderMarks = (flowId: string, desk: Desk, marks: ReturnType<typeof createMarks>): FlowProblem[] => {
  const graph = useDesk(desk, (state) => state)
  const calm = useThrottledValue(graph, calmMs)
  const isCalled = useQuery(namingQuery(flowId)).data?.some(({ id }) => id !== flowId) ?? false
  const found = useMemo(
    () => problemsIn({ nodes: [...calm.nodes.values()], settings: calm.settings }, [], isCalled),
    [calm.nodes, calm.settings, isCalled],
  )
  const isSaved = calm.save.kind === 'saved'
  const asked = useQuery({ ...problemsQuery(flowId, calm.revision), enabled: isSaved })
  const problems = useMemo(() => {
    const known = new Set(found.map(keyOf))
    const nodes = calm.nodes
    // The server knows rows and channels besides; what it says of a step as it was before is not true any more.
    const more = (asked.data ?? []).filter(
      (one) => !known.has(keyOf(one)) && isSaved && (one.nodeId === null || nodes.has(one.nodeId)),
    )
    return [...found, ...more]
  }, [found, asked.data, isSaved, calm.nodes])
  useEffect(() => {
    marks.set({ problems: grouped(problems, ({ nodeId }) => nodeId, marks.get().problems) })
  }, [marks, problems])

  const { userId } = useCurrentSession()
  const viewers = useQuery(flowViewers(flowId)).data
  useEffect(() => {
    const others = (viewers ?? []).filter((viewer: FlowViewer) => viewer.userId !== userId)
    marks.set({ viewers: grouped(others, ({ nodeId }) => nodeId, marks.get().viewers) })
  }, [marks, viewers, userId])

  const { rows } = useNames()
  const flows = useQuery(flowList).data
  const segments = useQuery(segmentList).data
  const { assistants = [], calendars = [] } = useQuery(flowAccountsQuery).data ?? {}
  const all = [...Object.values(rows).flat(), ...(flows ?? []), ...(segments ?? []), ...assistants, ...calendars]
  const signature = all.map(({ id, name }) => id + name).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names as they are called, whichever list they came in
  useEffect(() => {
    const names = new Map(all.map(({ id, name }) => [id, name]))
    marks.set({ nameOf: (id) => names.get(id) })
  }, [marks, signature])
  return problems
}

const keyOf = ({ nodeId, path, message }: FlowProblem) => `${nodeId} ${path} ${message}`

/** By step; a step of which nothing changed keeps its list, and is not drawn again. */
const grouped = <T>(
  all: readonly T[],
  idOf: (one: T) => string | null,
  before: ReadonlyMap<string, readonly T[]>,
): Map<string, readonly T[]> => {
  const next = new Map<string, T[]>()
  for (const one of all) {
    const id = idOf(one)
    if (id !== null) next.set(id, [...(next.get(id) ?? []), one])
  }
  return new Map(
    [...next].map(([id, list]) => {
      const old = before.get(id)
      return [id, old && JSON.stringify(old) === JSON.stringify(list) ? old : list]
    }),
  )
}
