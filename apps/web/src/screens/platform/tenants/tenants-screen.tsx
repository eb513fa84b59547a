import { showIdentity } from '@balcao/contract/identity.ts'
import type { Tenant } from '@balcao/contract/platform/tenants.ts'
import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { IconDoorEnter, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { tenantList, tenantRow, useUpdateTenant } from '../../../features/platform/tenants/api.ts'
import { ImpersonateDialog } from '../../../features/platform/tenants/impersonate-dialog.tsx'
import { TenantForm } from '../../../features/platform/tenants/tenant-form.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { formatDate, formatNumber } from '../../../kit/format.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened, useOpenedRow } from '../../../kit/use-opened.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { GoneDialog } from '../../../ui/gone-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'

export default function TenantsScreen() {
  const mayRead = useCan('tenants.read')
  const mayWrite = useCan('tenants.write')
  const mayEnter = useCan('tenants.impersonate')
  const [searchParam, setSearch] = useUrlState('busca')
  const [status, setStatus] = useUrlState('situacao')
  const [, setParams] = useSearchParams()
  const [entering, setEntering] = useState<Tenant | null>(null)
  const [switching, setSwitching] = useState<Tenant | null>(null)
  const update = useUpdateTenant()
  const { opened, setOpened } = useOpened()
  const list = useInfiniteQuery({
    ...tenantList({ searchParam, status: status === 'active' || status === 'inactive' ? status : undefined }),
    enabled: mayRead,
  })
  const { row: tenant, alone } = useOpenedRow(opened, list, tenantRow(opened ?? ''))

  const handleSwitch = async () => {
    if (!switching) return
    const next = switching.status === 'active' ? 'inactive' : 'active'
    try {
      await update.mutateAsync({ id: switching.id, status: next })
      notify.success(next === 'active' ? `${switching.name} voltou a ter acesso.` : `${switching.name} está suspensa.`)
      setSwitching(null)
      if (opened === String(switching.id)) setOpened(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
  }

  if (!mayRead || isApiError(list.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  const createButton = mayWrite && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('novo')}>
      Criar empresa
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Empresas"
          purpose="Quem usa esta instalação, com quais limites e menus."
          actions={createButton}
        >
          <SearchInput label="Buscar em empresas" value={searchParam} onSearch={setSearch} />
          <SegmentedControl
            aria-label="Situação"
            size="sm"
            value={status}
            onChange={setStatus}
            data={[
              { value: '', label: 'Todas' },
              { value: 'active', label: 'Ativas' },
              { value: 'inactive', label: 'Suspensas' },
            ]}
          />
        </PageHeader>
      }
    >
      <PagedTable
        list={list}
        label="Empresas"
        columns={columns}
        rowName={(row) => row.name}
        onOpen={(row) => setOpened(String(row.id))}
        activeId={opened}
        rowActions={(row) =>
          mayEnter && (
            <Tooltip label="Acessar como suporte">
              <ActionIcon aria-label={`Acessar ${row.name} como suporte`} onClick={() => setEntering(row)}>
                <IconDoorEnter size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          )
        }
        shown="exibidas"
        filtered={
          Boolean(searchParam || status) && {
            title: searchParam ? `Nada encontrado para “${searchParam}”` : 'Nada encontrado com estes filtros',
            text: 'Confira a grafia ou escolha outra situação.',
            onClear: () => setParams({}, { replace: true }),
          }
        }
        empty={{
          title: 'Ainda não há empresas',
          text: 'Crie a primeira com os dados de quem vai administrá-la.',
          action: createButton,
        }}
      />

      {opened && tenant !== undefined && (
        <TenantForm
          key={opened}
          tenant={tenant}
          readOnly={!mayWrite}
          onClose={() => setOpened(null)}
          onSaved={(saved) => {
            if (!tenant) notify.success(`${saved.name}: empresa criada.`)
            setOpened(null)
          }}
          footer={
            tenant &&
            mayWrite && (
              <Button
                variant="subtle"
                color={tenant.status === 'active' ? 'red' : 'green'}
                onClick={() => setSwitching(tenant)}
              >
                {tenant.status === 'active' ? 'Suspender' : 'Reativar'}
              </Button>
            )
          }
        />
      )}
      <GoneDialog row={alone} title="Não encontramos esta empresa" backLabel="Ver todas" onBack={() => setOpened(null)}>
        O endereço pode estar errado, ou a internet falhou.
      </GoneDialog>
      <ImpersonateDialog tenant={entering} onClose={() => setEntering(null)} />
      <ConfirmDialog
        opened={switching !== null}
        title={switching?.status === 'active' ? `Suspender ${switching.name}?` : `Reativar ${switching?.name ?? ''}?`}
        confirmLabel={switching?.status === 'active' ? 'Suspender' : 'Reativar'}
        tone={switching?.status === 'active' ? 'danger' : 'normal'}
        typed={switching?.name.trim()}
        busy={update.isPending}
        onConfirm={() => void handleSwitch()}
        onClose={() => setSwitching(null)}
      >
        {switching?.status === 'active'
          ? 'Todos saem na hora e ninguém entra até a reativação. As mensagens dos clientes continuam chegando e ficam guardadas.'
          : 'A equipe volta a entrar e encontra o que chegou enquanto isso.'}
      </ConfirmDialog>
    </Page>
  )
}

const columns: Column<Tenant>[] = [
  { key: 'name', label: 'Empresa' },
  { key: 'identity', label: 'CNPJ ou CPF', width: 180, wideOnly: true, render: (row) => showIdentity(row.identity) },
  {
    key: 'status',
    label: 'Situação',
    width: 120,
    render: (row) => (
      <StatusDot
        tone={row.status === 'active' ? 'good' : 'bad'}
        label={row.status === 'active' ? 'Ativa' : 'Suspensa'}
      />
    ),
  },
  {
    key: 'usersCount',
    label: 'Usuários',
    width: 120,
    align: 'right',
    wideOnly: true,
    render: (row) => used(row.usersCount, row.maxUsers),
  },
  {
    key: 'connectionsCount',
    label: 'Canais',
    width: 120,
    align: 'right',
    wideOnly: true,
    render: (row) => used(row.connectionsCount, row.maxConnections),
  },
  { key: 'createdAt', label: 'Criada', width: 120, wideOnly: true, render: (row) => formatDate(row.createdAt) },
]

const used = (inUse: number, most: number) => (
  <span className="tabular">
    {formatNumber(inUse)} de {formatNumber(most)}
  </span>
)
