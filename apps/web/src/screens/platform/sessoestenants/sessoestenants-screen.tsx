import { connectionStateLabels, connectionStates } from '@balcao/contract/channels/connections.ts'
import { channelKinds, channels } from '@balcao/contract/channels/index.ts'
import type { TenantConnection } from '@balcao/contract/platform/connections.ts'
import { Button, Select } from '@mantine/core'
import { IconPlugConnected, IconServer } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { exportTenantConnections, tenantConnectionList } from '../../../features/platform/tenants/connections-api.ts'
import { HostsDrawer } from '../../../features/platform/tenants/hosts-drawer.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useGo } from '../../../kit/use-go.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from '../../channels/sessoes/connection-board.module.css'
import { ConnectionSummary } from '../../channels/sessoes/connection-summary.tsx'
import { companyOptions } from '../usuariotenants/user-tenants-api.ts'

const installation = { id: 0, name: 'Instalação' }

/** Every company's channels, for the superadmin: where a provider fails, it is seen here first. */
export default function SessoesTenantsScreen() {
  const mayRead = useCan('tenants.read')
  const mayWrite = useCan('tenants.write')
  const [searchParam, setSearch] = useUrlState('busca')
  const [company, setCompany] = useUrlState('empresa')
  const [kind, setKind] = useUrlList('tipo')
  const [status, setStatus] = useUrlList('situacao')
  const [params, setParams] = useSearchParams()
  const companies = useQuery({ ...companyOptions, enabled: mayRead })
  const tenantId = /^\d+$/.test(company) ? Number(company) : undefined
  const list = useInfiniteQuery({
    ...tenantConnectionList({ searchParam, tenantId, kind, status }),
    enabled: mayRead,
  })
  const [hostsOf, setHostsOf] = useState<{ id: number; name: string } | null>(null)
  const go = useGo()
  if (!mayRead) return <ForbiddenState />
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = [...params.keys()].length > 0

  return (
    <Page
      header={
        <PageHeader
          title="Canais das empresas"
          purpose="Como está cada canal de cada empresa, e em que servidores ficam."
          actions={
            <>
              <ExportButton onExport={() => exportTenantConnections({ searchParam, tenantId, kind, status })} />
              {mayWrite && (
                <Button
                  variant="default"
                  leftSection={<IconServer size={18} aria-hidden />}
                  onClick={() => setHostsOf(installation)}
                >
                  Servidores da instalação
                </Button>
              )}
            </>
          }
        >
          <SearchInput label="Buscar canal, empresa ou número" value={searchParam} onSearch={setSearch} />
          <Select
            aria-label="Empresa"
            placeholder="Todas as empresas"
            w={220}
            data={companies.data ?? []}
            value={company || null}
            onChange={(next) => setCompany(next ?? '')}
            searchable
            clearable
            limit={100}
          />
          <FilterMenu
            label="Tipo"
            options={channelKinds.map((one) => ({ value: one, label: channels[one].label }))}
            value={kind}
            onChange={setKind}
          />
          <FilterMenu
            label="Situação"
            options={connectionStates.map((one) => ({ value: one, label: connectionStateLabels[one] }))}
            value={status}
            onChange={setStatus}
          />
        </PageHeader>
      }
    >
      <div className={classes.progress}>
        <BulkProgress kind="exportTenantConnections" />
      </div>
      {list.isPending ? (
        <SkeletonList rows={4} height={120} />
      ) : list.isError && rows.length === 0 ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<IconPlugConnected size={26} stroke={1.5} />}
          title={isFiltered ? 'Nenhum canal com estes filtros' : 'Nenhuma empresa tem canais ainda'}
          action={
            isFiltered && (
              <Button variant="default" onClick={() => setParams({}, { replace: true })}>
                Tirar filtros
              </Button>
            )
          }
        >
          {isFiltered ? 'Mude os filtros ou tire todos.' : 'Quando uma empresa ligar o primeiro, ele aparece aqui.'}
        </EmptyState>
      ) : (
        <>
          <div className={classes.cards}>
            {rows.map((row) => (
              <Card
                key={row.id}
                row={row}
                onOpen={() => go(`/tenants?registro=${row.tenant.id}`)}
                onHosts={mayWrite ? () => setHostsOf(row.tenant) : undefined}
              />
            ))}
          </div>
          {list.hasNextPage && (
            <div className={classes.rest}>
              <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Carregar mais
              </Button>
            </div>
          )}
        </>
      )}
      {hostsOf && <HostsDrawer key={hostsOf.id} of={hostsOf} onClose={() => setHostsOf(null)} />}
    </Page>
  )
}

type CardProps = {
  row: TenantConnection
  onOpen: Parameters<typeof ConnectionSummary>[0]['onOpen']
  onHosts: (() => void) | undefined
}
const Card = ({ row, onOpen, onHosts }: CardProps) => (
  <ConnectionSummary connection={row} work={row.work} owner={row.tenant.name} onOpen={onOpen}>
    <div className={classes.actions}>
      <Button
        variant="default"
        size="xs"
        component={Link}
        to={`/tenants?registro=${row.tenant.id}`}
        aria-label={`Limites da empresa ${row.tenant.name}`}
      >
        Limites da empresa
      </Button>
      {onHosts && (
        <Button variant="default" size="xs" onClick={onHosts} aria-label={`Servidores de ${row.tenant.name}`}>
          Servidores
        </Button>
      )}
    </div>
  </ConnectionSummary>
)
