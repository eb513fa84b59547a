import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { IconPinFilled } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { TicketFilter } from '../../conversations/tickets/filter.ts'
import type { Marks } from '../../conversations/tickets/marks.ts'
import type { Problem } from './row-problem.ts'
import classes from './ticket-list.module.css'
import { type RowHandlers, TicketRow } from './ticket-row.tsx'

export type RowsHandle = {
  /** Scrolls as little as it takes to see that row, counted from the first pinned one. */
  show: (index: number) => void
}
type Props = {
  ref: Ref<RowsHandle>
  pinned: readonly Ticket[]
  tickets: readonly Ticket[]
  /** Which list this is: each is found again where one left it. */
  place: string
  sort: TicketFilter['sort']
  openId: string | null
  userId: string
  selected: ReadonlySet<string>
  marks: Marks
  problems: ReadonlyMap<string, Problem>
  handlers: RowHandlers
  onEnd: () => void
}

/** How far down each list one was, for as long as the page lives. */
const places = new Map<string, number>()

const rowPx = 68
const titlePx = 26

/** The rows: what is pinned on top, in a section of its own; of the others only those in sight are drawn. */
export const TicketRows = ({ ref, pinned, tickets, place, onEnd, ...look }: Props) => {
  const frame = useRef<HTMLDivElement>(null)
  const titles = pinned.length === 0 ? 0 : tickets.length === 0 ? 1 : 2
  const above = pinned.length * rowPx + titles * titlePx
  const virtual = useVirtualizer({
    count: tickets.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => tickets[index]?.id ?? index,
    overscan: 5,
    scrollMargin: above,
    initialOffset: () => places.get(place) ?? 0,
    useFlushSync: false, // a scroll is drawn with whatever else the frame brings
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index
  useEffect(() => {
    if (last === tickets.length - 1) onEnd()
  }, [last, tickets.length, onEnd])
  // A frame that has its rows again takes up its place; what is put away is no longer asked.
  useLayoutEffect(() => {
    frame.current?.scrollTo({ top: places.get(place) ?? 0 })
  }, [place])
  useImperativeHandle(ref, () => ({
    show: (index) => {
      if (index < pinned.length) frame.current?.scrollTo({ top: 0 })
      else virtual.scrollToIndex(index - pinned.length)
    },
  }))
  const row = (ticket: Ticket) => (
    <TicketRow
      ticket={ticket}
      isOpen={ticket.id === look.openId}
      isSelected={look.selected.has(ticket.id)}
      isSelecting={look.selected.size > 0}
      isMentioned={look.marks.mentioned.has(ticket.id)}
      problemHere={look.problems.get(ticket.id)}
      userId={look.userId}
      sort={look.sort}
      {...look.handlers}
    />
  )

  return (
    <div ref={frame} className={classes.virtual} onScroll={(event) => places.set(place, event.currentTarget.scrollTop)}>
      {pinned.length > 0 && (
        <section aria-label="Fixados">
          <h2 className={classes.section}>
            <IconPinFilled size={13} aria-hidden /> Fixados
          </h2>
          {pinned.map((ticket) => (
            <div key={ticket.id}>{row(ticket)}</div>
          ))}
          {tickets.length > 0 && <h2 className={classes.section}>Demais</h2>}
        </section>
      )}
      <div className={classes.rest} style={{ height: tickets.length * rowPx }}>
        {rows.map(({ key, index }) => {
          const ticket = tickets[index]
          return (
            ticket && (
              <div key={key} className={classes.placed} style={{ transform: `translateY(${index * rowPx}px)` }}>
                {row(ticket)}
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
