import type { FunnelDashboard } from '@balcao/contract/sales/opportunities.ts'
import type { Stage } from '@balcao/contract/sales/pipelines.ts'
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCents, formatNumber } from '../../../kit/format.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import classes from './funnel.module.css'

type Props = { numbers: FunnelDashboard; stages: readonly Stage[] }

/** What stands open, what came and went in these days, and where it gets stuck. */
export const FunnelNumbers = ({ numbers, stages }: Props) => {
  const { open, created, won, lost, hoursToWin } = numbers
  const ended = won.count + lost.count
  const tiles: [label: string, value: string, more: string, about: string][] = [
    [
      'Em aberto',
      formatCents(open.value),
      `${formatNumber(open.count)} oportunidades`,
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
      'Criadas',
      formatCents(created.value),
      `${formatNumber(created.count)} no período`,
      'Criadas nos dias escolhidos.',
    ],
    [
      'Pedem atenção',
      formatNumber(open.late + open.cold),
      `${formatNumber(open.late)} vencidas, ${formatNumber(open.cold)} paradas`,
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
      <Block title="Por etapa">
        <Table
          label="Por etapa"
          heads={['Etapa', 'Em aberto', 'Valor', 'Ponderado', 'Entraram', 'Avançaram', 'Há quanto tempo']}
          rows={numbers.stages.map((one) => {
            const stage = stages.find(({ id }) => id === one.stageId)
            return {
              key: one.stageId,
              share: shareOf(
                one.value,
                numbers.stages.map(({ value }) => value),
              ),
              cells: [
                stage ? <ColorDot key="stage" color={stage.color} label={stage.name} /> : '—',
                formatNumber(one.count),
                formatCents(one.value),
                formatCents(one.weighted),
                formatNumber(one.entered),
                one.entered ? `${formatNumber(one.advanced)} (${percent(one.advanced, one.entered)})` : '—',
                one.hoursHere === null ? '—' : daysText(one.hoursHere),
              ],
            }
          })}
        />
      </Block>
      <div className={classes.pair}>
        {numbers.people.length > 0 && (
          <Block title="Por pessoa">
            <Table
              label="Por pessoa"
              heads={['Responsável', 'Em aberto', 'Ganhas', 'Aproveitamento']}
              rows={numbers.people.map((one) => ({
                key: one.user?.id ?? 'ninguem',
                share: shareOf(
                  one.won.value,
                  numbers.people.map((other) => other.won.value),
                ),
                cells: [
                  one.user?.name ?? 'Sem responsável',
                  formatCents(one.open.value),
                  formatCents(one.won.value),
                  one.won.count + one.lost.count ? percent(one.won.count, one.won.count + one.lost.count) : '—',
                ],
              }))}
            />
          </Block>
        )}
        {numbers.forecast.length > 0 && (
          <Block title="Previsão por mês">
            <Table
              label="Previsão por mês"
              heads={['Mês', 'Oportunidades', 'Valor', 'Ponderado']}
              rows={numbers.forecast.map((one) => ({
                key: one.month,
                share: shareOf(
                  one.value,
                  numbers.forecast.map(({ value }) => value),
                ),
                cells: [
                  monthText(one.month),
                  formatNumber(one.count),
                  formatCents(one.value),
                  formatCents(one.weighted),
                ],
              }))}
            />
          </Block>
        )}
        {numbers.reasons.length > 0 && (
          <Block title="Por que ganhamos e perdemos">
            <Table
              label="Motivos"
              heads={['Motivo', 'De', 'Oportunidades', 'Valor']}
              rows={numbers.reasons.map((one) => ({
                key: `${one.status}${one.reason}`,
                share: shareOf(
                  one.count,
                  numbers.reasons.map(({ count }) => count),
                ),
                cells: [
                  one.reason,
                  one.status === 'win' ? 'Ganho' : 'Perda',
                  formatNumber(one.count),
                  formatCents(one.value),
                ],
              }))}
            />
          </Block>
        )}
        {numbers.sources.length > 0 && (
          <Block title="De onde vieram">
            <Table
              label="Origens"
              heads={['Origem', 'Criadas', 'Ganhas', 'Valor ganho']}
              rows={numbers.sources.map((one) => ({
                key: one.source,
                share: shareOf(
                  one.created,
                  numbers.sources.map(({ created }) => created),
                ),
                cells: [one.source, formatNumber(one.created), formatNumber(one.won.count), formatCents(one.won.value)],
              }))}
            />
          </Block>
        )}
      </div>
    </div>
  )
}

const Block = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.block}>
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </section>
)

type Row = { key: string /** Of the largest, from 0 to 1. */; share: number; cells: ReactNode[] }
const Table = ({ label, heads, rows }: { label: string; heads: string[]; rows: Row[] }) => (
  <div className={classes.scroll}>
    <table className={classes.bars} aria-label={label}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, share, cells: [first, ...rest] }) => (
          <tr key={key}>
            <th scope="row">
              {first}
              <span className={classes.bar} style={{ width: `${Math.max(share * 100, 1)}%` }} aria-hidden />
            </th>
            {rest.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells in their order
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const shareOf = (value: number, all: readonly number[]) => value / Math.max(1, ...all)
const percent = (part: number, whole: number) => `${Math.round((part / whole) * 100)}%`
const daysText = (hours: number) =>
  hours < 48
    ? `${Math.round(hours).toLocaleString('pt-BR')} h`
    : `${(hours / 24).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} dias`
const monthText = (month: string) => {
  const [year, number] = month.split('-').map(Number)
  return new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(Date.UTC(year ?? 0, (number ?? 1) - 1, 15)),
  )
}
