import { DragDropProvider, DragOverlay, useDraggable, useDroppable } from '@dnd-kit/react'
import { ActionIcon, Loader, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import classes from './board.module.css'
import { nextColumn, placeOf } from './board-columns.ts'
import { plugins, sensors } from './dragging.ts'

export type BoardColumn<Card> = {
  key: string
  label: string
  /** In all, beyond the cards that are loaded. */
  count?: number
  head: ReactNode
  cards: readonly Card[]
  /** In the place of cards where there are none. */
  none: ReactNode
  isLoadingMore?: boolean
  /** Reads more; undefined: that is all. */
  onMore?: () => void
}
export type BoardProps<Card> = {
  label: string
  columns: readonly BoardColumn<Card>[]
  /** Columns share the whole width, where they are few; else each keeps its own. */
  fills?: boolean
  draw: (card: Card, columnKey: string) => ReactNode
  /** The card may be brought to that column. Left out: nothing can be moved. */
  takes?: (card: Card, columnKey: string) => boolean
  onMove: (card: Card, columnKey: string) => void
  /** What it is once it stands there, where a card is another in each column. */
  idIn?: (card: Card, columnKey: string) => string
}

const slotWidth = 312
const fewColumns = 4

/**
 * Columns of cards, drawn as far as they are in sight. A card is moved by mouse, by finger, or by Shift and an arrow
 * from anything inside it.
 */
export const Board = <Card extends { id: string }>({
  label,
  columns,
  fills = false,
  draw,
  takes,
  onMove,
  idIn = ({ id }) => id,
}: BoardProps<Card>) => {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [dragged, setDragged] = useState<{ card: Card; from: string } | null>(null)
  const [told, setTold] = useState('')
  const refocus = useRef<string | null>(null)
  const move = (card: Card, to: string) => {
    setTold(`Movido para ${columns.find((column) => column.key === to)?.label}.`)
    onMove(card, to)
  }
  const drawColumn = (column: BoardColumn<Card>) => (
    <Column
      column={column}
      draw={draw}
      canMove={takes !== undefined}
      isTarget={dragged !== null && column.key !== dragged.from && (takes?.(dragged.card, column.key) ?? false)}
      refocus={refocus}
      onStep={(card, by) => {
        const to = nextColumn(columns, column.key, by, (key) => takes?.(card, key) ?? false)
        if (!to) return
        refocus.current = idIn(card, to)
        move(card, to)
      }}
    />
  )
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={({ operation: { source } }) => setDragged(placeOf(columns, String(source?.id)))}
      onDragEnd={({ operation: { target }, canceled }) => {
        setDragged(null)
        const to = target && String(target.id)
        if (!canceled && dragged && to && to !== dragged.from && takes?.(dragged.card, to)) move(dragged.card, to)
      }}
    >
      {isNarrow && columns.length > fewColumns ? (
        <OneColumn columns={columns} draw={drawColumn} />
      ) : fills ? (
        <section
          className={classes.grid}
          style={{ '--board-columns': columns.length } as React.CSSProperties} // a variable of ours
          aria-label={label}
        >
          {columns.map((column) => (
            <div key={column.key} className={classes.cell}>
              {drawColumn(column)}
            </div>
          ))}
        </section>
      ) : (
        <Virtuoso
          horizontalDirection
          className={classes.row}
          data={columns}
          computeItemKey={(_, column) => column.key}
          defaultItemHeight={slotWidth}
          increaseViewportBy={slotWidth}
          itemContent={(_, column) => <div className={classes.slot}>{drawColumn(column)}</div>}
          role="group"
          aria-label={label}
        />
      )}
      <DragOverlay dropAnimation={null} className={classes.overlay}>
        {dragged && draw(dragged.card, dragged.from)}
      </DragOverlay>
      <span className={classes.unseen} role="status">
        {told}
      </span>
    </DragDropProvider>
  )
}

type ColumnProps<Card> = {
  column: BoardColumn<Card>
  draw: BoardProps<Card>['draw']
  canMove: boolean
  /** The card in hand may be let go here. */
  isTarget: boolean
  refocus: RefObject<string | null>
  onStep: (card: Card, by: 1 | -1) => void
}

