import type { ErrorCode, FieldProblem } from '@balcao/contract/errors.ts'
import type { Resource, RowOf, WriteOf } from '@balcao/contract/resource.ts'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconDownload, IconFileTypeXls, IconPlus, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import type { Column } from '../ui/data-table.tsx'
import { ForbiddenState } from '../ui/forbidden-state.tsx'
import { GoneDialog } from '../ui/gone-dialog.tsx'
import { loadingOverlay } from '../ui/loading-overlay.tsx'
import { notify } from '../ui/notify.ts'
import { Page } from '../ui/page.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import type { QueryValue } from './api-client.ts'
import { type ApiError, isApiError, messageOf } from './api-error.ts'
import { downloadText, toCsv } from './csv.ts'
import { formatNumber } from './format.ts'
import { keepRows } from './paged-list.ts'
import { PagedTable } from './paged-table.tsx'
import { deleteRow, type ListQuery, type PlainRow, readAll, resourceList, resourceRow } from './resource-api.ts'
import { ResourceForm } from './resource-form.tsx'
import classes from './resource-screen.module.css'
import { useUrlState } from './url-state.ts'
import { useCan } from './use-can.ts'
import { useOpened, useOpenedRow } from './use-opened.ts'

export type ResourceColumn<Row> = Omit<Column<Row>, 'label'> & {
  /** The resource's word for the field when not given. */
  label?: string
  /** What the cell is in the CSV, where `render` draws something richer. */
  csv?: (row: Row) => unknown
}

/** Rows that are about to be deleted, for a dialog that has more to ask. */
export type Removal<Row> = {
  rows: Row[]
  /** "a etiqueta “Vendas”", "3 etiquetas". */
  what: string
  busy: boolean
  /** Deletes them; `body` goes along with each. */
  onConfirm: (body?: object) => void
  onClose: () => void
  /** They go by themselves, a little later: what stands open of them closes with the question. */
  onBegun: () => void
}

/** A row that stands open, for a drawer that draws more than fields; null: a new one. */
export type FormAsked<Row> = {
  row: Row | null
  readOnly: boolean
  onClose: () => void
  /** The list is read anew. */
  onSaved: () => void
  /** Asks whether to delete it; left out where that is not to be. */
  onDelete?: () => void
}

/** Word, limits and value of a text that is written; the first of a form takes the keyboard. */
type InputOf<Name extends string> = (name: Name) => ReturnType<UseFormReturnType<Values>['getInputProps']> & {
  label: string
  required: boolean
  maxLength: number | undefined
}

