import { axisText, measureText } from '@balcao/contract/operations/reports/words.ts'
import { Button, Group, Skeleton, Title } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { BarRow, BarSeries } from '../../../ui/bar-chart.tsx'
import classes from './funnel.module.css'

const BarChart = lazy(async () => ({ default: (await import('../../../ui/bar-chart.tsx')).BarChart }))

export type Measure = {
  title: string
  /** How each figure is counted, told on hover. */
  about?: string
  /** What a row is: "Etapa". */
  of: string
  rows: readonly BarRow[]
  /** What the chart draws; the table has every column. */
  series: readonly BarSeries[]
  unit: 'money' | 'count' | 'decimal'
  columns: readonly { label: string; cell: (key: string) => ReactNode }[]
}

/** The same figures as a chart and, at one press, as a table. */
export const MeasureBlock = ({ title, about, of, rows, series, unit, columns }: Measure) => {
  const [isTable, setTable] = useState(false)
  if (!rows.length) return null
  const largest = Math.max(...rows.flatMap((row) => series.map(({ name }) => Number(row[name]) || 0)))
  return (
    <section className={classes.block} aria-label={title}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={2} size="h4" title={about}>
          {title}
        </Title>
        <Button size="compact-xs" variant="subtle" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Ver gráfico' : 'Ver tabela'}
        </Button>
      </Group>
      {isTable ? (
        <div className={classes.scroll}>
          <table className={classes.bars} aria-label={title}>
            <thead>
              <tr>
                {[of, ...columns.map(({ label }) => label)].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, label }) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  {columns.map((column) => (
                    <td key={column.label}>{column.cell(key)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Suspense fallback={<Skeleton height={rows.length * 44 + 60} />}>
          <BarChart
            label={title}
            rows={rows}
            series={series}
            format={(value) => measureText(value, unit)}
            axis={(value) => axisText(value, unit, largest)}
          />
        </Suspense>
      )}
    </section>
  )
}