const Column = <Card extends { id: string }>({
  column,
  draw,
  canMove,
  isTarget,
  refocus,
  onStep,
}: ColumnProps<Card>) => {
  const { ref, isDropTarget } = useDroppable({ id: column.key, disabled: !isTarget })
  return (
    <section
      ref={ref}
      className={classes.column}
      data-target={isTarget}
      data-over={isTarget && isDropTarget}
      aria-label={column.label}
    >
      {column.head}
      {column.cards.length === 0 ? (
        column.none
      ) : (
        <Virtuoso
          className={classes.cards}
          data={column.cards}
          computeItemKey={(_, card) => card.id}
          defaultItemHeight={104}
          increaseViewportBy={200}
          endReached={column.onMore}
          context={{ isLoadingMore: column.isLoadingMore ?? false }}
          components={parts}
          itemContent={(_, card) => (
            <Item id={card.id} canMove={canMove} refocus={refocus} onStep={(by) => onStep(card, by)}>
              {draw(card, column.key)}
            </Item>
          )}
        />
      )}
    </section>
  )
}

type ItemProps = {
  id: string
  canMove: boolean
  refocus: RefObject<string | null>
  onStep: (by: 1 | -1) => void
  children: ReactNode
}

const Item = ({ id, canMove, refocus, onStep, children }: ItemProps) => {
  const { ref, isDragSource } = useDraggable({ id, disabled: !canMove })
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refocus.current !== id) return
    const button = frame.current?.querySelector('button')
    const before = document.activeElement
    let waiting = 0
    // A list that was empty measures its first card out of sight, where nothing takes the focus.
    const focus = () => {
      const isFree = [before, document.body].includes(document.activeElement)
      if (isFree) button?.focus({ preventScroll: true })
      if (isFree && document.activeElement !== button) waiting = requestAnimationFrame(focus)
      else refocus.current = null
    }
    focus()
    return () => cancelAnimationFrame(waiting)
  }, [id, refocus])
  const handleKey = (event: KeyboardEvent) => {
    if (!canMove || !event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    onStep(event.key === 'ArrowRight' ? 1 : -1)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Shift and an arrow, from the buttons inside
    <div ref={frame} className={classes.item} data-dragged={isDragSource} onKeyDown={handleKey}>
      <div ref={ref} className={canMove ? classes.movable : undefined}>
        {children}
      </div>
    </div>
  )
}

const Foot = ({ context }: { context?: { isLoadingMore: boolean } }) => (
  <div className={classes.foot}>{context?.isLoadingMore && <Loader size={18} aria-label="Carregando mais" />}</div>
)
const parts = { Footer: Foot }

type OneProps<Card> = { columns: readonly BoardColumn<Card>[]; draw: (column: BoardColumn<Card>) => ReactNode }
/** Many columns on a phone: one at a time. */
const OneColumn = <Card,>({ columns, draw }: OneProps<Card>) => {
  const [chosen, setChosen] = useState<string | null>(null)
  const at = Math.max(
    0,
    columns.findIndex((column) => column.key === chosen),
  )
  const current = columns[at]
  if (!current) return null
  return (
    <div className={classes.single}>
      <div className={classes.picker}>
        <ActionIcon
          variant="default"
          size={42}
          aria-label="Coluna anterior"
          disabled={at === 0}
          onClick={() => setChosen(columns[at - 1]?.key ?? null)}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Select
          aria-label="Coluna"
          size="md"
          flex={1}
          searchable
          allowDeselect={false}
          data={columns.map(({ key, label, count }) => ({
            value: key,
            label: count === undefined ? label : `${label} (${count})`,
          }))}
          value={current.key}
          onChange={setChosen}
        />
        <ActionIcon
          variant="default"
          size={42}
          aria-label="Próxima coluna"
          disabled={at === columns.length - 1}
          onClick={() => setChosen(columns[at + 1]?.key ?? null)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </div>
      <div className={classes.one}>{draw(current)}</div>
    </div>
  )
}
