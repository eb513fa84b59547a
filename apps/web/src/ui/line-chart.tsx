import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { Button, Table } from '@mantine/core'
import { useState } from 'react'

export type ChartPoint = { label: string } & Record<string, number | string>
export type ChartSeries = { name: string; label: string; color: string }
type Props = {
  /** What it shows, for screen readers: "Envios por dez minutos". */
  label: string
  points: readonly ChartPoint[]
  series: readonly ChartSeries[]
  /** What the first column of its table is. */
  of: string
  height?: number
  /** How a value is written; as a number when not given. */
  format?: (value: number) => string
}

const asNumber = (value: number) => value.toLocaleString('pt-BR')

/** Values over time, at most six lines, from zero; the same numbers as a table at one press. */
export const LineChart = ({ label, points, series, of, height = 220, format = asNumber }: Props) => {
  const [isTable, setTable] = useState(false)
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      {isTable ? (
        <Table.ScrollContainer minWidth={320} mah={height + 60}>
          <Table stickyHeader aria-label={label} className="tabular">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{of}</Table.Th>
                {series.map((one) => (
                  <Table.Th key={one.name}>{one.label}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {points.map((point) => (
                <Table.Tr key={point.label}>
                  <Table.Th scope="row" fw={400}>
                    {point.label}
                  </Table.Th>
                  {series.map(({ name }) => (
                    <Table.Td key={name}>{format(Number(point[name] ?? 0))}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <AreaChart
          h={height}
          data={[...points]}
          dataKey="label"
          series={[...series]}
          curveType="linear"
          withDots={series.some(({ name }) => points.filter((point) => name in point).length === 1)} // no line leads to one alone
          withGradient={false}
          fillOpacity={0.12}
          withLegend
          legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
          valueFormatter={format}
          yAxisProps={{ interval: 0, allowDecimals: format !== asNumber }}
          areaChartProps={{ accessibilityLayer: true }}
          areaProps={{ isAnimationActive: false }}
        />
      )}
      <Button size="compact-xs" variant="subtle" onClick={() => setTable(!isTable)} aria-pressed={isTable}>
        {isTable ? 'Ver gráfico' : 'Ver tabela'}
      </Button>
    </figure>
  )
}
