import { showIdentity } from '@balcao/contract/identity.ts'
import type { Tenant } from '@balcao/contract/platform/tenants.ts'
import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { IconDoorEnter } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { tenantResource, useUpdateTenant } from '../../../features/platform/tenants/api.ts'
import { ImpersonateDialog } from '../../../features/platform/tenants/impersonate-dialog.tsx'
import { TenantForm } from '../../../features/platform/tenants/tenant-form.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDate, formatNumber } from '../../../kit/format.ts'
import { type ResourceColumn, ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'

export default function TenantsScreen() {
  const mayEnter = useCan('tenants.impersonate')
  const [status, setStatus] = useUrlState('situacao')
  const [, setParams] = useSearchParams()
  const [entering, setEntering] = useState<Tenant | null>(null)
  const [asked, setAsked] = useState<{ tenant: Tenant; closeForm: () => void } | null>(null)
  const switching = asked?.tenant
  const update = useUpdateTenant()

  const handleSwitch = async () => {
    if (!asked || !switching) return
    const next = switching.status === 'active' ? 'inactive' : 'active'
    try {
      await update.mutateAsync({ id: switching.id, status: next })
      notify.success(next === 'active' ? `${switching.name} voltou a ter acesso.` : `${switching.name} está suspensa.`)
      setAsked(null)
      asked.closeForm()
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  return (
    <>
      <ResourceScreen
        resource={tenantResource}
        purpose="Quem usa esta instalação, com quais limites e menus."
        emptyText="Crie a primeira com os dados de quem vai administrá-la."
        columns={columns}
        remove={false}
        ordered={false}
        mayExport={false}
        query={{ status: status === 'active' || status === 'inactive' ? status : undefined }}
        clearFilters={() => setParams({}, { replace: true })}
        extraFilters={
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
        }
        rowActions={(row) =>
          mayEnter && (
            <Tooltip label="Acessar como suporte">
              <ActionIcon aria-label={`Acessar ${row.name} como suporte`} onClick={() => setEntering(row)}>
                <IconDoorEnter size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          )
        }
        form={({ row: tenant, readOnly, onClose }) => (
          <TenantForm
            key={tenant?.id ?? 'novo'}
            tenant={tenant}
            readOnly={readOnly}
            onClose={onClose}
            onSaved={(saved) => {
              if (!tenant) notify.success(`${saved.name}: empresa criada.`)
              onClose()
            }}
            footer={
              tenant &&
              !readOnly && (
                <Button
                  variant="subtle"
                  color={tenant.status === 'active' ? 'red' : 'green'}
                  onClick={() => setAsked({ tenant, closeForm: onClose })}
                >
                  {tenant.status === 'active' ? 'Suspender' : 'Reativar'}
                </Button>
              )
            }
          />
        )}
      />
      <ImpersonateDialog tenant={entering} onClose={() => setEntering(null)} />
      <ConfirmDialog
        opened={asked !== null}
        title={switching?.status === 'active' ? `Suspender ${switching.name}?` : `Reativar ${switching?.name ?? ''}?`}
        confirmLabel={switching?.status === 'active' ? 'Suspender' : 'Reativar'}
        tone={switching?.status === 'active' ? 'danger' : 'normal'}
        typed={switching?.name.trim()}
        busy={update.isPending}
        onConfirm={() => void handleSwitch()}
        onClose={() => setAsked(null)}
      >
        {switching?.status === 'active'
          ? 'Todos saem na hora e ninguém entra até a reativação. As mensagens dos clientes continuam chegando e ficam guardadas.'
          : 'A equipe volta a entrar e encontra o que chegou enquanto isso.'}
      </ConfirmDialog>
    </>
  )
}

const columns: ResourceColumn<Tenant>[] = [
  { key: 'name' },
  { key: 'identity', width: 180, wideOnly: true, render: (row) => showIdentity(row.identity) },
  {
    key: 'status',
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
