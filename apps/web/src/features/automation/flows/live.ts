import type { FlowViewer } from '@balcao/contract/automation/flows/flows.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import type { Desk } from './desk.ts'

const open = new Map<string, Set<Desk>>()
/** Hears what others change in its flow, as long as it lies open. */
export const listenFor = (flowId: string, desk: Desk) => {
  const desks = open.get(flowId) ?? new Set()
  open.set(flowId, desks.add(desk))
  return () => {
    desks.delete(desk)
  }
}

/** Who has a flow open. Only told, never asked for: nobody, until an event says more. */
export const flowViewers = (flowId: string) =>
  queryOptions<readonly FlowViewer[]>({
    queryKey: ['flow-viewers', flowId],
    queryFn: () => [],
    staleTime: Number.POSITIVE_INFINITY,
  })

export const flowsLive: Live = {
  'chatFlow.draftChanged': (_cache, { id, settings, ...change }) => {
    for (const desk of open.get(id) ?? []) desk.hear({ ...change, settings: settings ?? undefined })
  },
  'chatFlow.viewers': (cache, { id, viewers }) => void cache.setQueryData(flowViewers(id).queryKey, viewers),
}
