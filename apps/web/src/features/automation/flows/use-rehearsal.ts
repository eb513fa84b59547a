import type { FlowGraph, FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import {
  type Rehearsal,
  type RehearsalSetup,
  type Rehearsed,
  rehearse,
  startRehearsal,
} from '@balcao/contract/automation/flows/rehearsal.ts'
import type { Said } from '@balcao/contract/automation/flows/run.ts'
import type { ContactFacts } from '@balcao/contract/contacts/segments/fields.ts'
import { describeAction } from '@balcao/contract/conversations/actions/index.ts'
import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import { momentAt } from '@balcao/contract/core/wall-time.ts'
import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { allRows } from '../../../kit/resource-api.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { segmentList } from '../../contacts/segments/api.ts'
import { settingsQuery } from '../../people/settings/api.ts'
import { flowList, versionQuery } from './api.ts'
import { knownFile } from './known-files.ts'
import type { NameOf } from './words.ts'

/** The name under which the draft stands among the versions of a rehearsal. */
export const draftId = 'draft'

/** Who the fake customer is, where they write, and what time it is there (`2026-11-23T14:30`; empty: now). */
export type RehearsalScene = {
  name: string
  connectionId: string
  isFirst: boolean
  at: string
  /** Which way every split goes; null: by chance, as in reality. */
  branch: number | null
}
export const said = (text: string, choiceId: string | null = null): Said => ({
  ...{ text, choiceId, type: 'text', fileId: null, location: null },
})
export const sentFile: Said = { text: '', choiceId: null, type: 'image', fileId: 'rehearsal', location: null }
export const sentPlace: Said = {
  ...{ text: '', choiceId: null, type: 'location', fileId: null },
  location: { latitude: -23.5505, longitude: -46.6333 },
}

const blankContact = {
  ...{
    email: null,
    businessName: '',
    documentKind: null,
    number: '5511987654321',
    birthdayDate: null,
    city: '',
    state: '',
  },
  ...{ extraInfo: [], isGroup: false, isBlocked: false, laneId: null, importId: null, tagIds: [], walletIds: [] },
  ...{ identityKinds: ['phone'], consents: {}, lastInAt: null, lastOutAt: null, connectionIds: [], reasonIds: [] },
  ...{ tickets: 1, hasOpenTicket: true, lastClosedAt: null, grades: [] },
} satisfies Omit<ContactFacts, 'name' | 'createdAt'>

/** Where the company has no channel yet. */
const anyChannel: RehearsalSetup['abilities'] = { supports: ['image', 'buttons', 'list'], buttonLimits: null }

/** Flows that steps lead into. */
export const flowsCalledBy = (nodes: Iterable<FlowNode>): string[] =>
  [...nodes].flatMap((node) => (node.kind === 'flow' && node.data.flowId ? node.data.flowId : []))
/** These, and those that they call in their turn, as far as they have been read. */
const calledFrom = (first: readonly string[], read: (flowId: string) => FlowGraph | undefined): string[] => {
  const found = new Set(first)
  for (const flowId of found) for (const next of flowsCalledBy(read(flowId)?.nodes ?? [])) found.add(next)
  return [...found]
}

/** A rehearsal of the draft as it stands now, in a company as it really is. Undefined while its rows are read. */
export const useRehearsal = (graph: () => FlowGraph, referenced: readonly string[], nameOf: NameOf) => {
  const settings = useQuery(settingsQuery).data
  const queues = useQuery(allRows<Queue>(queueResource)).data
  const connections = useQuery(connectionList).data
  const segments = useQuery(segmentList).data
  const flows = useQuery(flowList).data
  const published = new Map(
    (flows ?? []).flatMap(({ id, isActive, published: one }) => (one && isActive ? [[id, one.id] as const] : [])),
  )
  const cache = useQueryClient()
  const readVersion = (flowId: string) => {
    const versionId = published.get(flowId)
    return versionId ? cache.getQueryData(versionQuery(flowId, versionId).queryKey) : undefined
  }
  const versions = useQueries({
    queries: calledFrom(referenced, readVersion).flatMap((flowId) => {
      const versionId = published.get(flowId)
      return versionId ? [versionQuery(flowId, versionId)] : []
    }),
  })
  const [current, setCurrent] = useState<{ setup: RehearsalSetup; rehearsal: Rehearsal }>()

  const isReady = settings && queues && connections && segments && flows && versions.every(({ data }) => data)
  const setupOf = ({ name, connectionId, isFirst, at, branch }: RehearsalScene): RehearsalSetup | undefined => {
    if (!isReady) return undefined
    const now = at ? new Date(momentAt(at, settings.timezone)) : new Date()
    const channel = connections.find(({ id }) => id === connectionId)
    const graphs = new Map<string, FlowGraph>([
      [draftId, graph()],
      ...versions.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])),
    ])
    const hoursOf = (queueId: string | null) => {
      const ofQueue = queues.find(({ id }) => id === queueId)?.businessHours ?? []
      return ofQueue.length ? ofQueue : settings.businessHours
    }
    return {
      ...{
        versionId: draftId,
        runId: crypto.randomUUID(),
        branch,
        now,
        timezone: settings.timezone,
        rating: { ...settings.rating, grades: settings.rating.options },
      },
      contact: { ...blankContact, name: name || 'Cliente de ensaio', createdAt: now.toISOString() },
      ticket: {
        ...{ queueId: null, connectionId, priority: 'normal', tagIds: [], isFirst },
        channel: channel?.kind ?? '',
      },
      abilities: channel?.abilities ?? anyChannel,
      graphOf: (id) => graphs.get(id),
      publishedOf: (flowId) => {
        const id = published.get(flowId)
        return id !== undefined && graphs.has(id) ? id : undefined
      },
      segments: new Map(segments.map(({ id, rules }) => [id, rules])),
      isOpen: (queueId, moment) => isOpenAt(hoursOf(queueId), settings.holidays, moment, settings.timezone),
      describe: (action) => describeAction(action, nameOf),
      assistantName: nameOf,
      fileName: (id) => knownFile(id)?.name,
    }
  }
  return {
    isReady: Boolean(isReady),
    connections: connections ?? [],
    rehearsal: current?.rehearsal,
    begin: (scene: RehearsalScene, first: Said) => {
      const setup = setupOf(scene)
      if (setup) setCurrent({ setup, rehearsal: startRehearsal(setup, first) })
    },
    go: (given: Rehearsed) =>
      setCurrent((now) => now && { ...now, rehearsal: rehearse(now.setup, now.rehearsal, given) }),
    stop: () => setCurrent(undefined),
  }
}
