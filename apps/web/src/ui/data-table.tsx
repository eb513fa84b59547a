import { Button, Checkbox, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import classes from './data-table.module.css'

export type Column<Row> = {
  key: string
  label: string
  render?: (row: Row) => ReactNode
  sortable?: boolean
  align?: 'left' | 'right' | 'center'
  width?: number | string
  /** Has what the others leave, and cuts what is longer: for the longest words of a row. */
  fills?: boolean
  /** Left out where the screen is narrow. */
  wideOnly?: boolean
  /** Left out where the table itself has less room than that, whatever stands beside it. */
  from?: 'ample' | 'vast'
}
export type Sorting = { by: string; direction: 'asc' | 'desc' }

export type DataTableProps<Row> = {
  /** What the table holds, for screen readers: "Etiquetas". */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** A second line in the first column where the screen is narrow: what the columns left out say there. */
  under?: (row: Row) => ReactNode
  rowId: (row: Row) => string
  /** How a row is called when it is chosen or opened. */
  rowName: (row: Row) => string
  sorting?: Sorting
  onSort?: (sorting: Sorting) => void
  selected?: ReadonlySet<string>
  onSelect?: (selected: Set<string>) => void
  /** What can be done with the chosen rows. */
  bulkActions?: ReactNode
  onOpen?: (row: Row, event: MouseEvent | KeyboardEvent) => void
  activeId?: string | null
  rowActions?: (row: Row) => ReactNode
  hasMore?: boolean
  onMore?: () => void
  loadingMore?: boolean
  /** "128 etiquetas": the sentence at the foot. */
  summary?: ReactNode
}

/** Dense rows under a header that stays, chosen by box, opened by click or Enter, continued by "Carregar mais". */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, columns, rowId, selected, onSelect, rowActions, hasMore, onMore, loadingMore, summary } = props
  const chosen = selected?.size ?? 0
  // Rows may stay chosen that a search does not show.
  const ids = rows.map(rowId)
  const here = ids.filter((id) => selected?.has(id)).length
  const isWhole = here > 0 && here === ids.length
  return (
    <div className={classes.frame}>
      <div className={classes.scroll} data-measured={columns.some(({ from }) => from)}>
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              {onSelect && (
                <th className={classes.check}>
                  <Checkbox
                    size="xs"
                    aria-label={isWhole ? 'Desmarcar tudo' : 'Marcar tudo'}
                    checked={isWhole}
                    indeterminate={here > 0 && !isWhole}
                    onChange={() => {
                      const others = [...(selected ?? [])].filter((id) => !ids.includes(id))
                      onSelect(new Set(isWhole ? others : [...others, ...ids]))
                    }}
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sorting={props.sorting} onSort={props.onSort} />
              ))}
              {rowActions && (
                <th className={classes.actions}>
                  <span className={classes.unseen}>Ações</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <BodyRow key={rowId(row)} row={row} {...props} />
            ))}
          </tbody>
        </table>
        {(hasMore || summary) && (
          <div className={classes.foot}>
            <span className="tabular">{summary}</span>
            {hasMore && (
              <Button variant="default" size="xs" onClick={onMore} loading={loadingMore}>
                Carregar mais
              </Button>
            )}
          </div>
        )}
      </div>
      {chosen > 0 && onSelect && (
        <div className={classes.bulk} role="toolbar" aria-label="Ações com os selecionados">
          <span className="tabular">{chosen === 1 ? '1 selecionado' : `${chosen} selecionados`}</span>
          {props.bulkActions}
          <Button variant="subtle" color="gray" size="xs" onClick={() => onSelect(new Set())}>
            Limpar seleção
          </Button>
        </div>
      )}
    </div>
  )
}

type HeaderDataTableProps<Row> = { column: Column<Row>; sorting?: Sorting; onSort?: (sorting: Sorting) => void }

const HeaderCell = <Row,>({ column, sorting, onSort }: HeaderDataTableProps<Row>) => {
  const active = sorting?.by === column.key
  const Arrow = !active ? IconArrowsSort : sorting.direction === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <th
      style={{ width: column.width, textAlign: column.align }}
      className={classesOf(column)}
      aria-sort={active ? (sorting.direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {column.sortable && onSort ? (
        <UnstyledButton
          className={classes.sort}
          data-active={active}
          onClick={() => onSort({ by: column.key, direction: active && sorting.direction === 'asc' ? 'desc' : 'asc' })}
        >
          {column.label}
          <Arrow size={14} aria-hidden />
        </UnstyledButton>
      ) : (
        column.label
      )}
    </th>
  )
}

const BodyRow = <Row,>({ row, ...table }: DataTableProps<Row> & { row: Row }) => {
  const id = table.rowId(row)
  const { onOpen, onSelect, selected, under } = table
  const handleClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('button, a, input, label, [data-stop]')) return
    onOpen?.(row, event)
  }
  return (
    <tr className={classes.row} data-active={id === table.activeId} data-opens={Boolean(onOpen)} onClick={handleClick}>
      {onSelect && selected && (
        <td className={classes.check} data-stop>
          <Checkbox
            size="xs"
            aria-label={`Selecionar ${table.rowName(row)}`}
            checked={selected.has(id)}
            onChange={() => onSelect(toggled(selected, id))}
          />
        </td>
      )}
      {table.columns.map((column, index) => (
        <td
          key={column.key}
          style={{ textAlign: column.align }}
          className={[classesOf(column), index === 0 && under && classes.lead].filter(Boolean).join(' ') || undefined}
        >
          {index === 0 && onOpen ? (
            <UnstyledButton className={classes.open} onClick={(event) => onOpen(row, event)}>
              {cell(row, column)}
              {under && <span className={classes.under}>{under(row)}</span>}
            </UnstyledButton>
          ) : (
            <>
              {cell(row, column)}
              {index === 0 && under && <span className={classes.under}>{under(row)}</span>}
            </>
          )}
        </td>
      ))}
      {table.rowActions && (
        <td className={classes.actions} data-stop>
          {table.rowActions(row)}
        </td>
      )}
    </tr>
  )
}

const classesOf = <Row,>({ wideOnly, fills, from }: Column<Row>) =>
  [wideOnly && classes.wideOnly, fills && classes.fills, from && classes[from]].filter(Boolean).join(' ') || undefined

const cell = <Row,>(row: Row, column: Column<Row>): ReactNode => {
  if (column.render) return column.render(row)
  const value: unknown = row && typeof row === 'object' ? Reflect.get(row, column.key) : undefined
  return value === null || value === undefined || value === '' ? <span className={classes.none}>—</span> : String(value)
}

const toggled = (selected: ReadonlySet<string>, id: string) => {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}
