import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { showIdentity } from '@balcao/contract/identity.ts'
import { newPassword } from '@balcao/contract/people/auth.ts'
import { type Tenant, tenantCreate } from '@balcao/contract/platform/tenants.ts'
import { MultiSelect, NumberInput, type NumberInputProps, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { resolverOf } from '../../../kit/form.ts'
import { useRowForm } from '../../../kit/use-row-form.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { cityOf, timezoneOptions } from '../../core/pickers/timezones.ts'
import { MenuTreeField } from '../../people/users/menu-tree-field.tsx'
import { generatePassword } from '../../people/users/new-password.ts'
import { PasswordField } from '../../people/users/password-field.tsx'
import { sealPassword } from '../../people/users/sealed.ts'
import { useCreateTenant, useUpdateTenant } from './api.ts'
import classes from './tenant-form.module.css'

const newTenant = tenantCreate.extend({ adminPassword: newPassword })
const company = newTenant.omit({ adminName: true, adminEmail: true, adminPassword: true })
type Values = z.output<typeof newTenant>

type Props = {
  /** Null while it is being created. */
  tenant: Tenant | null
  readOnly: boolean
  onClose: () => void
  onSaved: (saved: Tenant) => void
  footer?: ReactNode
}

/** A company: its limits and menus, and at its birth the first administrator. */
export const TenantForm = ({ tenant, readOnly, onClose, onSaved, footer }: Props) => {
  const create = useCreateTenant()
  const update = useUpdateTenant()
  const { form, drawer, conflict } = useRowForm<Tenant, Values>({
    row: tenant,
    valuesOf,
    validate: resolverOf(tenant ? company : newTenant),
    save: async (values, base) =>
      base
        ? update.mutateAsync({ id: base.id, version: base.version, ...company.parse(values) })
        : create.mutateAsync(await sealed(newTenant.parse(values))),
    onSaved,
    labelOf: (field) => labels[field] ?? field,
    textOf: (field, of) => (field === 'timezone' ? cityOf(of.timezone) : undefined),
    refusedField: { ERR_DUPLICATED_EMAIL: 'adminEmail', ERR_PASSWORD_WEAK: 'adminPassword' },
  })

  return (
    <FormDrawer
      opened
      title={tenant ? tenant.name : 'Criar empresa'}
      onClose={onClose}
      {...drawer}
      dirty={drawer.dirty && !readOnly}
      submitLabel={tenant ? 'Salvar' : 'Criar'}
      readOnly={readOnly}
      footer={footer}
    >
      {conflict && <ConflictNotice {...conflict} />}
      <TextInput label="Empresa" required maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <TextInput label="CNPJ ou CPF" {...form.getInputProps('identity')} />
      <Select
        label="Fuso horário"
        required
        searchable
        allowDeselect={false}
        data={timezoneOptions(tenant?.timezone)}
        {...form.getInputProps('timezone')}
      />
      <SimpleGrid cols={2} spacing="sm">
        <LimitInput
          label="Usuários"
          description={useOf(tenant?.usersCount, form.values.maxUsers)}
          min={1}
          max={100_000}
          {...form.getInputProps('maxUsers')}
        />
        <LimitInput
          label="Canais"
          description={useOf(tenant?.connectionsCount, form.values.maxConnections)}
          min={0}
          max={10_000}
          {...form.getInputProps('maxConnections')}
        />
        <OptionalLimit label="Contatos" description="Vazio: sem limite" {...form.getInputProps('maxContacts')} />
        <OptionalLimit
          label="Espaço para arquivos (MB)"
          description="Vazio: sem limite"
          {...form.getInputProps('maxStorageMb')}
        />
      </SimpleGrid>
      <MultiSelect
        label="Tipos de canal"
        description="O que a empresa pode adicionar. Vazio: todos; os que ela já tem continuam."
        placeholder={form.values.allowedChannels?.length ? undefined : 'Todos'}
        data={Object.values(channels).map(({ kind, label }) => ({ value: kind, label }))}
        clearable
        {...form.getInputProps('allowedChannels')}
        value={form.values.allowedChannels ?? []}
        onChange={(kinds) => form.setFieldValue('allowedChannels', kinds.length ? (kinds as ChannelKind[]) : null)}
      />
      {!tenant && (
        <>
          <div>
            <Text fw={600}>Administrador</Text>
            <Text size="sm" c="dimmed">
              A primeira pessoa da empresa; ela cadastra as outras.
            </Text>
          </div>
          <TextInput label="Nome" required maxLength={120} autoComplete="off" {...form.getInputProps('adminName')} />
          <TextInput label="E-mail" required type="email" autoComplete="off" {...form.getInputProps('adminEmail')} />
          <PasswordField label="Senha" isSet={false} {...form.getInputProps('adminPassword')} />
        </>
      )}
      <MenuTreeField
        label="Menus da empresa"
        description="O que a empresa contratou. Um menu escondido também fecha o acesso ao que há nele."
        {...form.getInputProps('menuVisibility')}
      />
    </FormDrawer>
  )
}

/** How much of the limit is in use; a limit below that takes nothing away, and lets nothing new in. */
const useOf = (used: number | undefined, limit: number): ReactNode => {
  if (used === undefined) return 'Limite do plano'
  if (used <= limit) return `${used} em uso`
  return (
    <Text span inherit className={classes.below} role="status">
      Já há {used} em uso: nada é removido, mas nada novo entra até baixar.
    </Text>
  )
}

const LimitInput = (props: NumberInputProps) => (
  <NumberInput required allowDecimal={false} thousandSeparator="." decimalSeparator="," {...props} />
)

const OptionalLimit = ({
  value,
  onChange,
  ...input
}: Omit<NumberInputProps, 'value' | 'onChange'> & {
  value?: number | null
  onChange?: (next: number | null) => void
}) => (
  <LimitInput
    {...input}
    required={false}
    min={0}
    max={100_000_000}
    placeholder="Sem limite"
    value={value ?? ''}
    onChange={(next) => onChange?.(next === '' ? null : Number(next))}
  />
)

const labels: Record<string, string> = {
  name: 'Empresa',
  identity: 'CNPJ ou CPF',
  timezone: 'Fuso horário',
  maxUsers: 'Usuários',
  maxConnections: 'Canais',
  allowedChannels: 'Tipos de canal',
  maxContacts: 'Contatos',
  maxStorageMb: 'Espaço para arquivos (MB)',
  adminName: 'Nome do administrador',
  adminEmail: 'E-mail do administrador',
  adminPassword: 'Senha',
  menuVisibility: 'Menus da empresa',
}

const valuesOf = (tenant: Tenant | null): Values => ({
  name: tenant?.name ?? '',
  identity: showIdentity(tenant?.identity ?? ''),
  timezone: tenant?.timezone ?? 'America/Sao_Paulo',
  maxUsers: tenant?.maxUsers ?? 50,
  maxConnections: tenant?.maxConnections ?? 10,
  allowedChannels: tenant?.allowedChannels ?? null,
  maxContacts: tenant?.maxContacts ?? null,
  maxStorageMb: tenant?.maxStorageMb ?? null,
  menuVisibility: tenant?.menuVisibility ?? {},
  adminName: '',
  adminEmail: '',
  adminPassword: tenant ? '' : generatePassword(),
})

const sealed = async (values: Values) => ({ ...values, adminPassword: await sealPassword(values.adminPassword) })
