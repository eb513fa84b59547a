import type { Monitor } from '@balcao/contract/operations/monitor.ts'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconMaximize,
  IconMinimize,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconSun,
  IconX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { queueOptions } from '../../../features/core/pickers/options.ts'
import { monitorQuery } from '../../../features/operations/monitor/api.ts'
import { useConnectionLoss } from '../../../features/operations/monitor/use-connection-loss.ts'
import { useRotation } from '../../../features/operations/monitor/use-rotation.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatClock, formatDuration, formatNumber, formatTime, plural } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { nowMs } from '../../../ui/server-time.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './monitor-screen.module.css'
import { coverWindow, useScheme } from './use-whole-window.ts'

/** What goes on now, for a television on the wall: which queues, and light or dark, stand in the address. */
export default function MonitorScreen() {
  const mayRead = useCan('monitor.read')
  return mayRead ? <Wall /> : <ForbiddenState />
}

const Wall = () => {
  const [queuesIds, setQueues] = useUrlList('fila')
  const [scheme, setScheme] = useUrlState('tema', 'escuro')
  const isDark = scheme !== 'claro'
  useScheme(isDark ? 'dark' : 'light')
  const query = useQuery(monitorQuery(queuesIds))
  const queues = useQuery(queueOptions)
  const { user } = useCurrentSession()
  const here = useSecond()
  const lostAt = useConnectionLoss(here)
  const { data } = query
  // The clock of a television is often wrong: time passes here, counted from the server's.
  const now = data ? Date.parse(data.asOf) + Math.max(0, here - query.dataUpdatedAt) : here

  if (isApiError(query.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  return (
    <div className={classes.frame} ref={coverWindow}>
      <header className={classes.top}>
        <h1 className={`truncate ${classes.company}`}>{user.tenant.name}</h1>
        <div className={classes.controls}>
          <FilterMenu
            label="Filas"
            options={(queues.data ?? []).map(({ id, name, color }) => ({
              value: id,
              label: name,
              mark: <ColorDot color={color} />,
            }))}
            value={queuesIds}
            onChange={setQueues}
          />
          <Tooltip label={isDark ? 'Fundo claro' : 'Fundo escuro'}>
            <ActionIcon
              size={40}
              aria-label={isDark ? 'Usar fundo claro' : 'Usar fundo escuro'}
              onClick={() => setScheme(isDark ? 'claro' : 'escuro')}
            >
              {isDark ? <IconSun size={20} stroke={1.75} /> : <IconMoon size={20} stroke={1.75} />}
            </ActionIcon>
          </Tooltip>
          <FullScreen />
          <Button component={Link} to="/entrada" variant="default" leftSection={<IconX size={16} aria-hidden />}>
            Sair
          </Button>
        </div>
        <time className={`tabular ${classes.clock}`}>{formatTime(new Date(now))}</time>
      </header>
      {data && (lostAt !== null || query.isError) && (
        <p className={classes.lost} role="status">
          <IconAlertTriangle aria-hidden />
          {query.isError ? messageOf(query.error) : `Sem conexão há ${formatDuration(here - (lostAt ?? here))}.`}{' '}
          Números das {formatTime(data.asOf)}; tentando de novo.
        </p>
      )}
      {data ? (
        <Numbers of={data} now={now} />
      ) : query.isError ? (
        <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonList rows={6} height={96} />
      )}
    </div>
  )
}

const Numbers = ({ of: { now: all, queues, agents, today, deadlines }, now }: { of: Monitor; now: number }) => {
  const promised = deadlines.met + deadlines.missed
  return (
    <>
      <dl className={classes.figures}>
        <Figure label="Esperando" value={formatNumber(all.waiting)} tone={all.waiting ? 'waiting' : undefined}>
          {all.waiting ? 'sem atendente' : 'ninguém na fila'}
        </Figure>
        <Figure
          label="Maior espera"
          value={all.waitingSince ? waitText(all.waitingSince, now) : '—'}
          tone={all.late ? 'late' : undefined}
        >
          {all.waitingSince ? 'sem resposta' : 'ninguém sem resposta'}
        </Figure>
        <Figure label="Em atendimento" value={formatNumber(all.open)}>
          agora
        </Figure>
        <Figure
          label="Atrasados"
          value={formatNumber(all.late)}
          tone={all.late ? 'late' : all.atRisk ? 'waiting' : undefined}
        >
          <span data-tone={all.atRisk ? 'waiting' : undefined}>{formatNumber(all.atRisk)} por vencer</span>
          <br />
          {promised
            ? `${Math.floor((100 * deadlines.met) / promised)}% dos prazos de hoje cumpridos`
            : 'nenhum prazo hoje'}
        </Figure>
        <Figure label="Hoje" value={formatNumber(today.created)}>
          {today.created === 1 ? 'novo' : 'novos'} · {plural(today.closed, 'encerrado', 'encerrados')}
          <HourBars hours={today.byHour} />
        </Figure>
      </dl>
      <div className={classes.tables}>
        <Queues queues={queues} now={now} />
        <Agents agents={agents} now={now} />
      </div>
    </>
  )
}

type FigureProps = { label: string; value: string; tone?: 'waiting' | 'late'; children: ReactNode }
const Figure = ({ label, value, tone, children }: FigureProps) => (
  <div className={classes.figure} data-tone={tone}>
    <dt>{label}</dt>
    <dd className={`tabular ${classes.value}`} style={{ '--letters': value.length } as CSSProperties}>
      {value}
    </dd>
    <dd className={classes.hint}>{children}</dd>
  </div>
)

/** When the day's conversations came; their sum stands beside. */
const HourBars = ({ hours }: { hours: Monitor['today']['byHour'] }) => {
  const most = Math.max(1, ...hours.map(({ created }) => created))
  return (
    <span className={classes.bars} aria-hidden>
      {hours.map(({ hour, created }) => (
        <span key={hour} style={{ height: `${(100 * created) / most}%` }} />
      ))}
    </span>
  )
}

const Queues = ({ queues, now }: { queues: Monitor['queues']; now: number }) => {
  const rows = queues.toSorted(
    (a, b) => b.late - a.late || b.waiting - a.waiting || a.name.localeCompare(b.name, 'pt-BR'),
  )
  const rotation = useRotation(rows, now, { rowEm: 3, headEm: 2.4 })
  return (
    <section className={classes.panel} aria-label="Filas">
      <PanelHead title="Filas" rotation={rotation} />
      <div className={classes.rows} ref={rotation.ref} style={{ fontSize: rotation.fontSize }}>
        {rows.length === 0 ? (
          <EmptyState title="Ainda não há filas" action={<GoTo to="/filas" label="Criar fila" />}>
            Separe o atendimento em departamentos, como Vendas e Suporte.
          </EmptyState>
        ) : (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Fila</th>
                <th scope="col">Esperando</th>
                <th scope="col">Maior espera</th>
                <th scope="col">Em curso</th>
                <th scope="col">Atrasados</th>
              </tr>
            </thead>
            <tbody>
              {rotation.shown.map((queue) => (
                <tr key={queue.id ?? 'none'} data-tone={queue.late ? 'late' : queue.atRisk ? 'waiting' : undefined}>
                  <th scope="row">
                    <span className={classes.queue}>
                      <span
                        className={classes.dot}
                        style={{ background: queue.color ?? 'var(--balcao-border-strong)' }}
                        aria-hidden
                      />
                      <span className="truncate">{queue.name}</span>
                    </span>
                  </th>
                  <td data-zero={queue.waiting === 0}>{formatNumber(queue.waiting)}</td>
                  <td data-zero={!queue.waitingSince} className={classes.wait}>
                    {queue.waitingSince ? waitText(queue.waitingSince, now) : '—'}
                  </td>
                  <td data-zero={queue.open === 0}>{formatNumber(queue.open)}</td>
                  <td data-zero={queue.late === 0} className={classes.late}>
                    {formatNumber(queue.late)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  )
}

const Agents = ({ agents, now }: { agents: Monitor['agents']; now: number }) => {
  const rank = (one: Monitor['agents'][number]) => (one.isOnline ? (one.awaySince ? 1 : 0) : 2)
  const here = agents.filter((one) => one.isOnline || one.open > 0)
  const rows = here.toSorted((a, b) => rank(a) - rank(b) || b.open - a.open || a.name.localeCompare(b.name, 'pt-BR'))
  const away = agents.length - here.length
  const rotation = useRotation(rows, now, { rowEm: 3.05, headEm: 0 })
  return (
    <section className={classes.panel} aria-label="Equipe">
      <PanelHead
        title="Equipe"
        note={away > 0 ? plural(away, 'pessoa offline', 'pessoas offline') : undefined}
        rotation={rotation}
      />
      <div className={classes.rows} ref={rotation.ref} style={{ fontSize: rotation.fontSize }}>
        {rows.length === 0 ? (
          <EmptyState title="Ninguém da equipe está online" />
        ) : (
          <ul className={classes.agents}>
            {rotation.shown.map((agent) => (
              <li key={agent.id}>
                <span className={classes.dot} data-state={stateOf(agent)} aria-hidden />
                <span className={classes.who}>
                  <span className="truncate">{agent.name}</span>
                  <span className={`truncate ${classes.state}`} data-state={stateOf(agent)}>
                    {stateText(agent, now)}
                  </span>
                </span>
                <span className={`tabular ${classes.load}`} data-full={isFull(agent)} data-late={agent.late > 0}>
                  {agent.open}
                  {agent.capacity !== null && <small> de {agent.capacity}</small>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

type Rotation = Pick<ReturnType<typeof useRotation>, 'page' | 'pages' | 'isStopped' | 'toggle'>
const PanelHead = ({ title, note, rotation }: { title: string; note?: string; rotation: Rotation }) => (
  <div className={classes.head}>
    <h2>{title}</h2>
    {note && <span className={classes.note}>{note}</span>}
    {rotation.pages > 1 && (
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        aria-pressed={rotation.isStopped}
        aria-label={`${title}: parar na parte ${rotation.page + 1} de ${rotation.pages}`}
        leftSection={rotation.isStopped ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
        onClick={rotation.toggle}
      >
        {rotation.page + 1} de {rotation.pages}
      </Button>
    )}
  </div>
)

const FullScreen = () => {
  const [isOn, setOn] = useState(() => document.fullscreenElement !== null)
  useEffect(() => {
    const handleChange = () => setOn(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', handleChange)
    return () => {
      document.removeEventListener('fullscreenchange', handleChange)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [])
  if (!document.fullscreenEnabled) return null
  const label = isOn ? 'Sair da tela cheia' : 'Tela cheia'
  const toggle = () =>
    isOn ? document.exitFullscreen() : document.documentElement.requestFullscreen().catch(() => undefined)
  return (
    <Tooltip label={label}>
      <ActionIcon size={40} aria-label={label} aria-pressed={isOn} onClick={() => void toggle()}>
        {isOn ? <IconMinimize size={20} stroke={1.75} /> : <IconMaximize size={20} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  )
}

const useSecond = () => {
  const [now, setNow] = useState(() => nowMs())
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

const hourMs = 3_600_000
/** "7:05" within the hour, "2h05" after, "3 dias" from two days on: read from afar. */
const waitText = (since: string, now: number) => {
  const ms = Math.max(0, now - Date.parse(since))
  if (ms < hourMs) return formatClock(ms / 1_000)
  if (ms >= 48 * hourMs) return formatDuration(ms)
  return `${Math.floor(ms / hourMs)}h${String(Math.floor(ms / 60_000) % 60).padStart(2, '0')}`
}

type Agent = Monitor['agents'][number]
const stateOf = (agent: Agent) => (!agent.isOnline ? 'offline' : agent.awaySince ? 'away' : 'online')
const isFull = ({ open, capacity }: Agent) => capacity !== null && open >= capacity
const stateText = (agent: Agent, now: number) => {
  if (!agent.isOnline) return 'Offline'
  if (agent.awaySince)
    return `${agent.awayReason || 'Em pausa'} há ${formatDuration(Math.max(0, now - Date.parse(agent.awaySince)))}`
  return isFull(agent) ? 'Online · lotado' : 'Online'
}
