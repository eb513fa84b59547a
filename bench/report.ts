/** One measured number, as it is printed: a line of JSON. */
export type Figure = {
  name: string
  value: number
  unit: string
  /** What the specification asks; none: told for comparison only. */
  target?: string
  ok?: boolean
  /** The limit measured in the same run, and what else helps to read the number. */
  compared?: Record<string, number | string>
}

type Told = Omit<Figure, 'target' | 'ok'>
export const tell = (figure: Figure) => console.log(JSON.stringify({ ...figure, value: rounded(figure.value) }))
export const atMost = (limit: number, figure: Told) =>
  tell({ ...figure, target: `<= ${limit} ${figure.unit}`, ok: figure.value <= limit })
export const atLeast = (limit: number, figure: Told) =>
  tell({ ...figure, target: `>= ${limit} ${figure.unit}`, ok: figure.value >= limit })

/** Our speed as a part of the bare server's. */
export const asPartOf = (bare: number, minPercent: number, figure: Told) => {
  const percent = rounded((figure.value / bare) * 100)
  const compared = { bare: rounded(bare), percent, ...figure.compared }
  tell({ ...figure, target: `>= ${minPercent} % of bare`, ok: percent >= minPercent, compared })
}

/** What goes on is said on the error stream, so that the figures stay alone on the other. */
export const say = (text: string) => console.error(`# ${text}`)

export const percentile = (values: number[], percent: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
export const rounded = (value: number) => Number(value.toPrecision(value < 1_000 ? 3 : 5))
