import { channelKinds } from '@balcao/contract/channels/index.ts'
import type { Statistics } from '@balcao/contract/operations/statistics.ts'
import { Table, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { formatCents, formatDuration, formatNumber, plural } from '../../../kit/format.ts'
import type { ChartSeries } from '../../../ui/line-chart.tsx'
import { BarList } from './bar-list.tsx'
import { FigureCard } from './figure-card.tsx'
import { Panel } from './panel.tsx'
import classes from './panels.module.css'

// Charts are heavy, and only who looks at numbers needs them.
const LineChart = lazy(async () => ({ default: (await import('../../../ui/line-chart.tsx')).LineChart }))

type Props = { of: Statistics; days: string }
const nothing = 'Nenhum atendimento nestes dias.'

export const PeriodFigures = ({ of: { times } }: Props) => (
  <dl className={classes.figures}>
    <FigureCard
      label="Atendimentos"
      value={formatNumber(times.qtd_total_atendimentos)}
      hint={`${plural(times.qtd_demanda_receptiva, 'recebido', 'recebidos')}, ${plural(times.qtd_demanda_ativa, 'iniciado por nós', 'iniciados por nós')}`}
    />
    <FigureCard label="Encerrados" value={formatNumber(times.qtd_resolvidos)} hint="dos abertos nestes dias" />
    <FigureCard label="Primeira resposta" value={durationOf(times.TPR)} hint="em média, do cliente até nós" />
    <FigureCard label="Espera (TME)" value={durationOf(times.TME)} hint="em média, até o aceite" />
    <FigureCard label="Atendimento (TMA)" value={durationOf(times.TMA)} hint="em média, dos encerrados" />
    <FigureCard
      label="Nota média"
      value={times.nota === null ? '—' : formatNumber(Math.round(10 * times.nota) / 10)}
      hint={times.qtd_notas ? plural(times.qtd_notas, 'avaliação', 'avaliações') : 'ninguém avaliou'}
    />
    <FigureCard label="Contatos novos" value={formatNumber(times.new_contacts)} hint="nestes dias" />
  </dl>
)

export const EvolutionByPeriod = ({ of, days }: Props) => (
  <Panel
    title="Atendimentos por dia"
    csv={{
      name: `atendimentos-por-dia-${days}`,
      header: ['Dia', 'Abertos', 'Encerrados'],
      rows: of.evolutionByPeriod.map((one) => [one.dt_referencia, one.qtd, one.qtd_resolvidos]),
    }}
  >
    <Chart
      label="Atendimentos por dia"
      points={of.evolutionByPeriod.map(({ label, qtd, qtd_resolvidos }) => ({ label, qtd, qtd_resolvidos }))}
      series={[
        { name: 'qtd', label: 'Abertos', color: 'accent.5' },
        { name: 'qtd_resolvidos', label: 'Encerrados', color: 'gray.5' },
      ]}
    />
  </Panel>
)

export const EvolutionByValue = ({ of, days }: Props) => (
  <Panel
    title="Valor negociado por dia"
    csv={{
      name: `valor-por-dia-${days}`,
      header: ['Dia', 'Encerrados', 'Valor (centavos)'],
      rows: of.evolutionByValue.map((one) => [one.dt_referencia, one.qtd, one.value]),
    }}
  >
    <Text c="dimmed" size="sm">
      {formatCents(of.evolutionByValue.reduce((sum, { value }) => sum + value, 0))} nos atendimentos destes dias
    </Text>
    <Chart
      label="Valor negociado por dia"
      points={of.evolutionByValue.map(({ label, value }) => ({ label, value }))}
      series={[{ name: 'value', label: 'Valor', color: 'accent.5' }]}
      format={formatCents}
    />
  </Panel>
)

const colors = ['accent.5', 'amber.5', 'violet.5', 'blue.5', 'red.4']
/** The same channel has the same colour in every panel. */
const channelColor = (channel: (typeof channelKinds)[number]) => colors[channelKinds.indexOf(channel) % colors.length]

type Dated = { dt_referencia: string; key: string; label: string; qtd: number }
/** The five with the most as lines of their own, the others together. */
const linesOf = (days: Statistics['evolutionByPeriod'], rows: readonly Dated[]) => {
  const totals = new Map<string, { label: string; qtd: number }>()
  for (const { key, label, qtd } of rows) totals.set(key, { label, qtd: (totals.get(key)?.qtd ?? 0) + qtd })
  const ranked = [...totals].sort(([, a], [, b]) => b.qtd - a.qtd)
  const shown = ranked.slice(0, colors.length)
  const known = new Set(shown.map(([key]) => key))
  const series: ChartSeries[] = [
    ...shown.map(([key, { label }], at) => ({ name: key, label, color: colors[at] ?? 'gray.5' })),
    ...(ranked.length > shown.length ? [{ name: 'others', label: 'Outros', color: 'gray.5' }] : []),
  ]
  const byDay = Map.groupBy(rows, (row) => row.dt_referencia)
  const points = days.map(({ dt_referencia, label }) => {
    const sums: Record<string, number> = Object.fromEntries(series.map(({ name }) => [name, 0]))
    for (const { key, qtd } of byDay.get(dt_referencia) ?? []) {
      const name = known.has(key) ? key : 'others'
      sums[name] = (sums[name] ?? 0) + qtd
    }
    return { ...sums, label }
  })
  return { series, points }
}

const Evolution = ({ title, name, days, rows, of }: { title: string; name: string; rows: Dated[] } & Props) => {
  const { series, points } = linesOf(of.evolutionByPeriod, rows)
  return (
    <Panel
      title={title}
      csv={{
        name: `${name}-${days}`,
        header: ['Dia', 'Canal', 'Atendimentos'],
        rows: rows.map((row) => [row.dt_referencia, row.label, row.qtd]),
      }}
    >
      {rows.length === 0 ? <Text c="dimmed">{nothing}</Text> : <Chart label={title} points={points} series={series} />}
    </Panel>
  )
}
export const EvolutionChannels = (props: Props) => (
  <Evolution
    {...props}
    title="Canais por dia"
    name="canais-por-dia"
    rows={props.of.evolutionChannels.map(({ channel, ...row }) => ({ ...row, key: channel }))}
  />
)
export const EvolutionChannelsName = (props: Props) => (
  <Evolution
    {...props}
    title="Conexões por dia"
    name="conexoes-por-dia"
    rows={props.of.evolutionChannelsName.map(({ id, ...row }) => ({ ...row, key: id }))}
  />
)

type ChartProps = Pick<Parameters<typeof LineChart>[0], 'label' | 'points' | 'series' | 'format'>
const Chart = (props: ChartProps) => (
  <Suspense fallback={<div className={classes.chart} />}>
    <LineChart of="Dia" {...props} />
  </Suspense>
)

type Counted = { label: string; qtd: number; percentual: number }
type AmountsProps<Row> = {
  title: string
  of: string
  days: string
  rows: readonly Row[]
  keyOf: (row: Row) => string | null
  colorOf?: (row: Row) => string | undefined
}
const Amounts = <Row extends Counted>({ title, of, days, rows, keyOf, colorOf }: AmountsProps<Row>) => (
  <Panel
    title={title}
    csv={{
      name: `${title.toLowerCase().replaceAll(' ', '-')}-${days}`,
      header: [of, 'Atendimentos', 'Parte (%)'],
      rows: rows.map((row) => [row.label, row.qtd, row.percentual]),
    }}
  >
    <BarList
      label={title}
      of={of}
      none={nothing}
      bars={rows.map((row) => ({ ...row, key: keyOf(row) ?? 'none', color: colorOf?.(row) }))}
    />
  </Panel>
)

export const Channels = ({ of, days }: Props) => (
  <Amounts
    title="Atendimentos por canal"
    of="Canal"
    days={days}
    rows={of.channels}
    keyOf={({ channel }) => channel}
    colorOf={({ channel }) => `var(--mantine-color-${channelColor(channel)?.replace('.', '-')})`}
  />
)
export const Queues = ({ of, days }: Props) => (
  <Amounts title="Atendimentos por fila" of="Fila" days={days} rows={of.queue} keyOf={({ id }) => id} />
)
export const Users = ({ of, days }: Props) => (
  <Amounts title="Quem mais atendeu" of="Pessoa" days={days} rows={of.user} keyOf={({ id }) => id} />
)
export const Reasons = ({ of, days }: Props) => (
  <Amounts title="Motivos de encerramento" of="Motivo" days={days} rows={of.reasons} keyOf={({ id }) => id} />
)
const statusColor = {
  pending: 'var(--balcao-waiting)',
  open: 'var(--mantine-color-accent-5)',
  closed: 'var(--balcao-resolved)',
}
export const Statuses = ({ of, days }: Props) => (
  <Amounts
    title="Atendimentos por situação"
    of="Situação"
    days={days}
    rows={of.status}
    keyOf={({ status }) => status}
    colorOf={({ status }) => statusColor[status]}
  />
)

export const PerUsersDetail = ({ of: { perUsersDetail: rows }, days }: Props) => (
  <Panel
    title="Atendimentos por pessoa"
    csv={{
      name: `por-pessoa-${days}`,
      header: [
        'Pessoa',
        'E-mail',
        'Total',
        'Em atendimento',
        'Pendentes',
        'Encerrados',
        'Primeira resposta (s)',
        'TME (s)',
        'TMA (s)',
      ],
      rows: rows.map((one) => [
        one.name,
        one.email,
        one.qtd_por_usuario,
        one.qtd_em_atendimento,
        one.qtd_pendentes,
        one.qtd_resolvidos,
        ...[one.TPR, one.TME, one.TMA].map((value) => value && Math.round(value)),
      ]),
    }}
  >
    {rows.length === 0 ? (
      <Text c="dimmed">{nothing}</Text>
    ) : (
      <Table.ScrollContainer minWidth={720} type="native" tabIndex={0} mah={420}>
        <Table aria-label="Atendimentos por pessoa" className="tabular" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Pessoa</Table.Th>
              {['Total', 'Em atendimento', 'Pendentes', 'Encerrados', 'Primeira resposta', 'TME', 'TMA'].map(
                (title) => (
                  <Table.Th key={title} ta="right">
                    {title}
                  </Table.Th>
                ),
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((one) => (
              <Table.Tr key={one.id}>
                <Table.Th scope="row" fw={400} title={one.email}>
                  {one.name}
                </Table.Th>
                {[one.qtd_por_usuario, one.qtd_em_atendimento, one.qtd_pendentes, one.qtd_resolvidos].map(
                  (value, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells are their columns
                    <Table.Td key={at} ta="right">
                      {formatNumber(value)}
                    </Table.Td>
                  ),
                )}
                <Table.Td ta="right">{durationOf(one.TPR)}</Table.Td>
                <Table.Td ta="right">{durationOf(one.TME)}</Table.Td>
                <Table.Td ta="right">{durationOf(one.TMA)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    )}
  </Panel>
)

const durationOf = (seconds: number | null) => (seconds === null ? '—' : formatDuration(seconds * 1_000))
