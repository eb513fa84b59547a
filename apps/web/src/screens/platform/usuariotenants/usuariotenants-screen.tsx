import type { UserTenant } from '@balcao/contract/people/user-tenants.ts'
import { Button, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { profileLabels } from '../../../features/people/users/profiles.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { type Removal, type ResourceColumn, ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { notify } from '../../../ui/notify.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import { TenantHandOver } from './tenant-hand-over.tsx'
import { UserTenantForm } from './user-tenant-form.tsx'
import { companyOptions, readUserTenant, userTenantResource } from './user-tenants-api.ts'
import classes from './usuariotenants-screen.module.css'

/** The people of every company, for the superadmin. */
export default function UsuarioTenantsScreen() {
  const mayWrite = useCan('tenants.write')
  const [company, setCompany] = useUrlState('empresa')
  const [profile, setProfile] = useUrlList('perfil')
  const [support, setSupport] = useUrlList('suporte')
  const [, setParams] = useSearchParams()
  const companies = useQuery({ ...companyOptions, enabled: mayWrite })
  return (
    <ResourceScreen
      resource={userTenantResource}
      purpose="Quem entra em cada empresa desta instalação."
      emptyText="Eles aparecem aqui quando a primeira empresa é criada."
      searchLabel="Buscar pessoa, e-mail ou empresa"
      columns={columns}
      ordered={false}
      bulk={false}
      mayExport={false}
      query={{ tenantId: Number(company) || undefined, profile, isSupport: support.length ? true : undefined }}
      clearFilters={() => setParams({}, { replace: true })}
      readRow={readUserTenant}
      extraFilters={
        <>
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
            label="Perfil"
            options={(['admin', 'super', 'user'] as const).map((value) => ({
              value,
              label: profileLabels[value].name,
            }))}
            value={profile}
            onChange={setProfile}
          />
          <FilterMenu
            label="Suporte"
            options={[{ value: 'sim', label: 'Só quem é suporte' }]}
            value={support}
            onChange={setSupport}
          />
        </>
      }
      form={({ row: user, onClose, onDelete }) => (
        <UserTenantForm
          key={user?.id ?? 'novo'}
          user={user}
          onClose={onClose}
          onSaved={(saved) => {
            if (!user) notify.success(`${saved.name}: usuário criado em ${saved.tenant.name}.`)
            onClose()
          }}
          footer={
            onDelete && (
              <Button variant="subtle" color="red" onClick={onDelete}>
                Excluir
              </Button>
            )
          }
        />
      )}
      removal={(asked) => <RemovalDialog {...asked} />}
    />
  )
}

/** Who leaves may have conversations, which somebody has to take. */
const RemovalDialog = ({ rows: [user], busy, onConfirm, onClose }: Removal<UserTenant>) => {
  const [handOverTo, setHandOverTo] = useState<string | null>(null)
  if (!user) return null
  return (
    <ConfirmDelete
      opened
      what={`${user.name}, de ${user.tenant.name}`}
      busy={busy}
      onConfirm={() => onConfirm({ tenantId: user.tenantId, handOverTo })}
      onClose={onClose}
    >
      <Stack gap="sm">
        <span>Sai na hora de onde estiver e não entra mais. O histórico fica.</span>
        <TenantHandOver user={user} value={handOverTo} onChange={setHandOverTo} />
      </Stack>
    </ConfirmDelete>
  )
}

const columns: ResourceColumn<UserTenant>[] = [
  {
    key: 'name',
    render: (row) => (
      <span className={classes.person}>
        <Avatar name={row.name} size={28} online={row.isOnline} />
        <span className="truncate" title={row.name}>
          {row.name}
        </span>
        {row.isBlocked && <StatusDot tone="bad" label="Bloqueado" hideLabel />}
      </span>
    ),
  },
  {
    key: 'tenant',
    render: (row) => (
      <span className={classes.company} title={row.tenant.name}>
        {row.tenant.name}
        {row.tenant.status !== 'active' && (
          <span className={classes.quiet}> · {row.tenant.status === 'closed' ? 'encerrada' : 'suspensa'}</span>
        )}
      </span>
    ),
  },
  { key: 'email', wideOnly: true },
  {
    key: 'profile',
    label: 'Perfil',
    width: 190,
    wideOnly: true,
    render: (row) => (
      <>
        {row.role?.name ?? profileLabels[row.profile].name}
        {row.isSupport && <span className={classes.support}>Suporte</span>}
      </>
    ),
  },
  { key: 'isBlocked', label: 'Situação', width: 120, wideOnly: true, render: (row) => <StatusDot {...stateOf(row)} /> },
  {
    key: 'lastLoginAt',
    label: 'Último acesso',
    width: 150,
    wideOnly: true,
    render: (row) =>
      row.lastLoginAt ? <RelativeTime moment={row.lastLoginAt} /> : <span className={classes.quiet}>nunca entrou</span>,
  },
]

const stateOf = (row: UserTenant): { tone: StatusTone; label: string } => {
  if (row.isBlocked) return { tone: 'bad', label: 'Bloqueado' }
  return row.isOnline ? { tone: 'good', label: 'Online' } : { tone: 'quiet', label: 'Offline' }
}
