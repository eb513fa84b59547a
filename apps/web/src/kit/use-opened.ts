import type { Page } from '@balcao/contract/common.ts'
import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useChangeParams } from './url-state.ts'

const officeOpens = 'T09:00'

/**
 * The row that stands open beside a screen, as its address says (`registro=…`; `novo`: one that is being made): Back
 * closes it. `newAt` is the wall clock a new one begins with, where it was begun from a day.
 */
export const useOpened = (name = 'registro') => {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const [day, setDay] = useState<string | null>(null)
  const setOpened = (id: string | null, onDay: string | null = null) => {
    setDay(onDay)
    // What was closed is no place to come back to: Back would open it again.
    change((params) => (id ? params.set(name, id) : params.delete(name)), { replace: id === null })
  }
  return { opened: params.get(name), newAt: day ? day + officeOpens : '', setOpened }
}

/**
 * The row the address names beside its list: as the list has it, else read by itself (`alone`); null while one is being
 * made (`registro=novo`), undefined while it is not known.
 */
export const useOpenedRow = <Row extends { id: string | number }, Key extends QueryKey>(
  opened: string | null,
  list: Pick<UseInfiniteQueryResult<InfiniteData<Page<Row>>>, 'data' | 'isFetched'>,
  query: UseQueryOptions<Row, Error, Row, Key>,
) => {
  const listed = list.data?.pages.flatMap((page) => page.items).find((row) => String(row.id) === opened)
  const alone = useQuery({ ...query, enabled: Boolean(opened) && opened !== 'novo' && !listed && list.isFetched })
  const row: Row | null | undefined = opened === 'novo' ? null : (listed ?? alone.data)
  return { row, alone }
}
