import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useConnectionState } from '../../../kit/socket.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { useLate } from '../../../ui/use-late.ts'
import { ticketList } from '../../conversations/tickets/api.ts'
import { countFilters, type TicketFilter, textOfFilter } from '../../conversations/tickets/filter.ts'
import { ticketsOf } from '../../conversations/tickets/list-cache.ts'
import { knownTicket } from '../../conversations/tickets/live.ts'
import { useMarks } from '../../conversations/tickets/marks.ts'
import { BulkProgress } from '../../operations/jobs/bulk-progress.tsx'
import type { ActionLetter } from './action-keys.ts'
import { FilterChips } from './filter-chips.tsx'
import { useAiming, useHeldOrder } from './held-order.ts'
import { ListEmpty } from './list-empty.tsx'
import { ListHead, ListTools } from './list-head.tsx'
import type { RowRequest } from './row-actions.tsx'
import { useProblemsHere } from './row-problem.ts'
import { TakeNextBar } from './take-next-bar.tsx'
import classes from './ticket-list.module.css'
import { type RowsHandle, TicketRows } from './ticket-rows.tsx'
import { useSelection } from './use-selection.ts'
import { ViewTabs } from './view-tabs.tsx'

const RowActions = lazyPart(async () => ({ default: (await import('./row-actions.tsx')).RowActions }))
const SelectionBar = lazyPart(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }))

/** What else works in my name, from imports to groups, is followed where it was asked for. */
const ofConversations: ReadonlySet<BulkJob['kind']> = new Set<BulkJob['kind']>([
  ...(['moveChannel', 'closeTickets', 'transferQueue', 'markRead', 'tagTickets'] as const),
])

export type ListHandle = {
  /** Opens that many conversations down the list, or up. */
  step: (by: number) => void
  /** The conversation that comes after this one, or before the last; the first where it is not listed; null: none. */
  neighbour: (id: string) => string | null
  /** Moves the focus from row to row. */
  focusStep: (by: number) => void
  focusSearch: () => void
  /** Does what the letter means to the row in focus, else to the open conversation; false when there is neither. */
  press: (letter: ActionLetter) => boolean
  /** The row in focus is another one than the open conversation. */
  isElsewhere: () => boolean
  select: () => void
  /** True when there was a selection to give up. */
  clearSelection: () => boolean
}
type Props = {
  filter: TicketFilter
  onFilter: (change: Partial<TicketFilter>) => void
  openId: string | null
  /** '' leaves the open conversation; a step keeps the keyboard in the list. */
  onOpen: (id: string, isStep?: boolean) => void
  onNew: () => void
  onSearchMessages?: () => void
  /** Missing where it is not allowed. */
  taking?: { isBusy: boolean; take: () => void }
  handle: RefObject<ListHandle | null>
}

