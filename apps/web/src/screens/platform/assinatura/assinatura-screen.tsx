import type { PlatformSummary } from '@balcao/contract/platform/platform.ts'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { FigureCard } from '../../../features/operations/dashboard/figure-card.tsx'
import { Panel } from '../../../features/operations/dashboard/panel.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatBytes, formatDuration, formatNumber, plural } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { summaryQuery } from './assinatura-api.ts'
import classes from './assinatura-screen.module.css'
import { healthOf } from './health.ts'

/** The installation, for the superadmin who arrives here after login. */
export default function AssinaturaScreen() {
  const mayRead = useCan('platform.read')
  const summary = useQuery({ ...summaryQuery, enabled: mayRead })
  if (!mayRead || isApiError(summary.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  return (
    <Page
      header={
        <PageHeader
          title="Visão geral da instalação"
          purpose="Esta instalação: licença, tamanho e saúde."
          actions={
            summary.data && (
              <span className={classes.fresh} data-stale={summary.isError}>
                {summary.isError ? 'Sem atualizar desde ' : 'Atualizado '}
                <RelativeTime moment={new Date(summary.dataUpdatedAt).toISOString()} />
              </span>
            )
          }
        />
      }
    >
      {summary.data ? (
        <Summary of={summary.data} />
      ) : summary.isError ? (
        <ErrorState message={messageOf(summary.error)} onRetry={() => void summary.refetch()} />
      ) : (
        <SkeletonList rows={5} height={88} />
      )}
    </Page>
  )
}

const Summary = ({ of }: { of: PlatformSummary }) => (
  <div className={classes.page}>
    <dl className={classes.figures}>
      <FigureCard
        label="Empresas"
        value={formatNumber(of.companies.active + of.companies.inactive)}
        hint={
          <Anchor component={Link} to="/tenants" size="sm">
            {of.companies.inactive ? plural(of.companies.inactive, 'suspensa', 'suspensas') : 'todas ativas'}
          </Anchor>
        }
      />
      <FigureCard
        label="Usuários"
        value={formatNumber(of.users)}
        hint={
          <Anchor component={Link} to="/usuariotenants" size="sm">
            ver por empresa
          </Anchor>
        }
      />
      <FigureCard
        label="Canais"
        value={formatNumber(of.connections.total)}
        hint={plural(of.connections.connected, 'conectado', 'conectados')}
      />
      <FigureCard label="Banco de dados" value={formatBytes(of.databaseBytes)} hint={`PostgreSQL ${of.postgres}`} />
      <FigureCard
        label="Arquivos"
        value={formatBytes(of.storage.bytes)}
        hint={plural(of.storage.files, 'arquivo', 'arquivos')}
      />
    </dl>
    <div className={classes.panels}>
      <div className={classes.column}>
        <Panel title="Licença">
          <StatusDot tone="good" label="Sem licença: o produto funciona normalmente." />
        </Panel>
        <Panel title="Versão">
          <dl className={classes.facts}>
            <Fact name="Balcão" value={of.version} />
            <Fact name="Compilação" value={of.build === 'dev' ? 'desenvolvimento' : of.build} />
            <Fact name="Node.js" value={of.node} />
            <Fact name="No ar há" value={formatDuration(of.health.uptimeS * 1_000)} />
          </dl>
        </Panel>
      </div>
      <Panel title="Saúde">
        <ul className={classes.health}>
          {healthOf(of).map((line) => (
            <li key={line.key} className={classes.line}>
              <span className={classes.name}>{line.name}</span>
              <span className={classes.detail}>{line.detail}</span>
              <StatusDot tone={line.tone} label={line.state} />
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  </div>
)

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd className="tabular">{value}</dd>
  </>
)
