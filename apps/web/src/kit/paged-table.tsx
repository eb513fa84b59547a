import type { Page } from '@balcao/contract/common.ts'
import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonList } from '../ui/skeleton-list.tsx'
import { messageOf } from './api-error.ts'
import { formatNumber } from './format.ts'

type Props<Row> = Omit<DataTableProps<Row>, 'rows' | 'rowId' | 'hasMore' | 'onMore' | 'loadingMore' | 'summary'> & {
  list: UseInfiniteQueryResult<InfiniteData<Page<Row>>>
  /** Said when the filter finds nothing; `onClear` takes it away. */
  filtered: false | { title: string; text: string; onClear: () => void }
  /** Said when there is nothing at all. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** "exibidos", "exibidas". */
  shown?: string
}

/** A list that comes by pages: while it loads, when it fails, when it is empty, and its table. */
export const PagedTable = <Row extends { id: string | number }>({
  list,
  filtered,
  empty,
  shown = 'exibidos',
  ...table
}: Props<Row>) => {
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const count = list.data?.pages[0]?.count
  if (list.isPending) return <SkeletonList />
  if (list.isError && rows.length === 0)
    return <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
  if (rows.length === 0)
    return filtered ? (
      <EmptyState
        icon={<IconSearchOff size={26} stroke={1.5} />}
        title={filtered.title}
        action={
          <Button variant="default" onClick={filtered.onClear}>
            Limpar busca e filtros
          </Button>
        }
      >
        {filtered.text}
      </EmptyState>
    ) : (
      <EmptyState title={empty.title} action={empty.action}>
        {empty.text}
      </EmptyState>
    )
  const known = formatNumber(rows.length)
  return (
    <DataTable
      {...table}
      rows={rows}
      rowId={(row) => String(row.id)}
      hasMore={list.hasNextPage}
      onMore={() => void list.fetchNextPage()}
      loadingMore={list.isFetchingNextPage}
      summary={
        count === undefined
          ? `${known} ${rows.length === 1 ? shown.slice(0, -1) : shown}`
          : `${known} de ${formatNumber(count)}`
      }
    />
  )
}
