import {
  conditionProblem,
  isGroup,
  type Segment,
  type SegmentRow,
  segmentResource,
  type segmentUses,
} from '@balcao/contract/contacts/segments/segments.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { allRows } from '../../../kit/resource-api.ts'

export const segmentList = allRows<SegmentRow>(segmentResource)

/** Every condition says something, and no group is empty. */
export const isComplete = ({ rules }: Segment): boolean =>
  rules.length > 0 && rules.every((rule) => (isGroup(rule) ? isComplete(rule) : conditionProblem(rule) === undefined))

/** How many contacts the rules find; a question that was overtaken is given up. */
export const segmentCountQuery = (rules: Segment) =>
  queryOptions({
    queryKey: ['contacts', 'segment-count', rules],
    queryFn: ({ signal }) =>
      api.post<{ count: number; isMore: boolean }>('/segments/count', { rules }, { signal, quiet: true }),
    enabled: isComplete(rules),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
    retry: false,
  })

/** What asks whether somebody belongs to it. */
export const segmentUsesQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', segmentResource.event, 'uses', id],
    queryFn: ({ signal }) => api.get<z.output<typeof segmentUses>>(`${segmentResource.path}/${id}/uses`, { signal }),
    staleTime: 0,
  })

/** The address of the contacts list and of the board with a segment chosen. */
export const contactsOfSegment = (id: string) => `/contatos?segmento=${id}`
/** A new segment that begins with these rules. */
export const newSegmentWith = (rules: Segment) =>
  `/segmentos?registro=novo&regras=${encodeURIComponent(JSON.stringify(rules))}`
