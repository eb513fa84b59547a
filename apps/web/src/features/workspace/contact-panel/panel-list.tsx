import type { Page } from '@balcao/contract/common.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './contact-panel.module.css'
import { MoreButton } from './more-button.tsx'
import { None } from './panel-section.tsx'

type Props<Row> = {
  list: UseInfiniteQueryResult<InfiniteData<Page<Row>>>
  /** Said when there is none. */
  none: string
  /** What the button below is called; false: no button. */
  createLabel: string | false
  onCreate: () => void
  children: (row: Row) => ReactNode
}

/** What the contact has of a kind, a line each, and the way to one more. */
export const PanelList = <Row extends { id: string }>({
  list,
  none,
  createLabel,
  onCreate,
  children: line,
}: Props<Row>) => {
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {list.isPending ? (
        <SkeletonList rows={1} height={44} />
      ) : list.isError && rows.length === 0 ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        rows.length === 0 && <None text={none} />
      )}
      {rows.length > 0 && (
        <ul className={classes.lines}>
          {rows.map((row) => (
            <li key={row.id} className={classes.lineItem}>
              {line(row)}
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={list}>Mostrar mais</MoreButton>
      {createLabel && (
        <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={15} aria-hidden />} onClick={onCreate}>
          {createLabel}
        </Button>
      )}
    </>
  )
}
