import type { ComponentProps, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Page } from '../ui/page.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { PagedTable } from './paged-table.tsx'
import classes from './reading-screen.module.css'
import { useUrlState } from './url-state.ts'
import { useGo } from './use-go.ts'

type Table<Row extends { id: string | number }> = ComponentProps<typeof PagedTable<Row>>
type Props<Row extends { id: string | number }> = Omit<Table<Row>, 'label' | 'filtered' | 'onOpen'> & {
  title: string
  /** One sentence of what the screen is for. */
  purpose: string
  actions?: ReactNode
  /** What the search is of; left out, there is none. It stands in the address, as every filter (`useUrlState`). */
  searchLabel?: string
  filters?: ReactNode
  /** Above the list: what is under way with it. */
  progress?: ReactNode
  /** And numbers about it. */
  above?: ReactNode
  /** Each row leads to a conversation. */
  ticketOf?: (row: Row) => string
  /** Or opens beside the list. */
  onOpen?: (row: Row, event: MouseEvent | KeyboardEvent) => void
  /** What stands beside the list: a drawer, a dialog. */
  children?: ReactNode
}

/** What narrows nothing: the row that stands open, and which of several lists it is. */
const noFilter = ['registro', 'ver', 'resultado']

/** A list one only reads: title, search and filters in the address, export, pages, and what a row leads to. */
export const ReadingScreen = <Row extends { id: string | number }>(props: Props<Row>) => {
  const { title, purpose, actions, searchLabel, filters, progress, above, ticketOf, onOpen, children, ...table } = props
  const go = useGo()
  const [search, setSearch] = useUrlState('busca')
  const [params, setParams] = useSearchParams()
  const isFiltered = [...params.keys()].some((name) => !noFilter.includes(name))
  const toTicket =
    ticketOf && ((row: Row, event: MouseEvent | KeyboardEvent) => go(`/atendimento/${ticketOf(row)}`, event))
  const list = (
    <PagedTable
      {...table}
      label={title}
      onOpen={toTicket ?? onOpen}
      filtered={
        isFiltered && {
          title: 'Nada encontrado',
          text: `${searchLabel ? 'Busque por outra palavra, mude' : 'Mude'} os filtros ou tire todos.`,
          onClear: () => setParams({}, { replace: true }),
        }
      }
    />
  )
  return (
    <Page
      header={
        <PageHeader title={title} purpose={purpose} actions={actions}>
          {(searchLabel || filters) && (
            <>
              {searchLabel && <SearchInput label={searchLabel} value={search} onSearch={setSearch} />}
              {filters}
            </>
          )}
        </PageHeader>
      }
    >
      {progress && <div className={classes.progress}>{progress}</div>}
      {above}
      {above ? <div className={classes.list}>{list}</div> : list}
      {children}
    </Page>
  )
}
