import type { ComponentProps } from 'react'
import { PagedTable } from './paged-table.tsx'
import { useGo } from './use-go.ts'

type Props<Row extends { id: string }> = Omit<ComponentProps<typeof PagedTable<Row>>, 'filtered' | 'onOpen'> & {
  ticketOf: (row: Row) => string
  isFiltered: boolean
  onClear: () => void
}

/** A list one reads and leaves for a ticket: every row opens its conversation. */
export const ReadingList = <Row extends { id: string }>({ ticketOf, isFiltered, onClear, ...list }: Props<Row>) => {
  const go = useGo()
  return (
    <PagedTable
      {...list}
      filtered={
        isFiltered && {
          title: 'Nada encontrado',
          text: 'Busque por outra palavra ou escolha outro período.',
          onClear,
        }
      }
      onOpen={(row, event) => go(`/atendimento/${ticketOf(row)}`, event)}
    />
  )
}
