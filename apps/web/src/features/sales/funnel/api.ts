import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { CalendarEvent, CalendarEventsQuery } from '@balcao/contract/sales/calendar.ts'
import type {
  FunnelDashboard,
  FunnelDashboardQuery,
  OpportunitiesQuery,
  Opportunity,
  OpportunityBoard,
  OpportunityBoardQuery,
  OpportunityCreate,
  OpportunityMove,
  OpportunityPatch,
} from '@balcao/contract/sales/opportunities.ts'
import {
  type OutcomeReason,
  outcomeReasonResource,
  type Pipeline,
  pipelineResource,
  type Stage,
  stageResource,
} from '@balcao/contract/sales/pipelines.ts'
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { said } from '../../../kit/api-client.ts'
import { messageOf, reasonOf } from '../../../kit/api-error.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { allRows, readAll } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'
import { followerOf, type Move, placed, withMoves } from './board-moves.ts'

/** What a view asks for; keys begin like those of every resource, so that events renew them. */
export type OpportunitiesAsked = Partial<Omit<OpportunitiesQuery, 'cursor' | 'pageNumber' | 'limit' | 'count'>>
export type BoardAsked = Partial<Omit<OpportunityBoardQuery, 'cursor' | 'column'>> & { pipelineId: string }

export const opportunitiesKey = ['resource', 'opportunity'] as const
export const pipelineList = allRows<Pipeline>(pipelineResource)
export const stageList = allRows<Stage>(stageResource)
export const outcomeReasonList = allRows<OutcomeReason>(outcomeReasonResource)

/** The pipelines in use, in their order, and the stages of each. */
export const usePipelines = () => {
  const pipelines = useQuery(pipelineList)
  const stages = useQuery(stageList)
  const order = <Row extends { position: number; name: string }>(rows: readonly Row[] | undefined) =>
    (rows ?? []).toSorted((a, b) => a.position - b.position || a.name.localeCompare(b.name))
  return {
    isPending: pipelines.isPending || stages.isPending,
    pipelines: order(pipelines.data).filter(({ isActive }) => isActive),
    stages: order(stages.data),
  }
}

export const opportunityList = (asked: OpportunitiesAsked) =>
  pagedList<Page<Opportunity>>(
    [...opportunitiesKey, 'list', asked],
    '/opportunities',
    { ...asked, limit: pageSize },
    { counts: true },
  )

const monthLimit = 2_000
/** Every one whose forecast lies in some days: what a calendar shows. */
export const opportunitiesBetween = (asked: OpportunitiesAsked & { startDate: string; endDate: string }) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'days', asked],
    queryFn: ({ signal }) => readAll<Opportunity>('/opportunities', asked, signal, monthLimit),
  })

/** What stands in the company's calendars in some days, ours too. */
export const calendarEventsQuery = (days: CalendarEventsQuery) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'events', days],
    queryFn: async ({ signal }) =>
      (await api.get<Page<CalendarEvent>>('/google-calendar/events', { query: days, signal, quiet: true })).items,
  })

export const opportunityQuery = (id: string) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'row', id],
    queryFn: ({ signal }) => api.get<Opportunity>(`/opportunities/${id}`, { signal }),
  })
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'timeline', id],
    queryFn: ({ signal }) => api.get<OpportunityMove[]>(`/opportunities/${id}/timeline`, { signal }),
  })
export const dashboardQuery = (asked: FunnelDashboardQuery) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'dashboard', asked],
    queryFn: ({ signal }) =>
      api.get<FunnelDashboard>('/opportunities/dashboard', { query: asked, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const boardQuery = (asked: BoardAsked) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'board', asked],
    queryFn: ({ signal }) => api.get<OpportunityBoard>('/opportunities/board', { query: asked, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

type Columns = OpportunityBoard['columns']
type Column = Columns[number]
/** Reads the next cards of a column into it. */
export const useMoreCards = (asked: BoardAsked) => {
  const cache = useQueryClient()
  const { queryKey } = boardQuery(asked)
  return useMutation({
    mutationFn: ({ stageId, nextCursor }: Column) =>
      api.get<OpportunityBoard>('/opportunities/board', { query: { ...asked, column: stageId, cursor: nextCursor } }),
    onSuccess: ({ columns: [more] }, { stageId }) =>
      more &&
      cache.setQueryData<OpportunityBoard>(queryKey, (now) => ({
        columns: (now?.columns ?? []).map((column) =>
          column.stageId === stageId
            ? {
                ...column,
                nextCursor: more.nextCursor,
                cards: [...column.cards, ...more.cards.filter(({ id }) => !column.cards.some((one) => one.id === id))],
              }
            : column,
        ),
      })),
    onError: (error) => notify.error(messageOf(error)),
  })
}

export const exportOpportunities = (asked: OpportunitiesAsked) =>
  api.post<BulkJob>('/opportunities/export', said(asked))
export const createOpportunity = (values: OpportunityCreate) => api.post<Opportunity>('/opportunities', values)
export const saveOpportunity = (id: string, patch: OpportunityPatch) =>
  api.put<Opportunity>(`/opportunities/${id}`, patch)
export const deleteOpportunity = (id: string) => api.delete(`/opportunities/${id}`)
export const addNote = (id: string, body: string) => api.post<OpportunityMove[]>(`/opportunities/${id}/notes`, { body })

const moveKey = ['move opportunity']
/**
 * Brings cards to other stages: shown at once over what the server tells, saved one after the other. `onRefused` is
 * handed the refusal, so that what a stage requires can be filled in.
 */
export const useMoveOpportunity = (asked: BoardAsked, onRefused: (move: Move, error: unknown) => void) => {
  const cache = useQueryClient()
  const { queryKey } = boardQuery(asked)
  const mutation = useMutation({
    mutationKey: moveKey,
    scope: { id: 'move opportunity' }, // one after the other, as they were asked for
    mutationFn: ({ card, stageId, beforeId }: Move & { undone?: boolean; backBefore?: string | null }) =>
      saveOpportunity(card.id, { stageId, ...(beforeId !== undefined && { beforeId }) }),
    onSuccess: async (saved, { card, beforeId, undone, backBefore }) => {
      await cache.cancelQueries({ queryKey })
      cache.setQueryData(opportunityQuery(saved.id).queryKey, saved)
      cache.setQueryData(queryKey, (now) => now && { columns: placed(now.columns, saved, beforeId) })
      if (undone) return
      const back = () => mutation.mutate({ ...moveTo(saved, card.stageId), beforeId: backBefore, undone: true })
      notify.success(`${card.name}: movida`, { label: 'Desfazer', onClick: back })
    },
    onError: (error, { undone, ...move }) => (undone ? notify.error(reasonOf(error)) : onRefused(move, error)),
    onSettled: () => void cache.invalidateQueries({ queryKey: opportunitiesKey }),
  })
  const pending = useMutationState({
    filters: { mutationKey: moveKey, status: 'pending' },
    select: ({ state }) => state.variables as Move, // the only ones with this key
  })
  return {
    shown: (columns: Columns) => withMoves(columns, pending),
    move: (columns: Columns, card: Opportunity, stageId: string) =>
      mutation.mutate({ ...moveTo(card, stageId), backBefore: followerOf(columns, card) }),
  }
}
const moveTo = (card: Opportunity, stageId: string): Move => ({ card, stageId, movedAt: new Date().toISOString() })