/** The conversations of a view in the order asked for, kept by events, read page by page. */
export const TicketList = ({ filter, onFilter, openId, onOpen, onNew, onSearchMessages, taking, handle }: Props) => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  const canWrite = useCan('tickets.write')
  const frame = useRef<HTMLDivElement>(null)
  const rows = useRef<RowsHandle>(null)
  const [request, setRequest] = useState<RowRequest | null>(null)
  const marks = useMarks()
  const problems = useProblemsHere()
  const list = useInfiniteQuery(ticketList(filter))
  const pinnedList = useInfiniteQuery({
    ...ticketList({ ...filter, isPinned: true }),
    enabled: marks.pinned.size > 0,
  })
  const pinned = useMemo(
    () => ticketsOf(pinnedList.data).filter((ticket) => marks.pinned.has(ticket.id)),
    [pinnedList.data, marks],
  )
  const current = useMemo(
    () => ticketsOf(list.data).filter((ticket) => !marks.pinned.has(ticket.id)),
    [list.data, marks],
  )
  const area = useRef<HTMLDivElement>(null)
  const place = textOfFilter(filter)
  const others = useHeldOrder(current, useAiming(area), place)
  const tickets = useMemo(() => [...pinned, ...others], [pinned, others])
  const ids = useMemo(() => tickets.map((ticket) => ticket.id), [tickets])
  const { selected, toggle, clear } = useSelection(ids)
  const { online } = useNetwork()
  const isStale = useLate(useConnectionState() !== 'connected', 4_000) && online // offline, the whole screen says so

  const handlers = useMemo(
    () => ({
      onOpen: (id: string) => onOpen(id),
      onSelect: toggle,
      onMenu: (ticket: Ticket, at: { x: number; y: number }) => setRequest({ key: nextKey(), ticket, at }),
    }),
    [onOpen, toggle],
  )
  const rowInFocus = () =>
    document.activeElement instanceof HTMLElement ? (document.activeElement.dataset.ticket ?? null) : null

  useImperativeHandle(handle, () => ({
    step: (by) => {
      const at = ids.indexOf(openId ?? '')
      const next = at === -1 ? (by > 0 ? 0 : ids.length - 1) : at + by
      const id = ids[next]
      if (!id) return
      rows.current?.show(next)
      onOpen(id, true)
      requestAnimationFrame(() => rowOf(frame.current, id)?.focus({ preventScroll: true })) // it may only be drawn now
    },
    neighbour: (id) => neighbourIn(ids, id),
    focusStep: (by) => focusRow(frame.current, by, openId),
    focusSearch: () => frame.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
    press: (letter) => {
      const id = rowInFocus() ?? openId
      const ticket = id ? knownTicket(cache, id) : undefined
      if (ticket) setRequest({ key: nextKey(), ticket, letter })
      return ticket !== undefined
    },
    isElsewhere: () => {
      const id = rowInFocus()
      return id !== null && id !== openId
    },
    select: () => {
      const id = rowInFocus() ?? openId
      if (id && ids.includes(id)) toggle(id, false)
    },
    clearSelection: () => {
      clear()
      return selected.size > 0
    },
  }))

  const isDownAwaited = useRef(false)
  /** Down from the search, to what was found. */
  const handleDown = (event: KeyboardEvent) => {
    const { target } = event
    if (!isSearch(target)) return
    isDownAwaited.current = event.key === 'ArrowDown'
    if (!isDownAwaited.current) return
    event.preventDefault()
    isDownAwaited.current = !focusRow(frame.current, 1, null)
  }
  // Whoever is quicker than the list goes to what is found once it is there.
  useEffect(() => {
    if (!ids.length || !isDownAwaited.current) return
    requestAnimationFrame(() => {
      if (isSearch(document.activeElement)) isDownAwaited.current = !focusRow(frame.current, 1, null)
    })
  }, [ids])
  /** Arrows move between rows; Enter, as on any link, opens. */
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    if (!rowInFocus()) return
    event.preventDefault()
    focusRow(frame.current, event.key === 'ArrowDown' ? 1 : -1, openId)
  }
  /** Who works down the list by keyboard goes on from the place of the row that went. */
  const handleLeaving = (request: RowRequest) => {
    const next = 'letter' in request ? neighbourIn(ids, request.ticket.id) : null
    return () => {
      if (next) requestAnimationFrame(() => rowOf(frame.current, next)?.focus({ preventScroll: true }))
    }
  }
  const handleView = useCallback(
    (view: TicketFilter['view']) => {
      clear()
      onFilter({ view })
    },
    [clear, onFilter],
  )
  const handleEnd = useCallback(() => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }, [list.hasNextPage, list.isFetchingNextPage, list.fetchNextPage])

  return (
    <section className={classes.list} aria-label="Atendimentos" data-keys="list" ref={frame} onKeyDown={handleDown}>
      <ListHead filter={filter} onFilter={onFilter} onNew={canWrite ? onNew : undefined} />
      <ViewTabs filter={filter} onView={handleView} />
      {selected.size > 0 ? (
        <Suspense fallback={<div className={classes.bar} />}>
          <SelectionBar tickets={tickets.filter((ticket) => selected.has(ticket.id))} onClear={clear} />
        </Suspense>
      ) : (
        <ListTools filter={filter} onFilter={onFilter} onSearchMessages={onSearchMessages} />
      )}
      {countFilters(filter) > 0 && <FilterChips filter={filter} onFilter={onFilter} />}
      {isStale && (
        <div className={classes.offline} role="status">
          <IconWifiOff size={15} aria-hidden /> Reconectando. A lista pode estar desatualizada.
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links inside */}
      <div ref={area} className={classes.rows} onKeyDown={handleKey}>
        {list.isPending ? (
          <SkeletonList rows={10} height={68} withAvatar />
        ) : list.isError && tickets.length === 0 ? (
          <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
        ) : tickets.length === 0 ? (
          <ListEmpty filter={filter} onFilter={onFilter} onNew={canWrite ? onNew : undefined} />
        ) : (
          <TicketRows
            key={place}
            ref={rows}
            place={place}
            pinned={pinned}
            tickets={others}
            sort={filter.sort}
            openId={openId}
            userId={userId}
            selected={selected}
            marks={marks}
            problems={problems}
            handlers={handlers}
            onEnd={handleEnd}
          />
        )}
      </div>
      <BulkProgress only={({ kind }) => ofConversations.has(kind)} />
      {taking && <TakeNextBar filter={filter} isBusy={taking.isBusy} onTake={taking.take} />}
      <Opened onLost={() => setRequest(null)}>
        {request && (
          <RowActions
            key={request.key}
            request={request}
            isOpen={request.ticket.id === openId}
            onOpen={onOpen}
            onSelect={toggle}
            onLeaving={() => handleLeaving(request)}
          />
        )}
      </Opened>
    </section>
  )
}

let requests = 0
const nextKey = () => ++requests

const neighbourIn = (ids: readonly string[], id: string): string | null => {
  const at = ids.indexOf(id)
  return (at === -1 ? ids[0] : (ids[at + 1] ?? ids[at - 1])) ?? null
}

const rowOf = (frame: HTMLElement | null, id: string) => frame?.querySelector<HTMLElement>(`[data-ticket="${id}"]`)

/** From the row in focus to its neighbour; from elsewhere to the open conversation's row, or the first. */
const focusRow = (frame: HTMLElement | null, by: number, openId: string | null) => {
  const rows = [...(frame?.querySelectorAll<HTMLElement>('[data-ticket]') ?? [])]
  const at = rows.findIndex((row) => row.matches(':focus'))
  const open = rows.find((row) => row.dataset.ticket === openId)
  const next = at === -1 ? (open ?? rows[0]) : rows[at + by]
  next?.focus()
  return next !== undefined
}
const isSearch = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type === 'search'
