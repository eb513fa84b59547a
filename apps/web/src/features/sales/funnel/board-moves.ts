import type { Opportunity, OpportunityBoard } from '@balcao/contract/sales/opportunities.ts'

type Columns = OpportunityBoard['columns']
export type Move = {
  card: Opportunity
  stageId: string
  movedAt: string
  /** In front of this one; null: to the end; undefined: first. */
  beforeId?: string | null
}

const shownIn = (columns: Columns, id: string) => columns.flatMap(({ cards }) => cards).find((card) => card.id === id)

/**
 * The card as it is by now: it keeps its place, or comes first in its new stage, or where `beforeId` says. What is not
 * shown is left to the server.
 */
export const placed = (columns: Columns, next: Opportunity, beforeId?: string | null): Columns => {
  const before = shownIn(columns, next.id)
  if (!before || before.version > next.version) return columns
  return columns.map((column) => {
    const at = column.cards.findIndex(({ id }) => id === next.id)
    const belongs = column.stageId === next.stageId
    if (at < 0 && !belongs) return column
    const total = column.total + Number(belongs) - Number(at >= 0)
    const value = column.value + (belongs ? next.value : 0) - (at >= 0 ? before.value : 0)
    if (at >= 0 && belongs && beforeId === undefined) return { ...column, value, cards: column.cards.with(at, next) }
    const others = column.cards.filter(({ id }) => id !== next.id)
    const follower = others.findIndex(({ id }) => id === beforeId)
    const place = beforeId === null ? others.length : Math.max(0, follower)
    return { ...column, total, value, cards: belongs ? others.toSpliced(place, 0, next) : others }
  })
}

/** As it will be once the server has heard of all of them, whatever it tells meanwhile. */
export const withMoves = (columns: Columns, moves: readonly Move[]): Columns =>
  moves.reduce((now, { card, stageId, movedAt, beforeId }) => {
    const current = shownIn(now, card.id)
    if (!current || (current.stageId === stageId && beforeId === undefined)) return now
    return placed(now, { ...current, stageId, stageSince: movedAt }, beforeId)
  }, columns)

/** What a card stands in front of, so that it can go back there: null at the end; undefined: not known. */
export const followerOf = (columns: Columns, { id, stageId }: Opportunity): string | null | undefined => {
  const column = columns.find((one) => one.stageId === stageId)
  const at = column?.cards.findIndex((card) => card.id === id) ?? -1
  if (!column || at < 0) return undefined
  return column.cards[at + 1]?.id ?? (column.nextCursor ? undefined : null)
}