type Slots<Row, Written> = {
  /** One sentence of what the screen is for. */
  purpose?: string
  title?: string
  columns: ResourceColumn<Row>[]
  /** What is written, in the drawer every resource has; `inputOf` is what its definition knows of a text. */
  fields?: (form: UseFormReturnType<Written>, row: Row | null, inputOf: InputOf<keyof Written & string>) => ReactNode
  /** A drawer of its own, in the place of that one. Without both, rows do not open. */
  form?: (asked: FormAsked<Row>) => ReactNode
  /** False: rows are only read, or changed; nothing is deleted here. */
  remove?: false
  /** False: rows go one by one, where each asks something of its own. */
  bulk?: false
  /** False: the server keeps one order. */
  ordered?: false
  /** How the row of an address is read alone, where not by its path. */
  readRow?: (id: string, signal: AbortSignal) => Promise<Row>
  searchLabel?: string
  /** "Bloquear número", where "Criar" is not the verb; the form's button takes its first word. */
  createLabel?: string
  /** What stands where one would create, where that is something else. */
  actions?: ReactNode
  /** How a row is called in questions and for screen readers; its `name` when not given. */
  rowName?: (row: Row) => string
  /** Start of a new form, where the schema has no default. */
  newValues?: Partial<Written>
  /** Form values that are not the row's field of the same name. */
  toValues?: (row: Row) => Partial<Written>
  /** Words for fields where the resource's would not do here. */
  labels?: Partial<Record<keyof Written & string, string>>
  /** Rules over several fields, after the schema. */
  check?: (values: Written) => readonly FieldProblem[]
  beforeSave?: (values: Written, row: Row | null) => Promise<Written> | Written
  /** After a new one is there. */
  onCreated?: (row: Row, written: Written) => void
  rowActions?: (row: Row) => ReactNode
  /** A second line in the first column where the screen is narrow: what the columns left out say there. */
  under?: (row: Row) => ReactNode
  /** What else can be done with the chosen rows, or with all that `listed` finds; `done` takes the choice away. */
  bulkActions?: (chosen: Row[], done: () => void, listed: ListQuery) => ReactNode
  /** Buttons beside the export. */
  tools?: ReactNode
  /** Controls beside the search, and what they add to the request; without `clearFilters`, what the screen is about. */
  extraFilters?: ReactNode
  query?: Record<string, QueryValue>
  /** Takes search and filters away; given when `extraFilters` are. */
  clearFilters?: () => void
  /** The field a refusal belongs to, where the server names none: `{ ERR_DUPLICATED_EMAIL: 'email' }`. */
  refusedField?: Partial<Record<ErrorCode, keyof Written & string>>
  /** False: what there is can be changed, but nothing added. */
  mayCreate?: boolean
  /** May this row be changed by this person? Everybody with the write permission when not given. */
  canWrite?: (row: Row) => boolean
  emptyText?: string
  /** Above the list: what is under way with it. */
  progress?: ReactNode
  /** Says more about a refusal than its sentence, above the fields: "this is the other contact". */
  explain?: (error: ApiError) => ReactNode
  /** Asks before rows are deleted, where there is more to ask than whether. */
  removal?: (asked: Removal<Row>) => ReactNode
  /** The server's own export, where the list is too long to be read page by page. */
  exportAll?: (query: ListQuery) => Promise<void>
  /** The same as an Excel workbook, where the server makes one. */
  exportXlsx?: (query: ListQuery) => Promise<void>
  /** False where this person may not take the list away. */
  mayExport?: boolean
}

/**
 * One administrable thing, whole: list with search, sorting and paging in the URL, create and edit beside it, bulk
 * delete, CSV, conflicts, live updates and every empty, loading, failing and forbidden state.
 */
export const ResourceScreen = <R extends Resource>({
  resource,
  ...slots
}: { resource: R } & Slots<RowOf<R>, WriteOf<R>>) => (
  <Screen {...({ resource, ...slots } as unknown as PlainScreen)} /> // inside, rows and forms are plain records; the slots' types meet them at this one door
)

export type Values = Record<string, unknown>
export type PlainScreen = { resource: Resource } & Slots<PlainRow, Values>
/** With a word over every column. */
export type LabelledScreen = Omit<PlainScreen, 'columns'> & {
  columns: (ResourceColumn<PlainRow> & { label: string })[]
}

