import { newPassword } from '@balcao/contract/auth.ts'
import { type Tenant, tenantCreate } from '@balcao/contract/tenants.ts'
import { NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { isApiError, messageOf } from '../../kit/api-error.ts'
import { resolverOf } from '../../kit/form.ts'
import { ConflictNotice } from '../../ui/conflict-notice.tsx'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { MenuTreeField } from '../users/menu-tree-field.tsx'
import { generatePassword } from '../users/new-password.ts'
import { PasswordField } from '../users/password-field.tsx'
import { sealPassword } from '../users/sealed.ts'
import { useCreateTenant, useUpdateTenant } from './api.ts'
import { timezoneOptions } from './timezones.ts'

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
  const [base, setBase] = useState(tenant)
  const [theirs, setTheirs] = useState<Tenant | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<Values>({
    initialValues: valuesOf(tenant),
    validate: resolverOf(tenant ? company : newTenant),
    validateInputOnBlur: true,
  })

  const save = async (over: Tenant | null) => {
    setProblem(null)
    setTheirs(null)
    try {
      const saved = over
        ? await update.mutateAsync({ id: over.id, version: over.version, ...company.parse(form.getValues()) })
        : await create.mutateAsync(await sealed(newTenant.parse(form.getValues())))
      form.resetDirty()
      onSaved(saved)
    } catch (error) {
      if (isApiError(error, 'ERR_CONFLICT')) {
        const current = currentIn(error.details)
        if (current) return setTheirs(current)
      }
      const problems = isApiError(error) ? error.problems : []
      const taken = isApiError(error, 'ERR_DUPLICATED_EMAIL') ? [{ path: 'adminEmail', message: error.message }] : []
      form.setErrors(Object.fromEntries([...problems, ...taken].map((one) => [one.path, one.message])))
      setProblem(messageOf(error))
    }
  }

  const handleReload = () => {
    if (!theirs) return
    const next = valuesOf(theirs)
    form.setValues(next)
    form.resetDirty(next)
    setBase(theirs)
    setTheirs(null)
  }

  const fieldErrors = Object.entries(form.errors).map(
    ([path, message]) => `${labels[path] ?? path}: ${String(message)}`,
  )
  return (
    <FormDrawer
      opened
      title={tenant ? tenant.name : 'Criar empresa'}
      onClose={onClose}
      onSubmit={form.onSubmit(() => void save(base))}
      dirty={form.isDirty() && !readOnly}
      busy={create.isPending || update.isPending}
      submitLabel={tenant ? 'Salvar' : 'Criar'}
      readOnly={readOnly}
      problems={fieldErrors.length > 1 || (problem && fieldErrors.length > 0) ? fieldErrors : problem ? [problem] : []}
      footer={footer}
    >
      {theirs && <ConflictNotice onReload={handleReload} onOverwrite={() => void save(theirs)} />}
      <TextInput label="Empresa" required maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <TextInput label="CNPJ ou CPF" maxLength={20} {...form.getInputProps('identity')} />
      <Select
        label="Fuso horário"
        required
        searchable
        allowDeselect={false}
        data={timezoneOptions(tenant?.timezone)}
        {...form.getInputProps('timezone')}
      />
      <SimpleGrid cols={2} spacing="sm">
        <NumberInput
          label="Usuários"
          description={tenant ? `${tenant.usersCount} em uso` : 'Quantos cabem no plano'}
          required
          min={1}
          max={100_000}
          allowDecimal={false}
          thousandSeparator="."
          decimalSeparator=","
          {...form.getInputProps('maxUsers')}
        />
        <NumberInput
          label="Conexões"
          description={tenant ? `${tenant.connectionsCount} em uso` : 'Quantos canais cabem no plano'}
          required
          min={0}
          max={10_000}
          allowDecimal={false}
          thousandSeparator="."
          decimalSeparator=","
          {...form.getInputProps('maxConnections')}
        />
      </SimpleGrid>
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

const labels: Record<string, string> = {
  name: 'Empresa',
  identity: 'CNPJ ou CPF',
  timezone: 'Fuso horário',
  maxUsers: 'Usuários',
  maxConnections: 'Conexões',
  adminName: 'Nome do administrador',
  adminEmail: 'E-mail do administrador',
  adminPassword: 'Senha',
  menuVisibility: 'Menus da empresa',
}

const valuesOf = (tenant: Tenant | null): Values => ({
  name: tenant?.name ?? '',
  identity: tenant?.identity ?? '',
  timezone: tenant?.timezone ?? 'America/Sao_Paulo',
  maxUsers: tenant?.maxUsers ?? 50,
  maxConnections: tenant?.maxConnections ?? 10,
  menuVisibility: tenant?.menuVisibility ?? {},
  adminName: '',
  adminEmail: '',
  adminPassword: tenant ? '' : generatePassword(),
})

const sealed = async (values: Values) => ({ ...values, adminPassword: await sealPassword(values.adminPassword) })

const currentIn = (details: unknown): Tenant | null => {
  const found: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, 'current') : null
  return typeof found === 'object' && found !== null && 'version' in found ? (found as Tenant) : null // the server's own row, as GET would answer
}
