type Column<Card> = { key: string; cards: readonly Card[] }

/** The card and the column it stands in; null when it is not on the board any more. */
export const placeOf = <Card extends { id: string }>(columns: readonly Column<Card>[], id: string) => {
  for (const { key, cards } of columns) {
    const card = cards.find((one) => one.id === id)
    if (card) return { card, from: key }
  }
  return null
}

/** The nearest column to that side which takes the card; those that do not are passed over. */
export const nextColumn = (
  columns: readonly { key: string }[],
  from: string,
  by: 1 | -1,
  takes: (key: string) => boolean,
): string | undefined => {
  const at = columns.findIndex((column) => column.key === from)
  const beyond = by === 1 ? columns.slice(at + 1) : columns.slice(0, Math.max(0, at)).toReversed()
  return beyond.find((column) => takes(column.key))?.key
}