const Screen = (given: PlainScreen) => {
  const { resource, rowActions, query } = given
  const labelOf = (key: string) => given.labels?.[key] ?? resource.fields[key] ?? key
  const columns = given.columns.map((column) => ({ ...column, label: column.label ?? labelOf(column.key) }))
  const screen: LabelledScreen = { ...given, columns }
  const { one, many } = resource.label
  const cache = useQueryClient()
  const mayWrite = useCan(resource.can.write)
  const mayDelete = useCan(resource.can.delete ?? resource.can.write) && given.remove !== false
  const mayRead = useCan(resource.can.read)
  const mayChoose = screen.bulk !== false && (mayDelete || (mayWrite && screen.bulkActions !== undefined))
  const [searchParam, setSearch] = useUrlState('busca')
  const [order, setOrder] = useUrlState('ordem', resource.sort[0])
  const { opened, setOpened } = useOpened()
  const [marked, setMarked] = useState<Set<string>>(new Set())
  const [deleting, setDeleting] = useState<PlainRow[] | null>(null)
  const [busy, setBusy] = useState(false)

  const sorting = {
    by: order.replace(/^-/, ''),
    direction: order.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }
  const listQuery = { searchParam, sort: sorting.by, direction: sorting.direction, ...query }
  const list = useInfiniteQuery({
    ...resourceList(resource, listQuery),
    placeholderData: keepRows,
    enabled: mayRead,
  })
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const chosen = rows.filter((of) => marked.has(of.id)) // what a search hides is neither counted nor deleted
  const { row, alone } = useOpenedRow(opened, list, resourceRow(resource, opened ?? '', screen.readRow))
  const nameOf = screen.rowName ?? ((of: PlainRow) => String(of.name ?? of.id))

  const renew = () => cache.invalidateQueries({ queryKey: ['resource', resource.event] })
  const handleDelete = async (body?: object) => {
    setBusy(true)
    const outcome = await deleteAll(screen, deleting ?? [], nameOf, body)
    setBusy(false)
    setDeleting(null)
    setMarked(new Set(outcome.refused))
    if (opened && !outcome.refused.includes(opened)) setOpened(null)
    void renew()
  }
  const handleExport = (exported = screen.exportAll ?? ((query: ListQuery) => exportCsv(screen, query))) =>
    loadingOverlay.during(exported(listQuery)).catch((error: unknown) => notify.error(messageOf(error)))

  const onClose = () => setDeleting(null)
  const onBegun = () => {
    if (opened && deleting?.some(({ id }) => id === opened)) setOpened(null)
    setDeleting(null)
  }
  const close = () => setOpened(null)
  const renewAll = () => void renew()
  const isOwn = !row || !screen.canWrite || screen.canWrite(row)
  const readOnly = !mayWrite || !isOwn
  const onDelete = row && mayDelete && isOwn ? () => setDeleting([row]) : undefined
  const what =
    deleting?.length === 1 && deleting[0]
      ? `${one.toLowerCase()} “${nameOf(deleting[0])}”`
      : `${deleting?.length ?? 0} ${many.toLowerCase()}`

  if (!mayRead || isApiError(list.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  const createButton = mayWrite && screen.mayCreate !== false && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('novo')}>
      {screen.createLabel ?? `Criar ${one.toLowerCase()}`}
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader title={screen.title ?? many} purpose={screen.purpose} actions={screen.actions ?? createButton}>
          <span className={classes.first}>
            <SearchInput
              label={screen.searchLabel ?? `Buscar em ${many.toLowerCase()}`}
              value={searchParam}
              onSearch={setSearch}
            />
            {screen.mayExport !== false && (
              <Tooltip label="Baixar CSV">
                <ActionIcon
                  variant="default"
                  aria-label="Baixar CSV"
                  onClick={() => void handleExport()}
                  disabled={rows.length === 0}
                  className={classes.export}
                >
                  <IconDownload size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            )}
            {screen.mayExport !== false && screen.exportXlsx && (
              <Tooltip label="Baixar Excel (XLSX)">
                <ActionIcon
                  variant="default"
                  aria-label="Baixar Excel (XLSX)"
                  onClick={() => void handleExport(screen.exportXlsx)}
                  disabled={rows.length === 0}
                  className={classes.export}
                >
                  <IconFileTypeXls size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            )}
            {screen.tools && <span className={classes.tools}>{screen.tools}</span>}
          </span>
          {screen.extraFilters}
        </PageHeader>
      }
    >
      {screen.progress}
      <PagedTable
        list={list}
        label={many}
        columns={columns.map((column) => ({
          ...column,
          sortable: screen.ordered !== false && resource.sort.includes(column.key),
        }))}
        under={screen.under}
        rowName={nameOf}
        sorting={screen.ordered === false ? undefined : sorting}
        onSort={({ by, direction }) => setOrder(direction === 'desc' ? `-${by}` : by)}
        selected={mayChoose ? new Set(chosen.map((of) => of.id)) : undefined}
        onSelect={mayChoose ? setMarked : undefined}
        bulkActions={
          <>
            {screen.bulkActions?.(chosen, () => setMarked(new Set()), listQuery)}
            {mayDelete && (
              <Button
                size="xs"
                color="red"
                variant="light"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setDeleting(chosen)}
              >
                Excluir
              </Button>
            )}
          </>
        }
        onOpen={screen.fields || screen.form ? (of) => setOpened(String(of.id)) : undefined}
        shown={resource.label.feminine ? 'exibidas' : 'exibidos'}
        activeId={opened}
        rowActions={rowActions}
        filtered={
          (searchParam !== '' || (screen.clearFilters !== undefined && isFiltered(query))) && {
            title: searchParam ? `Nada encontrado para “${searchParam}”` : 'Nada encontrado com estes filtros',
            text: searchParam
              ? 'Confira a grafia ou busque por outra palavra.'
              : 'Escolha outros filtros ou tire todos.',
            onClear: screen.clearFilters ?? (() => setSearch('')),
          }
        }
        empty={{ title: `Ainda não há ${many.toLowerCase()}`, text: screen.emptyText, action: createButton }}
      />
      {opened && row !== undefined && screen.form?.({ row, readOnly, onClose: close, onSaved: renewAll, onDelete })}
      {opened && row !== undefined && !screen.form && (
        <ResourceForm
          key={opened}
          screen={screen}
          row={row}
          readOnly={readOnly}
          onClose={close}
          onSaved={(saved, written) => {
            if (!row) screen.onCreated?.(saved, written)
            cache.setQueryData(resourceRow(resource, saved.id).queryKey, saved)
            close()
            void renew()
          }}
          footer={
            onDelete && (
              <Button variant="subtle" color="red" onClick={onDelete}>
                Excluir
              </Button>
            )
          }
        />
      )}
      <GoneDialog
        row={alone}
        title={`Não encontramos ${resource.label.feminine ? 'esta' : 'este'} ${one.toLowerCase()}`}
        backLabel="Voltar à lista"
        onBack={() => setOpened(null)}
      >
        Talvez outra pessoa tenha excluído.
      </GoneDialog>
      {screen.removal ? (
        deleting &&
        screen.removal({ rows: deleting, what, busy, onConfirm: (body) => void handleDelete(body), onClose, onBegun })
      ) : (
        <ConfirmDelete
          opened={deleting !== null}
          what={what}
          busy={busy}
          onConfirm={() => void handleDelete()}
          onClose={onClose}
        />
      )}
    </Page>
  )
}

