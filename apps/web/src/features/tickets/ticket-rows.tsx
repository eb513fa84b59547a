import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconPinFilled } from '@tabler/icons-react'
import { type Ref, useMemo } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { TicketFilter } from './filter.ts'
import type { Marks } from './marks.ts'
import classes from './ticket-list.module.css'
import { type RowHandlers, TicketRow } from './ticket-row.tsx'

type Look = {
  sort: TicketFilter['sort']
  openId: string | null
  userId: string
  selected: ReadonlySet<string>
  marks: Marks
  handlers: RowHandlers
}
type Props = Look & {
  ref: Ref<VirtuosoHandle>
  pinned: readonly Ticket[]
  tickets: readonly Ticket[]
  onEnd: () => void
}
type Context = Look & { pinned: readonly Ticket[]; hasOthers: boolean }

/** The rows: what is pinned on top, in a section of its own; of the others only those in sight are drawn. */
export const TicketRows = ({ ref, pinned, tickets, onEnd, ...look }: Props) => {
  const { sort, openId, userId, selected, marks, handlers } = look
  const context = useMemo(
    (): Context => ({
      sort,
      openId,
      userId,
      selected,
      marks,
      handlers,
      pinned,
      hasOthers: tickets.length > 0,
    }),
    [sort, openId, userId, selected, marks, handlers, pinned, tickets.length],
  )
  return (
    <Virtuoso
      ref={ref}
      className={classes.virtual}
      data={tickets}
      context={context}
      fixedItemHeight={68}
      computeItemKey={keyOf}
      increaseViewportBy={300}
      endReached={onEnd}
      components={components}
      itemContent={rowOf}
    />
  )
}

const keyOf = (_: number, ticket: Ticket) => ticket.id
const rowOf = (_: number, ticket: Ticket, look: Look) => (
  <TicketRow
    ticket={ticket}
    isOpen={ticket.id === look.openId}
    isSelected={look.selected.has(ticket.id)}
    isSelecting={look.selected.size > 0}
    isMentioned={look.marks.mentioned.has(ticket.id)}
    userId={look.userId}
    sort={look.sort}
    {...look.handlers}
  />
)

const Pinned = ({ context }: { context: Context }) =>
  context.pinned.length > 0 && (
    <section aria-label="Fixados">
      <h2 className={classes.section}>
        <IconPinFilled size={13} aria-hidden /> Fixados
      </h2>
      {context.pinned.map((ticket) => (
        <div key={ticket.id}>{rowOf(0, ticket, context)}</div>
      ))}
      {context.hasOthers && <h2 className={classes.section}>Demais</h2>}
    </section>
  )
const components = { Header: Pinned }
