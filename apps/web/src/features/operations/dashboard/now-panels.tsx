import type { Dashboard } from '@balcao/contract/operations/dashboard.ts'
import { Anchor, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { dayOf, formatDuration, formatNumber, plural } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { FigureCard } from './figure-card.tsx'
import { HourChart, hourText } from './hour-chart.tsx'
import { LoadTable } from './load-table.tsx'
import { Panel } from './panel.tsx'
import classes from './panels.module.css'

type Props = { today: Dashboard; readAt: number }
const lateS = 15 * 60

export const NowFigures = ({ today, readAt }: Props) => {
  const now = useNow()
  const mayOpen = useCan('tickets.read')
  const longestS = today.longestWaitS === null ? null : today.longestWaitS + Math.max(0, (now - readAt) / 1000)
  return (
    <dl className={classes.figures}>
      <FigureCard
        label="Esperando"
        value={formatNumber(today.pending)}
        tone={today.pending > 0 ? 'waiting' : undefined}
        hint={
          today.pending === 0 ? (
            'ninguém na espera'
          ) : mayOpen ? (
            <Anchor component={Link} to="/atendimento?aba=pendentes&todos=1" size="sm">
              Ver atendimentos
            </Anchor>
          ) : (
            'agora'
          )
        }
      />
      <FigureCard
        label="Maior espera agora"
        value={longestS === null ? '—' : formatDuration(longestS * 1000)}
        tone={longestS !== null && longestS > lateS ? 'bad' : undefined}
        hint={longestS === null ? 'ninguém sem resposta' : 'sem resposta'}
      />
      <FigureCard label="Em atendimento" value={formatNumber(today.open)} hint="agora" />
      <FigureCard label="Criados hoje" value={formatNumber(today.createdToday)} hint="desde a meia-noite" />
      <FigureCard label="Encerrados hoje" value={formatNumber(today.closedToday)} hint="desde a meia-noite" />
      <FigureCard label="Contatos novos hoje" value={formatNumber(today.newContactsToday)} hint="desde a meia-noite" />
    </dl>
  )
}

export const Hours = ({ today, readAt }: Props) => {
  const [view, setView] = useState('grafico')
  return (
    <Panel
      title="Mensagens por hora"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Como ver as mensagens por hora"
          value={view}
          onChange={setView}
          data={[
            { value: 'grafico', label: 'Gráfico' },
            { value: 'tabela', label: 'Tabela' },
          ]}
        />
      }
      csv={{
        name: `mensagens-por-hora-${dayOf(new Date(readAt))}`,
        header: ['Hora', 'Recebidas', 'Enviadas'],
        rows: today.byHour.map((hour) => [hourText(hour.hour), hour.received, hour.sent]),
      }}
    >
      <p className={classes.sums}>
        {plural(today.receivedToday, 'recebida', 'recebidas')} e {plural(today.sentToday, 'enviada', 'enviadas')} hoje
      </p>
      {view === 'grafico' ? <HourChart hours={today.byHour} /> : <HourTable hours={today.byHour} />}
    </Panel>
  )
}

export const QueuesNow = ({ today, readAt }: Props) => (
  <Panel title="Por fila, agora" csv={loadCsv('por-fila', readAt, 'Fila', today.byQueue)}>
    {today.byQueue.length === 0 ? (
      <EmptyState title="Ainda não há filas" action={<GoTo to="/filas" label="Criar fila" />}>
        Separe o atendimento em departamentos, como Vendas e Suporte.
      </EmptyState>
    ) : (
      <LoadTable
        label="Atendimentos por fila, agora"
        first="Fila"
        rows={today.byQueue}
        renderName={(queue) => <ColorDot color={queue.color ?? 'var(--balcao-border-strong)'} label={queue.name} />}
      />
    )}
  </Panel>
)

export const UsersNow = ({ today, readAt }: Props) => (
  <Panel title="Por pessoa, agora" csv={loadCsv('por-pessoa', readAt, 'Pessoa', today.byUser)}>
    {today.byUser.length === 0 ? (
      <EmptyState title="Ninguém da equipe atende ainda" action={<GoTo to="/usuarios" label="Ver usuários" />} />
    ) : (
      <LoadTable
        label="Atendimentos por pessoa, agora"
        first="Pessoa"
        rows={today.byUser}
        renderName={(person) => (
          <span className={classes.person}>
            <Avatar name={person.name} size={32} online={person.isOnline} away={person.awaySince !== null} />
            <span className="truncate">{person.name}</span>
            {person.isOnline && person.awayReason && (
              <span className={`truncate ${classes.away}`}>{person.awayReason}</span>
            )}
          </span>
        )}
      />
    )}
  </Panel>
)

const HourTable = ({ hours }: { hours: Dashboard['byHour'] }) => (
  <table className={classes.hours} aria-label="Mensagens por hora">
    <thead>
      <tr>
        <th>Hora</th>
        <th>Recebidas</th>
        <th>Enviadas</th>
      </tr>
    </thead>
    <tbody>
      {hours.map((hour) => (
        <tr key={hour.hour}>
          <th scope="row">{hourText(hour.hour)}</th>
          <td>{formatNumber(hour.received)}</td>
          <td>{formatNumber(hour.sent)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const loadCsv = (
  name: string,
  readAt: number,
  first: string,
  rows: readonly { name: string; open: number; pending: number; closedToday: number }[],
) => ({
  name: `${name}-${dayOf(new Date(readAt))}`,
  header: [first, 'Esperando', 'Em curso', 'Encerrados hoje'],
  rows: rows.map((row) => [row.name, row.pending, row.open, row.closedToday]),
})
