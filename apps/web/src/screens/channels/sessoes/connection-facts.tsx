import type { Connection, ConnectionWork } from '@balcao/contract/channels/connections.ts'
import { hostLabels } from '@balcao/contract/channels/hosts.ts'
import type { ReactNode } from 'react'
import { formatNumber, plural } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { nowMs } from '../../../ui/server-time.ts'
import classes from './connection-card.module.css'

const many = 1_000
const count = (value: number) => (value >= many ? `mais de ${formatNumber(many - 1)}` : formatNumber(value))
/** Handled within this long, an event was not waiting. */
const usualMs = 30_000

/** "2K" is how a provider writes two thousand people. */
const tierText = (tier: string) =>
  tier === 'UNLIMITED'
    ? 'sem limite'
    : `${/^\d+K?$/.test(tier) ? formatNumber(Number(tier.replace('K', '')) * (tier.endsWith('K') ? 1_000 : 1)) : tier} pessoas`

type Props = {
  connection: Pick<Connection, 'queue' | 'host' | 'lastInboundAt' | 'health' | 'options'>
  /** Undefined while it is not known. */
  work: ConnectionWork | undefined
}

/** How a channel does: when it last spoke, what waits, what failed. */
export const ConnectionFacts = ({ connection, work }: Props) => {
  const { queue, host, lastInboundAt, health, options } = connection
  const isLate = work?.inHandSince && nowMs() - new Date(work.inHandSince).getTime() > usualMs
  const sent = work ? count(work.sentToday) : '—'
  return (
    <>
      <dl className={classes.facts}>
        <Fact name="Última recebida">{lastInboundAt ? <RelativeTime moment={lastInboundAt} /> : 'nenhuma ainda'}</Fact>
        <Fact name="Última enviada">
          {work?.lastSentAt ? <RelativeTime moment={work.lastSentAt} /> : work ? 'nenhuma ainda' : '—'}
        </Fact>
        {work?.lastEventAt && (
          <Fact name="Último aviso">
            <RelativeTime moment={work.lastEventAt} />
          </Fact>
        )}
        <Fact name="Fila inicial">{queue?.name ?? 'sem fila'}</Fact>
        <Fact name="Enviadas hoje">{options.dailyMost ? `${sent} de ${formatNumber(options.dailyMost)}` : sent}</Fact>
        {work && work.waiting > 0 && <Fact name="Esperando envio">{count(work.waiting)}</Fact>}
        {work && work.failedToday > 0 && <Fact name="Falhas hoje">{count(work.failedToday)}</Fact>}
        {isLate && work?.inHandSince && (
          <Fact name="Em atraso">
            <RelativeTime moment={work.inHandSince} />
          </Fact>
        )}
        {host && <Fact name="Servidor">{hostLabels[host]}</Fact>}
        {health?.credits !== undefined && <Fact name="Créditos">{formatNumber(health.credits)}</Fact>}
        {health?.quality && <Fact name="Qualidade">{health.quality}</Fact>}
        {health?.tier && <Fact name="Inicia por dia">{tierText(health.tier)}</Fact>}
        {health?.perSecond && <Fact name="Ritmo">{formatNumber(health.perSecond)} por segundo</Fact>}
        {health?.inJunk ? <Fact name="No spam">{formatNumber(health.inJunk)}</Fact> : null}
      </dl>
      {health?.advice && (
        <details className={classes.advice}>
          <summary>{plural(health.advice.length, 'ajuste', 'ajustes')} no domínio para os e-mails chegarem</summary>
          {health.advice.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </details>
      )}
      {work?.risks.map((risk) => (
        <p key={risk} className={classes.risk}>
          {risk}
        </p>
      ))}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="truncate">{children}</dd>
  </div>
)
