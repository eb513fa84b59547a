import { type Flow, flowResource } from '@balcao/contract/automation/flows/flows.ts'
import { type Lane, laneResource } from '@balcao/contract/contacts/lanes.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { type Reason, reasonResource } from '@balcao/contract/conversations/reasons.ts'
import {
  type Integration,
  integrationResource,
  integrations,
  mailboxKinds,
} from '@balcao/contract/core/integrations/index.ts'
import type { FieldMeta } from '@balcao/contract/core/providers/define.ts'
import {
  type OutcomeReason,
  outcomeReasonResource,
  type Pipeline,
  pipelineResource,
  type Stage,
  stageResource,
} from '@balcao/contract/sales/pipelines.ts'
import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { userOptions } from '../../people/users/api.ts'
import { quickMessages } from '../quick-messages/api.ts'

type Named = { id: string; name: string /** False: archived, and not offered. */; isActive?: boolean; kind?: string }

/** What actions may name. */
export const useNames = (enabled = true) => {
  const mayIntegrate = useCan('integrations.write')
  const mayFlow = useCan('flows.write')
  const maySell = useCan('funnel.read')
  const sells = enabled && maySell
  const byPlace = (a: { position: number; name: string }, b: { position: number; name: string }) =>
    a.position - b.position || a.name.localeCompare(b.name)
  const pipelines = (useQuery({ ...allRows<Pipeline>(pipelineResource), enabled: sells }).data ?? []).toSorted(byPlace)
  const stages = (useQuery({ ...allRows<Stage>(stageResource), enabled: sells }).data ?? []).toSorted(byPlace)
  const outcomes = useQuery({ ...allRows<OutcomeReason>(outcomeReasonResource), enabled: sells }).data ?? []
  const accounts =
    useQuery({ ...allRows<Integration>(integrationResource), enabled: enabled && mayIntegrate }).data ?? []
  const rows: Record<NonNullable<FieldMeta['names']>, readonly Named[]> = {
    tags: useQuery({ ...allRows<Tag>(tagResource), enabled }).data ?? [],
    queues: useQuery({ ...allRows<Queue>(queueResource), enabled }).data ?? [],
    lanes: useQuery({ ...allRows<Lane>(laneResource), enabled }).data ?? [],
    reasons: useQuery({ ...allRows<Reason>(reasonResource), enabled }).data ?? [],
    people: useQuery({ ...userOptions, enabled }).data ?? [],
    connections: useQuery({ ...connectionList, enabled }).data ?? [],
    flows: useQuery({ ...allRows<Flow>(flowResource), enabled: enabled && mayFlow }).data ?? [],
    pipelines,
    stages: pipelines.flatMap((pipeline) =>
      stages
        .filter(({ pipelineId }) => pipelineId === pipeline.id)
        .map(({ id, name }) => ({ id, isActive: pipeline.isActive, name: `${pipeline.name}: ${name}` })),
    ),
    winReasons: outcomes.filter(({ outcome }) => outcome === 'win'),
    loseReasons: outcomes.filter(({ outcome }) => outcome === 'lose'),
    webhooks: accounts.filter(({ kind }) => 'hearsEvents' in integrations[kind]),
    voiceAccounts: accounts.filter(({ kind, config }) => kind === 'vapi' && config.phoneNumberId),
    mailAccounts: accounts.filter(({ kind }) => mailboxKinds.includes(kind)),
    quickMessages: (useQuery({ ...quickMessages, enabled }).data ?? []).map(({ id, key, isActive }) => ({
      ...{ id, isActive },
      name: `/${key}`,
    })),
  }
  const all = Object.values(rows).flat()
  return { rows, nameOf: (id: string) => all.find((one) => one.id === id)?.name }
}
