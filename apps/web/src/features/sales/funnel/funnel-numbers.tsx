import type { FunnelDashboard } from '@balcao/contract/sales/opportunities.ts'
import type { Stage } from '@balcao/contract/sales/pipelines.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCents, formatNumber, plural } from '../../../kit/format.ts'
import classes from './funnel.module.css'
import { type Measure, MeasureBlock } from './measure-block.tsx'
import { monthText } from './words.ts'

type Props = {
  numbers: FunnelDashboard
  stages: readonly Stage[]
  /** Where those stand whose forecast has passed. */
  lateAt: string
  above?: ReactNode
}

/** What stands open, what came and went in these days, and where it gets stuck. */
export const FunnelNumbers = ({ numbers, stages, lateAt, above }: Props) => {
  const { open, created, won, lost, hoursToWin } = numbers
  const ended = won.count + lost.count
  const perDay =
    hoursToWin && won.count
      ? Math.round((open.count * (won.count / ended) * (won.value / won.count)) / Math.max(hoursToWin / 24, 1))
      : null
  const tiles: [label: string, value: string, more: ReactNode, about: string][] = [
    [
      'Em aberto',
      formatCents(open.value),
      plural(open.count, 'oportunidade', 'oportunidades'),
      'Tudo que está em aberto agora, de qualquer data.',
    ],
    [
      'Previsão ponderada',
      formatCents(open.weighted),
      'pela probabilidade das etapas',
      'O valor em aberto vezes a probabilidade da etapa em que está.',
    ],
    [
      'Ganhas',
      formatCents(won.value),
      `${formatNumber(won.count)} no período`,
      'Ganhas nos dias escolhidos, pelo dia em que foram ganhas.',
    ],
    ['Perdidas', formatCents(lost.value), `${formatNumber(lost.count)} no período`, 'Perdidas nos dias escolhidos.'],
    [
      'Aproveitamento',
      ended ? percent(won.count, ended) : '—',
      'das encerradas no período',
      'Ganhas sobre ganhas e perdidas.',
    ],
    [
      'Tempo até ganhar',
      hoursToWin === null ? '—' : daysText(hoursToWin),
      'em média, da criação',
      'Da criação ao ganho, das ganhas no período.',
    ],
    [
      'Velocidade',
      perDay === null ? '—' : formatCents(perDay),
      'por dia, do que está em aberto',
      'Oportunidades em aberto × aproveitamento × valor médio ganho ÷ dias até ganhar, do período.',
    ],
    [
      'Criadas',
      formatCents(created.value),
      `${formatNumber(created.count)} no período`,
      'Criadas nos dias escolhidos.',
    ],
    [
      'Pedem atenção',
      formatNumber(open.late + open.cold),
      <>
        {open.late > 0 ? (
          <Link to={lateAt}>{plural(open.late, 'vencida', 'vencidas')}</Link>
        ) : (
          plural(open.late, 'vencida', 'vencidas')
        )}
        , {plural(open.cold, 'parada', 'paradas')}
      </>,
      'Em aberto com previsão vencida, ou há tempo demais na etapa.',
    ],
  ]
  return (
    <div className={classes.dashboard}>
      <dl className={classes.tiles}>
        {tiles.map(([label, value, more, about]) => (
          <div key={label} className={classes.tile} title={about}>
            <dt>{label}</dt>
            <dd>
              {value} <br />
              <small>{more}</small>
            </dd>
          </div>
        ))}
      </dl>
      {above}
      <div className={classes.pair}>
        {measuresOf(numbers, stages).map((measure) => (
          <MeasureBlock key={measure.title} {...measure} />
        ))}
      </div>
    </div>
  )
}

const accent = 'accent.6'
const [good, bad, soft] = ['green.6', 'red.6', 'gray.5']

