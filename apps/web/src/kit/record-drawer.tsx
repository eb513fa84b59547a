import { Drawer, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonList } from '../ui/skeleton-list.tsx'
import { messageOf } from './api-error.ts'

type Props<Row> = {
  query: UseQueryResult<Row>
  title: string
  onClose: () => void
  children: (row: Row) => ReactNode
}

/** A row of a reading list, whole, beside it: while it is read, when that fails, and what it says. */
export const RecordDrawer = <Row,>({ query: { data, error, refetch }, title, onClose, children }: Props<Row>) => (
  <Drawer
    opened
    onClose={onClose}
    position="right"
    size={560}
    title={
      <Text fw={600} size="lg" component="span">
        {title}
      </Text>
    }
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {data !== undefined ? (
      <Stack gap="md">{children(data)}</Stack>
    ) : error ? (
      <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
    ) : (
      <SkeletonList />
    )}
  </Drawer>
)
