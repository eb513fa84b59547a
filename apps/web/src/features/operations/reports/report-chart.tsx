import '@mantine/charts/styles.css'
import { dimensions } from '@balcao/contract/operations/reports/definitions.ts'
import { type AnyMeasureKey, measureOf } from '@balcao/contract/operations/reports/measures.ts'
import type { ReportResult } from '@balcao/contract/operations/reports/reports.ts'
import { axisText, measureText } from '@balcao/contract/operations/reports/words.ts'
import { AreaChart, BarChart } from '@mantine/charts'
import { HeatMap } from './heat-map.tsx'
import classes from './report.module.css'

type Props = { title: string; result: ReportResult; at: number }
/** Bars are read one by one: of more names, the largest. */
const mostBars = 15
const height = 300
/** A name beside its bar takes two lines at most: of a step without its flow. The whole of it stands in the table. */
const short = (name: string) => {
  const own = name.length > 34 ? name.slice(name.lastIndexOf(' › ') + 1).replace(/^› /, '') : name
  return own.length > 34 ? `${own.slice(0, 32).trimEnd()}…` : own
}

/** A day without its year, as far as one axis says which it is. */
const shortDays = (labels: readonly string[]) => {
  const isOneYear = new Set(labels.map((label) => label.slice(-4))).size === 1
  return (label: string) => (isOneYear ? label.replace(/^(\d\d\/\d\d)\/\d{4}$/, '$1') : label)
}

/** One measure of a report: time as a line, names as bars, weekdays and hours as a heat map. Its table stands beside it. */
const ReportChart = ({ title, result, at }: Props) => {
  const measure = result.measures[at]
  if (!measure) return null
  const { unit } = measureOf(measure.key as AnyMeasureKey)
  const write = (value: number) => measureText(value, unit)
  const label = `${title}: ${measure.label}`
  if (result.dimension === 'weekdayHour') return <HeatMap label={label} result={result} at={at} />
  const data = result.rows.map((row) => ({
    label: row.label,
    now: row.values[at],
    before: row.before?.[at],
  }))
  const largest = Math.max(0, ...data.flatMap(({ now, before }) => [now ?? 0, before ?? 0]))
  const steps = { tickFormatter: (value: number) => axisText(value, unit, largest), allowDecimals: unit !== 'count' }
  const series = [
    ...(result.totalBefore ? [{ name: 'before', label: 'Período anterior', color: 'gray.5' }] : []),
    { name: 'now', label: measure.label, color: 'accent.6' },
  ]
  const common = {
    ...{ series, dataKey: 'label', valueFormatter: write, withLegend: series.length > 1 },
    legendProps: { verticalAlign: 'bottom' as const },
  }
  if (dimensions[result.dimension].kind === 'time')
    return (
      <figure aria-label={label} className={classes.chart}>
        <AreaChart
          {...common}
          h={height}
          data={data}
          curveType="linear"
          withDots={data.length < 45}
          withGradient={false}
          fillOpacity={0.12}
          xAxisProps={{
            tickFormatter: shortDays(data.map(({ label }) => label)),
            minTickGap: 12,
            padding: { right: 8 },
          }}
          yAxisProps={{ width: 80, ...steps }}
          areaChartProps={{ accessibilityLayer: true }}
          areaProps={{ isAnimationActive: false }}
        />
      </figure>
    )
  const shown = data.toSorted((a, b) => (b.now ?? 0) - (a.now ?? 0)).slice(0, mostBars)
  return (
    <figure aria-label={label} className={classes.chart}>
      <BarChart
        {...common}
        h={Math.max(140, 60 + shown.length * (series.length > 1 ? 44 : 30))}
        data={shown}
        orientation="vertical"
        gridAxis="x"
        xAxisProps={steps}
        yAxisProps={{ width: 150, tickFormatter: short }}
        barProps={{ isAnimationActive: false, maxBarSize: 22 }}
        barChartProps={{ accessibilityLayer: true }}
      />
    </figure>
  )
}
export default ReportChart
