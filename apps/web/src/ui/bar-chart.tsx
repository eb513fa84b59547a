import '@mantine/charts/styles.css'
import { BarChart as Bars } from '@mantine/charts'
import type { ReactNode } from 'react'

export type BarRow = { key: string; label: string } & Record<string, ReactNode>
export type BarSeries = { name: string; label: string; color: string }
type Props = {
  /** What it shows, for screen readers: "Valor por etapa". */
  label: string
  rows: readonly BarRow[]
  series: readonly BarSeries[]
  format: (value: number) => string
  /** The same beside the axis, where it has little room. */
  axis?: (value: number) => string
}

/** Amounts side by side, one group of bars for each row, from zero. Its numbers stand in a table elsewhere. */
export const BarChart = ({ label, rows, series, format, axis = format }: Props) => (
  <figure aria-label={label} style={{ margin: 0 }}>
    <Bars
      h={rows.length * (18 * series.length + 18) + (series.length > 1 ? 76 : 44)}
      data={rows.map((row) => ({ ...row }))}
      dataKey="label"
      orientation="vertical"
      series={[...series]}
      gridAxis="x"
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'bottom' }}
      valueFormatter={format}
      yAxisProps={{ width: 128, tickFormatter: (text: string) => (text.length > 18 ? `${text.slice(0, 17)}…` : text) }}
      xAxisProps={{
        domain: [0, 'auto'],
        tickFormatter: axis,
        minTickGap: 16,
      }}
      barProps={{ isAnimationActive: false, radius: 3, maxBarSize: 18 }}
      barChartProps={{ accessibilityLayer: true }}
    />
  </figure>
)