/** What is in use is what a list shows by itself; asking for the rest is a filter. */
const isFiltered = ({ isActive, ...query }: Record<string, QueryValue> = {}) =>
  isActive === false || Object.values(query).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))

const together = 4

/** Deletes a few at a time and tells by name what the server refused. */
const deleteAll = async (
  { resource }: PlainScreen,
  rows: PlainRow[],
  nameOf: (row: PlainRow) => string,
  body?: object,
) => {
  const refused: string[] = []
  const queue = [...rows]
  const work = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      try {
        await deleteRow(resource, row.id, body)
      } catch (error) {
        if (isApiError(error) && error.status === 404) continue // someone was faster
        refused.push(row.id)
        notify.error(`${nameOf(row)}: ${messageOf(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(together, rows.length) }, work))
  const done = rows.length - refused.length
  if (done > 0) notify.success(done === 1 ? 'Exclusão concluída.' : `${formatNumber(done)} itens excluídos.`)
  return { refused }
}

const exportCsv = async ({ resource, columns }: LabelledScreen, query: Record<string, QueryValue>) => {
  const rows = await readAll<PlainRow>(resource.path, query)
  const cells = rows.map((row) => columns.map((column) => (column.csv ? column.csv(row) : row[column.key])))
  downloadText(
    toCsv(
      columns.map((column) => column.label),
      cells,
    ),
    `${resource.label.many.toLowerCase().replaceAll(' ', '-')}.csv`,
  )
}
