const named: Record<number, string> = { 1: 'Todo dia', 7: 'Toda semana', 14: 'A cada 2 semanas', 30: 'A cada 30 dias' }

/** "Toda semana", "A cada 10 dias". */
export const recurrenceLabel = (days: number | null): string =>
  days === null ? 'Não se repete' : (named[days] ?? `A cada ${days} dias`)

export const recurrenceOptions = (current: number | null) =>
  [null, ...new Set([...Object.keys(named).map(Number), ...(current ? [current] : [])])].map((days) => ({
    value: String(days ?? 0),
    label: recurrenceLabel(days),
  }))
