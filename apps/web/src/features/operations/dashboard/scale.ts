/** The top of an axis: the next round number, so that the marks between are whole. */
export const niceTop = (most: number): number => {
  if (most <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(most))
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= most) ?? 10
  return step * power
}

/** Marks from zero to the top, all whole. */
export const ticksOf = (top: number): number[] => {
  const parts = [4, 3, 2].find((count) => Number.isInteger(top / count)) ?? 1
  return Array.from({ length: parts + 1 }, (_, index) => (top / parts) * index)
}

/** Where the tallest bar of a series stands; undefined when all are empty. */
export const peakOf = (values: readonly number[]): number | undefined => {
  const most = Math.max(0, ...values)
  return most > 0 ? values.indexOf(most) : undefined
}
