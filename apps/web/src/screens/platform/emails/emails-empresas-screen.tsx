import { mailKindLabels, type TenantMail } from '@balcao/contract/people/mails.ts'
import { Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { tenantMailList } from '../../../features/people/mail/api.ts'
import { mailColumns, mailStateOptions } from '../../../features/people/mail/mail-columns.tsx'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { companyOptions } from '../usuariotenants/user-tenants-api.ts'

/** What became of the invitations and links of every company, for the superadmin. */
export default function EmailsEmpresasScreen() {
  const [searchParam] = useUrlState('busca')
  const [company, setCompany] = useUrlState('empresa')
  const [state, setState] = useUrlList('situacao')
  const companies = useQuery(companyOptions)
  const tenantId = /^\d+$/.test(company) ? Number(company) : undefined
  return (
    <ReadingScreen<TenantMail>
      title="E-mails das empresas"
      purpose="Convites, links de senha e avisos enviados às equipes, e o que foi feito deles."
      searchLabel="Buscar por e-mail"
      filters={
        <>
          <Select
            aria-label="Empresa"
            placeholder="Todas as empresas"
            w={220}
            data={[{ value: '0', label: 'Plataforma' }, ...(companies.data ?? [])]}
            value={company || null}
            onChange={(next) => setCompany(next ?? '')}
            searchable
            clearable
            limit={100}
          />
          <FilterMenu label="Situação" options={mailStateOptions} value={state} onChange={setState} />
        </>
      }
      list={useInfiniteQuery(tenantMailList({ searchParam, state, tenantId }))}
      columns={columns}
      rowName={(mail) => `${mailKindLabels[mail.kind]} para ${mail.to}, de ${mail.tenant.name}`}
      empty={{
        title: 'Nenhum e-mail ainda',
        text: 'Quando alguém é convidado ou pede uma nova senha, o envio aparece aqui por 60 dias.',
      }}
    />
  )
}

const [to, ...others] = mailColumns as Column<TenantMail>[] // they read what every mail has
const columns: Column<TenantMail>[] = [
  ...(to ? [to] : []),
  {
    key: 'tenant',
    label: 'Empresa',
    render: ({ tenant }) => (
      <span className="truncate" title={tenant.name}>
        {tenant.name}
      </span>
    ),
  },
  ...others,
]
