import type { UserTenant } from '@balcao/contract/people/user-tenants.ts'
import { Button, Select, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { profileLabels } from '../../../features/people/users/profiles.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened, useOpenedRow } from '../../../kit/use-opened.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { GoneDialog } from '../../../ui/gone-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import { TenantHandOver } from './tenant-hand-over.tsx'
import { UserTenantForm } from './user-tenant-form.tsx'
import { companyOptions, useDeleteUserTenant, userTenantList, userTenantRow } from './user-tenants-api.ts'
import classes from './usuariotenants-screen.module.css'

/** The people of every company, for the superadmin. */
export default function UsuarioTenantsScreen() {
  const mayWrite = useCan('tenants.write')
  const [searchParam, setSearch] = useUrlState('busca')
  const [company, setCompany] = useUrlState('empresa')
  const [profile, setProfile] = useUrlList('perfil')
  const [support, setSupport] = useUrlList('suporte')
  const [, setParams] = useSearchParams()
  const [deleting, setDeleting] = useState<UserTenant | null>(null)
  const [handOverTo, setHandOverTo] = useState<string | null>(null)
  const removal = useDeleteUserTenant()
  const companies = useQuery({ ...companyOptions, enabled: mayWrite })
  const { opened, setOpened } = useOpened()
  const list = useInfiniteQuery({
    ...userTenantList({
      searchParam,
      tenantId: Number(company) || undefined,
      profile,
      isSupport: support.length ? true : undefined,
    }),
    enabled: mayWrite,
  })
  const { row: user, alone } = useOpenedRow(opened, list, userTenantRow(opened ?? ''))
  const isFiltered = Boolean(searchParam || company || profile.length || support.length)

  const handleAskDelete = (of: UserTenant) => {
    setHandOverTo(null)
    setDeleting(of)
  }
  const handleDelete = async () => {
    if (!deleting) return
    try {
      await removal.mutateAsync({ ...deleting, handOverTo })
      notify.success(`${deleting.name}: usuário excluído.`)
      if (opened === deleting.id) setOpened(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleting(null)
  }

  if (!mayWrite || isApiError(list.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  const createButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('novo')}>
      Criar usuário
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Usuários das empresas"
          purpose="Quem entra em cada empresa desta instalação."
          actions={createButton}
        >
          <SearchInput label="Buscar pessoa, e-mail ou empresa" value={searchParam} onSearch={setSearch} />
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
        </PageHeader>
      }
    >
      <PagedTable
        list={list}
        label="Usuários das empresas"
        columns={columns}
        rowName={(row) => row.name}
        onOpen={(row) => setOpened(row.id)}
        activeId={opened}
        filtered={
          isFiltered && {
            title: searchParam ? `Nada encontrado para “${searchParam}”` : 'Nada encontrado com estes filtros',
            text: 'Confira a grafia ou escolha outra empresa.',
            onClear: () => setParams({}, { replace: true }),
          }
        }
        empty={{
          title: 'Ainda não há usuários',
          text: 'Eles aparecem aqui quando a primeira empresa é criada.',
          action: createButton,
        }}
      />
      {opened && user !== undefined && (
        <UserTenantForm
          key={opened}
          user={user}
          onClose={() => setOpened(null)}
          onSaved={(saved) => {
            if (!user) notify.success(`${saved.name}: usuário criado em ${saved.tenant.name}.`)
            setOpened(null)
          }}
          footer={
            user && (
              <Button variant="subtle" color="red" onClick={() => handleAskDelete(user)}>
                Excluir
              </Button>
            )
          }
        />
      )}
      <GoneDialog row={alone} title="Não encontramos este usuário" backLabel="Ver todos" onBack={() => setOpened(null)}>
        Talvez já tenha sido excluído.
      </GoneDialog>
      <ConfirmDelete
        opened={deleting !== null}
        what={`${deleting?.name ?? ''}, de ${deleting?.tenant.name ?? ''}`}
        busy={removal.isPending}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleting(null)}
      >
        <Stack gap="sm">
          <span>Sai na hora de onde estiver e não entra mais. O histórico fica.</span>
          {deleting && <TenantHandOver user={deleting} value={handOverTo} onChange={setHandOverTo} />}
        </Stack>
      </ConfirmDelete>
    </Page>
  )
}

const columns: Column<UserTenant>[] = [
  {
    key: 'name',
    label: 'Nome',
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
    label: 'Empresa',
    render: (row) => (
      <span className={classes.company} title={row.tenant.name}>
        {row.tenant.name}
        {row.tenant.status === 'inactive' && <span className={classes.quiet}> · suspensa</span>}
      </span>
    ),
  },
  { key: 'email', label: 'E-mail', wideOnly: true },
  {
    key: 'profile',
    label: 'Perfil',
    width: 190,
    wideOnly: true,
    render: (row) => (
      <>
        {profileLabels[row.profile].name}
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
