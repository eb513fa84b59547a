import { type TenantStatus, tenantStatuses } from '@balcao/contract/core/tenant-status.ts'
import { showIdentity } from '@balcao/contract/identity.ts'
import type { Tenant } from '@balcao/contract/platform/tenants.ts'
import { ActionIcon, Button, Group, SegmentedControl, Tooltip } from '@mantine/core'
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
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

export default function TenantsScreen() {
  const mayEnter = useCan('tenants.impersonate')
  const [status, setStatus] = useUrlState('situacao')
  const [, setParams] = useSearchParams()
  const [entering, setEntering] = useState<Tenant | null>(null)
  const [asked, setAsked] = useState<{ tenant: Tenant; to: TenantStatus; closeForm: () => void } | null>(null)
  const update = useUpdateTenant()

  const handleSwitch = async () => {
    if (!asked) return
    const { tenant, to } = asked
    try {
      await update.mutateAsync({ id: tenant.id, status: to })
      notify.success(`${tenant.name} ${steps[to].done}.`)
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
        query={{ status: tenantStatuses.find((one) => one === status) }}
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
              { value: 'suspended', label: 'Suspensas' },
              { value: 'closed', label: 'Encerradas' },
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
                <Group gap={4}>
                  {stepsFrom[tenant.status].map((to) => (
                    <Button
                      key={to}
                      variant="subtle"
                      color={to === 'active' ? 'green' : 'red'}
                      onClick={() => setAsked({ tenant, to, closeForm: onClose })}
                    >
                      {steps[to].verb}
                    </Button>
                  ))}
                </Group>
              )
            }
          />
        )}
      />
      <ImpersonateDialog tenant={entering} onClose={() => setEntering(null)} />
      <ConfirmDialog
        opened={asked !== null}
        title={asked ? `${steps[asked.to].verb} ${asked.tenant.name}?` : ''}
        confirmLabel={steps[asked?.to ?? 'active'].verb}
        tone={asked?.to === 'active' ? 'normal' : 'danger'}
        typed={asked?.tenant.name.trim()}
        busy={update.isPending}
        onConfirm={() => void handleSwitch()}
        onClose={() => setAsked(null)}
      >
        {steps[asked?.to ?? 'active'].means}
      </ConfirmDialog>
    </>
  )
}

const stateOf: Record<TenantStatus, { tone: StatusTone; label: string }> = {
  active: { tone: 'good', label: 'Ativa' },
  suspended: { tone: 'waiting', label: 'Suspensa' },
  closed: { tone: 'bad', label: 'Encerrada' },
}
const stepsFrom: Record<TenantStatus, readonly TenantStatus[]> = {
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: ['active'],
}
const steps: Record<TenantStatus, { verb: string; done: string; means: string }> = {
  active: {
    verb: 'Reativar',
    done: 'voltou a ter acesso',
    means: 'A equipe volta a entrar e encontra o que chegou enquanto isso.',
  },
  suspended: {
    verb: 'Suspender',
    done: 'está suspensa',
    means:
      'Todos saem na hora. Até a reativação só os administradores entram, para consultar e exportar. As mensagens dos clientes continuam chegando e ficam guardadas.',
  },
  closed: {
    verb: 'Encerrar',
    done: 'está encerrada',
    means:
      'Todos saem na hora e ninguém mais entra. Os canais param: as mensagens dos clientes não chegam mais. O que já existe fica guardado.',
  },
}

const columns: ResourceColumn<Tenant>[] = [
  { key: 'name' },
  { key: 'identity', width: 180, wideOnly: true, render: (row) => showIdentity(row.identity) },
  {
    key: 'status',
    width: 120,
    render: (row) => <StatusDot {...stateOf[row.status]} />,
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
