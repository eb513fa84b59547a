import { type MonitorHistory, type MonitorPeriod, rowQueues } from '@balcao/contract/platform/monitor.ts'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Panel } from '../../../features/operations/dashboard/panel.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { formatBytes, formatDuration, formatNumber, formatTime } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { ChartPoint, ChartSeries } from '../../../ui/line-chart.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './platform-monitor.module.css'
import { monitorHistoryQuery } from './platform-monitor-api.ts'
import { queueLabels } from './queue-labels.ts'

// Charts are heavy, and only who looks at numbers needs them.
const LineChart = lazy(async () => ({ default: (await import('../../../ui/line-chart.tsx')).LineChart }))

const colors = ['accent.5', 'amber.5', 'violet.5', 'blue.5', 'red.4', 'gray.5']
const mostNodes = 6

type Props = { period: MonitorPeriod; node: string }
/** The same measures over time, by process where each has its own. */
export const MonitorCharts = ({ period, node }: Props) => {
  const history = useQuery(monitorHistoryQuery(period))
  const { data } = history
  if (!data)
    return history.isError ? (
      <ErrorState message={messageOf(history.error)} onRetry={() => void history.refetch()} />
    ) : (
      <SkeletonList rows={2} height={220} />
    )
  if (data.nodes.length === 0) return <Text c="dimmed">As medidas começam agora: uma por minuto.</Text>

  const nodes = [...new Set(data.nodes.map((one) => one.node))]
    .filter((one) => !node || one === node)
    .slice(0, mostNodes)
  const byNode = (
    name: string,
    of: (one: MonitorHistory['nodes'][number]) => number,
  ): [ChartSeries[], ChartPoint[]] => [
    nodes.map((one, at) => ({ name: one, label: nodes.length > 1 ? one : name, color: colors[at] ?? 'gray.5' })),
    [...Map.groupBy(data.nodes, ({ at }) => at)].map(([at, all]) => ({
      label: labelOf(at, period),
      ...Object.fromEntries(all.map((one) => [one.node, of(one)])),
    })),
  ]
  const ofAll = (
    label: string,
    of: (one: MonitorHistory['installation'][number]) => number,
  ): [ChartSeries[], ChartPoint[]] => [
    [{ name: 'value', label, color: 'accent.5' }],
    data.installation.map((one) => ({ label: labelOf(one.at, period), value: of(one) })),
  ]
  const byQueue = (of: (queue: MonitorHistory['installation'][number]['queues']['journal']) => number) =>
    [
      rowQueues.map((name, at) => ({ name, label: queueLabels[name], color: colors[at] ?? 'gray.5' })),
      data.installation.map((one) => ({
        label: labelOf(one.at, period),
        ...Object.fromEntries(rowQueues.map((name) => [name, of(one.queues[name])])),
      })),
    ] satisfies [ChartSeries[], ChartPoint[]]
  const percent = (value: number) => `${formatNumber(Math.round(1_000 * value) / 10)}%`
  const charts: { title: string; of: [ChartSeries[], ChartPoint[]]; format?: (value: number) => string }[] = [
    { title: 'Processador da máquina', of: byNode('Processador', (one) => one.cpu), format: percent },
    { title: 'Memória da máquina', of: byNode('Memória', (one) => one.memory), format: percent },
    { title: 'Memória do processo', of: byNode('Processo', (one) => one.rss), format: formatBytes },
    { title: 'Disco usado', of: byNode('Disco', (one) => one.disk ?? 0), format: percent },
    {
      title: 'Atraso do processo',
      of: byNode('99 de cada 100 voltas', (one) => one.lagMs),
      format: (value) => `${formatNumber(Math.round(10 * value) / 10)} ms`,
    },
    { title: 'Janelas abertas', of: byNode('Janelas', (one) => Math.round(one.sockets)) },
    { title: 'Filas de trabalho', of: byQueue(({ waiting }) => waiting) },
    {
      title: 'O mais antigo de cada fila',
      of: byQueue(({ oldestS }) => oldestS),
      format: (value) => formatDuration(value * 1_000),
    },
    { title: 'Conexões do banco', of: ofAll('Conexões', (one) => one.connections) },
    { title: 'Bloqueios à espera no banco', of: ofAll('Bloqueios', (one) => one.waitingLocks) },
    { title: 'Tamanho do banco', of: ofAll('Tamanho', (one) => one.databaseBytes), format: formatBytes },
  ]
  return (
    <div className={classes.panels}>
      {charts.map(({ title, of: [series, points], format }) => (
        <Panel key={title} title={title}>
          <Suspense fallback={<div style={{ height: 220 }} />}>
            <LineChart
              label={title}
              of="Hora"
              points={points}
              series={series}
              height={series.length > 3 ? 260 : 180}
              format={format}
            />
          </Suspense>
        </Panel>
      ))}
    </div>
  )
}

const dayAndTime = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})
const labelOf = (at: string, period: MonitorPeriod) =>
  period === '7d' ? dayAndTime.format(new Date(at)) : formatTime(at)
