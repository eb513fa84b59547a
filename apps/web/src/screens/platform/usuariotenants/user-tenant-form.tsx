import { newPassword } from '@balcao/contract/people/auth.ts'
import { type UserTenant, userTenantCreate } from '@balcao/contract/people/user-tenants.ts'
import { Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { generatePassword } from '../../../features/people/users/new-password.ts'
import { PasswordField } from '../../../features/people/users/password-field.tsx'
import { ProfileSelect } from '../../../features/people/users/profile-select.tsx'
import { profileLabels } from '../../../features/people/users/profiles.ts'
import { sealPassword } from '../../../features/people/users/sealed.ts'
import { resolverOf } from '../../../kit/form.ts'
import { useRowForm } from '../../../kit/use-row-form.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { TenantHandOver } from './tenant-hand-over.tsx'
import { companyOptions, useSaveUserTenant } from './user-tenants-api.ts'

/** The company is chosen as text; the password is plain only inside the form, and null where it stays as it is. */
const formValues = userTenantCreate.extend({
  tenantId: z.string().min(1, 'Escolha a empresa.'),
  password: newPassword.nullable(),
  handOverTo: z.string().nullable(),
})
type Values = z.output<typeof formValues>

type Props = {
  /** Null while the person is being created. */
  user: UserTenant | null
  onClose: () => void
  onSaved: (saved: UserTenant) => void
  footer?: ReactNode
}

/** A person of a company, as the platform changes them. */
export const UserTenantForm = ({ user, onClose, onSaved, footer }: Props) => {
  const companies = useQuery({ ...companyOptions, enabled: user === null })
  const save = useSaveUserTenant()
  const { form, drawer, conflict } = useRowForm<UserTenant, Values>({
    row: user,
    valuesOf,
    validate: resolverOf(formValues),
    save: async (typed, row) => {
      const { tenantId, password, ...values } = formValues.parse(typed)
      return save.mutateAsync({
        ...values,
        row,
        tenantId: Number(tenantId),
        password: password === null ? undefined : await sealPassword(password),
      })
    },
    onSaved,
    labelOf: (field) => labels[field] ?? field,
    textOf: (field, row) => (field === 'profile' ? profileLabels[row.profile].name : undefined),
    refusedField: { ERR_DUPLICATED_EMAIL: 'email', ERR_PASSWORD_WEAK: 'password', ERR_LAST_ADMIN: 'profile' },
  })

  const { profile } = form.values
  return (
    <FormDrawer
      opened
      title={user ? 'Editar usuário' : 'Criar usuário'}
      onClose={onClose}
      {...drawer}
      submitLabel={user ? 'Salvar' : 'Criar'}
      footer={footer}
    >
      {conflict && <ConflictNotice {...conflict} />}
      {user ? (
        <TextInput
          label="Empresa"
          description="Uma pessoa não muda de empresa: crie outro usuário na outra."
          value={user.tenant.name}
          disabled
        />
      ) : (
        <Select
          label="Empresa"
          required
          searchable
          openOnFocus={false}
          limit={100}
          data={companies.data ?? []}
          nothingFoundMessage={companies.isPending ? 'Carregando…' : 'Nenhuma empresa encontrada'}
          data-autofocus
          {...form.getInputProps('tenantId')}
        />
      )}
      <TextInput label="Nome" required maxLength={120} autoComplete="off" {...form.getInputProps('name')} />
      <TextInput
        label="E-mail"
        description="Com ele a pessoa entra."
        required
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <PasswordField label={user ? 'Nova senha' : 'Senha'} isSet={user !== null} {...form.getInputProps('password')} />
      <ProfileSelect profile={profile} {...form.getInputProps('profile')} />
      <Switch
        label="Suporte"
        description="Identifica quem dá suporte aos colegas. Só a plataforma marca ou desmarca."
        {...form.getInputProps('isSupport', { type: 'checkbox' })}
      />
      <Switch
        label="Bloqueado"
        description="Não entra mais e sai na hora de onde estiver."
        color="red"
        {...form.getInputProps('isBlocked', { type: 'checkbox' })}
      />
      {user && !user.isBlocked && form.values.isBlocked && (
        <TenantHandOver user={user} {...form.getInputProps('handOverTo')} value={form.values.handOverTo} />
      )}
    </FormDrawer>
  )
}

const labels: Record<string, string> = {
  tenantId: 'Empresa',
  name: 'Nome',
  email: 'E-mail',
  password: 'Senha',
  profile: 'Perfil',
  isSupport: 'Suporte',
  isBlocked: 'Bloqueado',
  handOverTo: 'Para quem vão as conversas',
}

const valuesOf = (user: UserTenant | null): Values => ({
  tenantId: user ? String(user.tenantId) : '',
  name: user?.name ?? '',
  email: user?.email ?? '',
  profile: userTenantCreate.shape.profile.catch('user').parse(user?.profile),
  isSupport: user?.isSupport ?? false,
  isBlocked: user?.isBlocked ?? false,
  password: user ? null : generatePassword(),
  handOverTo: null,
})
