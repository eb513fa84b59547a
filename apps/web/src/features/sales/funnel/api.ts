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
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { said } from '../../../kit/api-client.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { allRows, readAll } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'

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

type Column = OpportunityBoard['columns'][number]
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

type Move = { card: Opportunity; stageId: string }
/**
 * A card goes to another stage: shown at once, saved, and taken back where the server refuses. `onRefused` is handed the
 * refusal, so that what a stage requires can be filled in.
 */
export const useMoveOpportunity = (asked: BoardAsked, onRefused: (move: Move, error: unknown) => void) => {
  const cache = useQueryClient()
  const { queryKey } = boardQuery(asked)
  const place = ({ card, stageId }: Move) =>
    cache.setQueryData<OpportunityBoard>(queryKey, (now) => ({
      columns: (now?.columns ?? []).map((column) => {
        const isFrom = column.cards.some(({ id }) => id === card.id)
        const isTo = column.stageId === stageId
        if (isTo === isFrom) return column
        const by = isTo ? 1 : -1
        const cards = isTo
          ? [{ ...card, stageId, stageSince: new Date().toISOString() }, ...column.cards]
          : column.cards.filter(({ id }) => id !== card.id)
        return { ...column, cards, total: column.total + by, value: column.value + by * card.value }
      }),
    }))
  return useMutation({
    scope: { id: 'move opportunity' }, // one after the other, as they were asked for
    mutationFn: ({ card, stageId }: Move) => saveOpportunity(card.id, { stageId }),
    onMutate: async (move) => {
      await cache.cancelQueries({ queryKey })
      const columns = cache.getQueryData<OpportunityBoard>(queryKey)?.columns ?? []
      const from = columns.find(({ stageId }) => stageId === move.card.stageId)
      const at = from?.cards.findIndex(({ id }) => id === move.card.id) ?? -1
      place(move)
      // Undone, it goes back to its place: in front of the card that followed it, or to the end.
      return {
        beforeId: at < 0 || !from ? undefined : (from.cards[at + 1]?.id ?? (from.nextCursor ? undefined : null)),
      }
    },
    onSuccess: (saved, { card }, { beforeId }) => {
      cache.setQueryData(opportunityQuery(saved.id).queryKey, saved)
      const back = () => {
        void saveOpportunity(card.id, { stageId: card.stageId, ...(beforeId !== undefined && { beforeId }) })
          .catch((error: unknown) => notify.error(messageOf(error)))
          .finally(() => void cache.invalidateQueries({ queryKey: opportunitiesKey }))
      }
      notify.success(`${card.name}: movida`, { label: 'Desfazer', onClick: back })
    },
    onError: (error, move) => onRefused(move, error),
    onSettled: () => void cache.invalidateQueries({ queryKey: opportunitiesKey }),
  })
}
