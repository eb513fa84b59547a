import { type BoardCard, type BoardColumn, type BoardKind, noColumn } from '@balcao/contract/contacts/board.ts'

export type Columns = readonly BoardColumn[]
export type Move = { card: BoardCard; from: string; to: string }

/** The next cards behind those that are there; whoever has come in between stands once. */
export const withMore = (columns: Columns, next: BoardColumn): Columns =>
  columns.map((column) => {
    if (column.id !== next.id) return column
    const known = new Set(column.cards.map(({ id }) => id))
    return { ...next, cards: [...column.cards, ...next.cards.filter(({ id }) => !known.has(id))] }
  })

/** Nowhere any more, neither shown nor counted where it stood behind those that are. */
export const without = (columns: Columns, by: BoardKind, contactId: string): Columns => {
  const before = shown(columns, contactId)
  if (!before) return columns
  return columns.map((column) => {
    const cards = column.cards.filter(({ id }) => id !== contactId)
    const stood = cards.length < column.cards.length || standsIn(before, by, column.id)
    return stood ? { ...column, cards, total: Math.max(0, column.total - 1) } : column
  })
}

const standsIn = (card: BoardCard, by: BoardKind, columnId: string): boolean => {
  if (by === 'kanban') return (card.kanban ?? noColumn) === columnId
  return columnId === noColumn ? card.tags.length === 0 : card.tags.some(({ id }) => id === columnId)
}

/**
 * The card where it belongs by now: where it stood already it keeps its place, elsewhere it stands first. A column counts
 * it once, shown or still behind those that are.
 */
export const placed = (columns: Columns, by: BoardKind, card: BoardCard): Columns => {
  const before = shown(columns, card.id)
  return columns.map((column) => {
    const at = column.cards.findIndex(({ id }) => id === card.id)
    const stood = at >= 0 || (before !== undefined && standsIn(before, by, column.id))
    const belongs = standsIn(card, by, column.id)
    const total = Math.max(0, column.total + Number(belongs) - Number(stood))
    if (at < 0) return { ...column, total, cards: belongs && !stood ? [card, ...column.cards] : column.cards }
    return { ...column, total, cards: belongs ? column.cards.with(at, card) : column.cards.toSpliced(at, 1) }
  })
}

/** It may stand behind those that are shown: only the server knows where it is counted. */
export const isUnseen = (columns: Columns, contactId: string): boolean =>
  columns.some(({ nextCursor }) => nextCursor !== null) && !shown(columns, contactId)

const shown = (columns: Columns, contactId: string): BoardCard | undefined =>
  columns.flatMap(({ cards }) => cards).find(({ id }) => id === contactId)

/** As it will be once the server has heard of it. */
export const moved = (columns: Columns, by: BoardKind, card: BoardCard, from: string, to: string): Columns => {
  if (by === 'kanban') return placed(columns, by, { ...card, kanban: to === noColumn ? null : to })
  const column = columns.find(({ id }) => id === to)
  const others = card.tags.filter(({ id }) => id !== from && id !== to)
  const tags = !column || to === noColumn ? [] : [...others, { id: to, name: column.name, color: column.color ?? '' }]
  return placed(columns, by, { ...card, tags })
}

/** The tags of a card once it is in its other column; who goes to those without tags has none. */
export const tagsAfter = ({ card, from, to }: Move): string[] => {
  const others = card.tags.map((tag) => tag.id).filter((id) => id !== from)
  return to === noColumn ? [] : [...new Set([...others, to])]
}

/** Back where it was, with the tags it had: those that went with the one it left, too. */
export const wayBack = ({ card, from, to }: Move, saved: BoardCard): Move => ({
  card: { ...saved, tags: card.tags },
  from: to,
  to: from,
})
