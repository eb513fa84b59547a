import {
  type MonitorPeriod,
  monitorPeriods,
  type PlatformMonitor,
  rowQueues,
} from '@balcao/contract/platform/monitor.ts'
import { SegmentedControl, Select, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FigureCard } from '../../../features/operations/dashboard/figure-card.tsx'
import { Panel } from '../../../features/operations/dashboard/panel.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatBytes, formatDuration, formatNumber, plural } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { MonitorCharts } from './monitor-charts.tsx'
import classes from './platform-monitor.module.css'
import { platformMonitorQuery } from './platform-monitor-api.ts'
import { queueLabels } from './queue-labels.ts'

const periodLabels: Record<MonitorPeriod, string> = { '1h': 'Uma hora', '24h': 'Um dia', '7d': 'Sete dias' }
const isPeriod = (text: string): text is MonitorPeriod => monitorPeriods.some((one) => one === text)

/** Machine, database, queues of rows and sockets, now and over time, of each process of the installation. */
export default function PlatformMonitorScreen() {
  const mayRead = useCan('platform.read')
  const [periodText, setPeriod] = useUrlState('periodo', '1h')
  const [node, setNode] = useUrlState('no')
  const period = isPeriod(periodText) ? periodText : '1h'
  const now = useQuery({ ...platformMonitorQuery, enabled: mayRead })
  if (!mayRead || isApiError(now.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  const nodes = now.data?.nodes ?? []
  return (
    <Page
      header={
        <PageHeader
          title="Monitor da instalação"
          purpose="Máquina, banco de dados, filas e conexões, agora e ao longo do tempo."
          actions={
            now.data && (
              <span className={classes.fresh} data-stale={now.isError}>
                {now.isError ? 'Sem atualizar desde ' : 'Atualizado '}
                <RelativeTime moment={new Date(now.dataUpdatedAt).toISOString()} />
              </span>
            )
          }
        >
          <SegmentedControl
            aria-label="Período"
            value={period}
            onChange={setPeriod}
            data={monitorPeriods.map((value) => ({ value, label: periodLabels[value] }))}
          />
          {(nodes.length > 1 || node) && (
            <Select
              aria-label="Processo"
              placeholder="Todos os processos"
              clearable
              value={node || null}
              onChange={(value) => setNode(value ?? '')}
              data={[...new Set([...nodes.map((one) => one.node), ...(node ? [node] : [])])]}
            />
          )}
        </PageHeader>
      }
    >
      {now.data ? (
        <div className={classes.page}>
          <Now of={now.data} node={node} />
          <MonitorCharts period={period} node={node} />
          <Details of={now.data} />
        </div>
      ) : now.isError ? (
        <ErrorState message={messageOf(now.error)} onRetry={() => void now.refetch()} />
      ) : (
        <SkeletonList rows={5} height={88} />
      )}
    </Page>
  )
}

const percent = (share: number) => `${Math.round(100 * share)}%`
const most = (values: number[]) => Math.max(0, ...values)
/** From here on it is told in red. */
const bad = { cpu: 0.9, memory: 0.92, disk: 0.9, lagMs: 200, connections: 0.85 }

const Now = ({ of: { nodes, installation }, node }: { of: PlatformMonitor; node: string }) => {
  const all = nodes.filter((one) => !node || one.node === node).map(({ machine }) => machine)
  const of = node || all.length < 2 ? '' : 'o mais ocupado'
  const cpu = most(all.map((one) => one.cpu))
  const memory = most(all.map((one) => one.memoryUsed / one.memoryTotal))
  const disks = all.flatMap(({ diskTotal, diskFree }) =>
    diskTotal && diskFree !== null ? [{ diskTotal, diskFree }] : [],
  )
  const [fullest] = disks.toSorted((a, b) => a.diskFree / a.diskTotal - b.diskFree / b.diskTotal)
  const used = fullest ? 1 - fullest.diskFree / fullest.diskTotal : null
  const lag = most(all.map((one) => one.lagMs))
  const isTight = installation.connections / installation.maxConnections > bad.connections
  return (
    <dl className={classes.figures}>
      <FigureCard
        label="Processador"
        value={percent(cpu)}
        tone={cpu > bad.cpu ? 'bad' : undefined}
        hint={of || `${percent(most(all.map((one) => one.processCpu)))} deste processo`}
      />
      <FigureCard
        label="Memória"
        value={percent(memory)}
        tone={memory > bad.memory ? 'bad' : undefined}
        hint={of || `${formatBytes(most(all.map((one) => one.rss)))} deste processo`}
      />
      <FigureCard
        label="Disco"
        value={used === null ? '—' : percent(used)}
        tone={used !== null && used > bad.disk ? 'bad' : undefined}
        hint={fullest ? `${formatBytes(fullest.diskFree)} livres` : 'não se sabe'}
      />
      <FigureCard
        label="Atraso do processo"
        value={`${formatNumber(Math.round(lag))} ms`}
        tone={lag > bad.lagMs ? 'bad' : undefined}
        hint={`pior: ${formatNumber(Math.round(most(all.map((one) => one.lagMaxMs))))} ms`}
      />
      <FigureCard
        label="Janelas abertas"
        value={formatNumber(all.reduce((sum, one) => sum + one.sockets, 0))}
        hint={plural(all.length, 'processo', 'processos')}
      />
      <FigureCard
        label="Banco de dados"
        value={formatBytes(installation.databaseBytes)}
        tone={isTight ? 'bad' : undefined}
        hint={`${installation.connections} de ${installation.maxConnections} conexões`}
      />
    </dl>
  )
}

const Details = ({ of }: { of: PlatformMonitor }) => (
  <div className={classes.panels}>
    <Panel title="Filas de trabalho">
      <Rows
        label="Filas de trabalho"
        head={['Fila', 'Esperando', 'Mais antigo']}
        rows={rowQueues.map((name) => {
          const { waiting, oldestS } = of.installation.queues[name]
          const isOld = oldestS > 60
          return [
            queueLabels[name],
            formatNumber(waiting),
            isOld ? <b key="old">{durationOf(oldestS)}</b> : durationOf(oldestS),
          ]
        })}
      />
    </Panel>
    <Panel title="Processos">
      <Rows
        label="Processos"
        head={['Processo', 'Faz', 'Ligado há', 'CPU', 'Memória', 'Janelas']}
        rows={of.nodes.map(({ node, machine }) => [
          node,
          machine.roles.join(', '),
          formatDuration(machine.uptimeS * 1_000),
          percent(machine.processCpu),
          formatBytes(machine.rss),
          formatNumber(machine.sockets),
        ])}
      />
    </Panel>
    <Panel title="Em execução no banco">
      {of.running.length === 0 ? (
        <Text c="dimmed">
          Nada demora mais que um segundo, e ninguém espera por um bloqueio
          {of.installation.longestS > 0 && `; a transação mais antiga dura ${durationOf(of.installation.longestS)}`}.
        </Text>
      ) : (
        <Rows
          label="Em execução no banco"
          head={['Comando', 'Há', 'Espera', 'Bloqueado por']}
          rows={of.running.map((one) => [
            <code key="text" className={classes.statement}>
              {one.text || `processo ${one.pid}`}
            </code>,
            durationOf(one.seconds),
            one.wait || '—',
            one.blockedBy.join(', ') || '—',
          ])}
        />
      )}
    </Panel>
    <Panel
      title="Comandos que mais ocupam o banco"
      csv={{
        name: 'comandos-lentos',
        header: ['Comando', 'Vezes', 'Tempo total (ms)', 'Pior (ms)'],
        rows: of.slowest.map((one) => [one.name, one.calls, one.totalMs, one.maxMs]),
      }}
    >
      {of.slowest.length === 0 ? (
        <Text c="dimmed">As medidas começam agora: uma por minuto.</Text>
      ) : (
        <Rows
          label="Comandos que mais ocupam o banco, na última hora"
          head={['Comando', 'Vezes', 'Média', 'Pior']}
          rows={of.slowest.map((one) => [
            <code key="name" className={classes.statement}>
              {one.name}
            </code>,
            formatNumber(one.calls),
            `${formatNumber(Math.round((10 * one.totalMs) / one.calls) / 10)} ms`,
            `${formatNumber(one.maxMs)} ms`,
          ])}
        />
      )}
    </Panel>
    <Panel title="Maiores tabelas">
      <Rows
        label="Maiores tabelas"
        head={['Tabela', 'Tamanho com índices']}
        rows={of.tables.map((one) => [<code key="name">{one.name}</code>, formatBytes(one.bytes)])}
      />
    </Panel>
    <Panel title="Réplicas do banco">
      {of.replicas.length === 0 ? (
        <Text c="dimmed">Este banco não tem réplica ligada.</Text>
      ) : (
        <Rows
          label="Réplicas do banco"
          head={['Réplica', 'Estado', 'Atraso']}
          rows={of.replicas.map((one) => [one.name, one.state, durationOf(one.lagS)])}
        />
      )}
    </Panel>
  </div>
)

const durationOf = (seconds: number) => (seconds > 0 ? formatDuration(seconds * 1_000) : '—')

type RowsProps = { label: string; head: string[]; rows: ReactNode[][] }
const Rows = ({ label, head, rows }: RowsProps) => (
  <Table.ScrollContainer minWidth={320} type="native" tabIndex={0}>
    <Table aria-label={label} className="tabular" verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {head.map((title, at) => (
            <Table.Th key={title} ta={at ? 'right' : undefined}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are their places, renewed whole
          <Table.Tr key={row}>
            {cells.map((cell, at) => (
              <Table.Td key={head[at]} ta={at ? 'right' : undefined}>
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