const measuresOf = (numbers: FunnelDashboard, stages: readonly Stage[]): Measure[] => {
  const nameOf = (stageId: string) => stages.find(({ id }) => id === stageId)?.name ?? '—'
  const stageOf = by(numbers.stages, ({ stageId }) => stageId)
  const personOf = by(numbers.people, ({ user }) => user?.id ?? 'ninguem')
  const sourceOf = by(numbers.sources, ({ source }) => source)
  const monthOf = by(numbers.forecast, ({ month }) => month)
  const stageRows = numbers.stages.map((one) => ({
    ...{ key: one.stageId, label: nameOf(one.stageId), value: one.value, weighted: one.weighted },
    ...{ entered: one.entered, advanced: one.advanced, days: Math.round(((one.hoursHere ?? 0) / 24) * 10) / 10 },
  }))
  const reasons = (status: 'win' | 'lose'): Measure => {
    const own = numbers.reasons.filter((one) => one.status === status)
    const reasonOf = by(own, ({ reason }) => reason)
    return {
      title: status === 'win' ? 'Por que ganhamos' : 'Por que perdemos',
      about: `As ${status === 'win' ? 'ganhas' : 'perdidas'} no período, por motivo.`,
      of: 'Motivo',
      rows: own.map(({ reason, count }) => ({ key: reason, label: reason, count })),
      series: [{ name: 'count', label: 'Oportunidades', color: status === 'win' ? good : bad }],
      unit: 'count',
      columns: [
        { label: 'Oportunidades', cell: (key) => formatNumber(reasonOf(key)?.count ?? 0) },
        { label: 'Valor', cell: (key) => formatCents(reasonOf(key)?.value ?? 0) },
      ],
    }
  }
  return [
    {
      title: 'Valor por etapa',
      about: 'O que está em aberto agora, e o mesmo vezes a probabilidade da etapa.',
      of: 'Etapa',
      rows: stageRows,
      series: [
        { name: 'value', label: 'Valor', color: soft },
        { name: 'weighted', label: 'Ponderado', color: accent },
      ],
      unit: 'money',
      columns: [
        { label: 'Em aberto', cell: (key) => formatNumber(stageOf(key)?.count ?? 0) },
        { label: 'Valor', cell: (key) => formatCents(stageOf(key)?.value ?? 0) },
        { label: 'Ponderado', cell: (key) => formatCents(stageOf(key)?.weighted ?? 0) },
      ],
    },
    {
      title: 'Conversão por etapa',
      about: 'Das que entraram na etapa no período, as que depois foram adiante ou foram ganhas.',
      of: 'Etapa',
      rows: stageRows,
      series: [
        { name: 'entered', label: 'Entraram', color: soft },
        { name: 'advanced', label: 'Avançaram', color: accent },
      ],
      unit: 'count',
      columns: [
        { label: 'Entraram', cell: (key) => formatNumber(stageOf(key)?.entered ?? 0) },
        { label: 'Avançaram', cell: (key) => formatNumber(stageOf(key)?.advanced ?? 0) },
        {
          label: 'Conversão',
          cell: (key) => {
            const { entered = 0, advanced = 0 } = stageOf(key) ?? {}
            return entered ? percent(advanced, entered) : '—'
          },
        },
      ],
    },
    {
      title: 'Idade na etapa',
      about: 'Há quantos dias, em média, estão na etapa as que estão em aberto agora.',
      of: 'Etapa',
      rows: stageRows,
      series: [{ name: 'days', label: 'Dias', color: accent }],
      unit: 'decimal',
      columns: [
        {
          label: 'Há quanto tempo',
          cell: (key) => {
            const hours = stageOf(key)?.hoursHere ?? null
            return hours === null ? '—' : daysText(hours)
          },
        },
      ],
    },
    {
      title: 'Previsão por mês',
      about: 'O que está em aberto agora, pelo mês da previsão, e o mesmo vezes a probabilidade da etapa.',
      of: 'Mês',
      rows: numbers.forecast.map(({ month, value, weighted }) => ({
        ...{ key: month, label: monthText(month), value, weighted },
      })),
      series: [
        { name: 'value', label: 'Valor', color: soft },
        { name: 'weighted', label: 'Ponderado', color: accent },
      ],
      unit: 'money',
      columns: [
        { label: 'Oportunidades', cell: (key) => formatNumber(monthOf(key)?.count ?? 0) },
        { label: 'Valor', cell: (key) => formatCents(monthOf(key)?.value ?? 0) },
        { label: 'Ponderado', cell: (key) => formatCents(monthOf(key)?.weighted ?? 0) },
      ],
    },
    {
      title: 'Por pessoa',
      about: 'Por responsável: o valor em aberto agora e o ganho no período.',
      of: 'Responsável',
      rows: numbers.people.map((one) => ({
        ...{ key: one.user?.id ?? 'ninguem', label: one.user?.name ?? 'Sem responsável' },
        ...{ open: one.open.value, won: one.won.value },
      })),
      series: [
        { name: 'open', label: 'Em aberto', color: soft },
        { name: 'won', label: 'Ganhas', color: good },
      ],
      unit: 'money',
      columns: [
        { label: 'Em aberto', cell: (key) => formatCents(personOf(key)?.open.value ?? 0) },
        { label: 'Ganhas', cell: (key) => formatCents(personOf(key)?.won.value ?? 0) },
        {
          label: 'Aproveitamento',
          cell: (key) => {
            const { won, lost } = personOf(key) ?? {}
            const ended = (won?.count ?? 0) + (lost?.count ?? 0)
            return ended ? percent(won?.count ?? 0, ended) : '—'
          },
        },
      ],
    },
    {
      title: 'De onde vieram',
      about: 'Por origem: as criadas no período e, do mesmo período, as ganhas.',
      of: 'Origem',
      rows: numbers.sources.map(({ source, created, won }) => ({
        ...{ key: source, label: source, created, won: won.count },
      })),
      series: [
        { name: 'created', label: 'Criadas', color: soft },
        { name: 'won', label: 'Ganhas', color: good },
      ],
      unit: 'count',
      columns: [
        { label: 'Criadas', cell: (key) => formatNumber(sourceOf(key)?.created ?? 0) },
        { label: 'Ganhas', cell: (key) => formatNumber(sourceOf(key)?.won.count ?? 0) },
        { label: 'Valor ganho', cell: (key) => formatCents(sourceOf(key)?.won.value ?? 0) },
      ],
    },
    reasons('win'),
    reasons('lose'),
  ]
}

/** Rows by their key. */
const by = <Row,>(rows: readonly Row[], keyOf: (row: Row) => string) => {
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  return (key: string) => found.get(key)
}
const percent = (part: number, whole: number) => `${Math.round((part / whole) * 100)}%`
const daysText = (hours: number) =>
  hours < 48
    ? `${Math.round(hours).toLocaleString('pt-BR')} h`
    : `${(hours / 24).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} dias`
