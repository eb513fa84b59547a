import type { Dashboard } from '@balcao/contract/operations/dashboard.ts'
import { Anchor, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { dashboardToday } from '../../../features/operations/dashboard/api.ts'
import { FigureCard } from '../../../features/operations/dashboard/figure-card.tsx'
import { FirstSteps } from '../../../features/operations/dashboard/first-steps.tsx'
import { HourChart, hourText } from '../../../features/operations/dashboard/hour-chart.tsx'
import { LoadTable } from '../../../features/operations/dashboard/load-table.tsx'
import { Panel } from '../../../features/operations/dashboard/panel.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { dayOf, formatDuration, formatNumber, plural } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useLate } from '../../../ui/use-late.ts'
import classes from './home-screen.module.css'

const lateS = 15 * 60

export default function HomeScreen() {
  const mayRead = useCan('dashboard.read')
  const today = useQuery({ ...dashboardToday, enabled: mayRead })
  if (!mayRead || isApiError(today.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Início"
          purpose="Como está o atendimento hoje."
          actions={
            today.data && (
              <span className={classes.fresh} data-stale={today.isError}>
                {today.isError ? 'Sem atualizar desde ' : 'Atualizado '}
                <RelativeTime moment={new Date(today.dataUpdatedAt).toISOString()} />
              </span>
            )
          }
        />
      }
    >
      <FirstSteps />
      {today.data ? (
        <Figures today={today.data} readAt={today.dataUpdatedAt} />
      ) : today.isError ? (
        <ErrorState message={messageOf(today.error)} onRetry={() => void today.refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

const Figures = ({ today, readAt }: { today: Dashboard; readAt: number }) => {
  const [view, setView] = useState('grafico')
  const now = useNow()
  const longestS = today.longestWaitS === null ? null : today.longestWaitS + Math.max(0, (now - readAt) / 1000)
  const day = dayOf(new Date(readAt))
  return (
    <div className={classes.page}>
      <dl className={classes.figures}>
        <FigureCard
          label="Esperando"
          value={formatNumber(today.pending)}
          tone={today.pending > 0 ? 'waiting' : undefined}
          hint={
            today.pending > 0 ? (
              <Anchor component={Link} to="/atendimento?aba=pendentes&todos=1" size="sm">
                Ver atendimentos
              </Anchor>
            ) : (
              'ninguém na espera'
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
        <FigureCard
          label="Encerrados hoje"
          value={formatNumber(today.closedToday)}
          hint={today.handlingS === null ? 'nenhum ainda' : `em média ${durationOf(today.handlingS)}`}
        />
        <FigureCard
          label="Criados hoje"
          value={formatNumber(today.createdToday)}
          hint={plural(today.newContactsToday, 'contato novo', 'contatos novos')}
        />
        <FigureCard label="Espera média até o aceite" value={durationOf(today.waitS)} hint="dos criados hoje" />
      </dl>

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
          name: `mensagens-por-hora-${day}`,
          header: ['Hora', 'Recebidas', 'Enviadas'],
          rows: today.byHour.map((hour) => [hourText(hour.hour), hour.received, hour.sent]),
        }}
      >
        <p className={classes.sums}>
          {plural(today.receivedToday, 'recebida', 'recebidas')} e {plural(today.sentToday, 'enviada', 'enviadas')} hoje
        </p>
        {view === 'grafico' ? <HourChart hours={today.byHour} /> : <HourTable hours={today.byHour} />}
      </Panel>

      <div className={classes.loads}>
        <Panel title="Por fila" csv={loadCsv('por-fila', day, 'Fila', today.byQueue)}>
          {today.byQueue.length === 0 ? (
            <EmptyState title="Ainda não há filas" action={<GoTo to="/filas" label="Criar fila" />}>
              Separe o atendimento em departamentos, como Vendas e Suporte.
            </EmptyState>
          ) : (
            <LoadTable
              label="Atendimentos por fila"
              first="Fila"
              rows={today.byQueue}
              renderName={(queue) => (
                <ColorDot color={queue.color ?? 'var(--balcao-border-strong)'} label={queue.name} />
              )}
            />
          )}
        </Panel>
        <Panel title="Por pessoa" csv={loadCsv('por-pessoa', day, 'Pessoa', today.byUser)}>
          {today.byUser.length === 0 ? (
            <EmptyState title="Ninguém da equipe atende ainda" action={<GoTo to="/usuarios" label="Ver usuários" />} />
          ) : (
            <LoadTable
              label="Atendimentos por pessoa"
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
      </div>
    </div>
  )
}

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

const Waiting = () =>
  useLate(true) && (
    <div className={classes.page} role="status" aria-label="Carregando">
      <div className={classes.figures}>
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} height={92} radius="md" />
        ))}
      </div>
      <Skeleton height={320} radius="md" />
    </div>
  )

const durationOf = (seconds: number | null) => (seconds === null ? '—' : formatDuration(seconds * 1000))

const loadCsv = (
  name: string,
  day: string,
  first: string,
  rows: readonly { name: string; open: number; pending: number; closedToday: number }[],
) => ({
  name: `${name}-${day}`,
  header: [first, 'Esperando', 'Em curso', 'Encerrados hoje'],
  rows: rows.map((row) => [row.name, row.pending, row.open, row.closedToday]),
})
