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

/** Milliseconds beside something else, the p95 held to so many times that of the quiet ones. */
export const tellBeside = (
  times: number,
  name: string,
  quiet: number[],
  beside: number[],
  compared: Record<string, number>,
) =>
  atMost(rounded(times * percentile(quiet, 95)), {
    name,
    value: percentile(beside, 95),
    unit: 'ms',
    compared: {
      quietP95Ms: rounded(percentile(quiet, 95)),
      p50Ms: rounded(percentile(beside, 50)),
      quietP50Ms: rounded(percentile(quiet, 50)),
      ...compared,
    },
  })
