import type { User } from '@balcao/contract/people/users.ts'
import type { WriteOf } from '@balcao/contract/resource.ts'
import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import { MultiSelect, NumberInput, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { WeekField } from '../../../features/core/hours/week-field.tsx'
import { RoleSelect, rightsOfChoice, useRoles } from '../../../features/people/roles/role-select.tsx'
import { EntryField } from '../../../features/people/users/entry-field.tsx'
import { HandOverSelect } from '../../../features/people/users/hand-over-select.tsx'
import { InviteField } from '../../../features/people/users/invite-field.tsx'
import { opensTo } from '../../../features/people/users/menu-tree.ts'
import { MenuTreeField } from '../../../features/people/users/menu-tree-field.tsx'
import { PasswordField } from '../../../features/people/users/password-field.tsx'
import type { userResource } from '../../../features/people/users/user-resource.ts'
import { allRows } from '../../../kit/resource-api.ts'

type Props = { form: UseFormReturnType<WriteOf<typeof userResource>>; user: User | null; isSelf: boolean }

/** Who a colleague is, where they work and what they may do. */
export const UserFields = ({ form, user, isSelf }: Props) => {
  const queues = useQuery(allRows<Queue>(queueResource))
  const { profile, roleId } = form.values
  const rights = rightsOfChoice({ profile, roleId }, useRoles())
  return (
    <>
      <TextInput
        label="Nome"
        required
        maxLength={120}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <TextInput
        label="E-mail"
        description="Com ele a pessoa entra."
        required
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      {user && !user.lastLoginAt && !user.isBlocked && !isSelf && <InviteField user={user} />}
      {isSelf ? (
        <Text size="sm" c="dimmed">
          A sua senha se troca em “Meu perfil”.
        </Text>
      ) : user ? (
        <PasswordField label="Nova senha" isSet {...form.getInputProps('password')} />
      ) : (
        <EntryField {...form.getInputProps('password')} />
      )}
      <RoleSelect
        value={{ profile, roleId }}
        onChange={(chosen) => form.setValues(chosen)}
        error={form.errors.profile?.toString() ?? form.errors.roleId?.toString()}
      />
      <MultiSelect
        label="Filas"
        description={
          !rights.includes('tickets.showAll')
            ? 'Sem nenhuma, a pessoa vê apenas as próprias conversas e as que não têm fila.'
            : 'De quais filas a pessoa participa.'
        }
        placeholder={form.values.queueIds.length ? undefined : 'Escolha as filas'}
        data={(queues.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage={queues.isPending ? 'Carregando…' : 'Nenhuma fila encontrada'}
        {...form.getInputProps('queueIds')}
      />
      <NumberInput
        label="Conversas ao mesmo tempo"
        description="A distribuição não entrega mais do que isso. Vazio: sem limite."
        placeholder="Sem limite"
        min={1}
        max={1_000}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('capacity')}
        value={form.values.capacity ?? ''}
        onChange={(value) => form.setFieldValue('capacity', value === '' ? null : Number(value))}
      />
      <MenuTreeField
        label="Menus"
        description="O que aparece para esta pessoa, entre o que o perfil permite. Esconder um menu também fecha o acesso."
        among={(menu) => opensTo(menu, rights)}
        {...form.getInputProps('menuPermissions')}
      />
      <WeekField
        label="Horários de acesso"
        limit={{ on: 'Limitar os horários em que a pessoa entra', off: 'Entra a qualquer hora.' }}
        {...form.getInputProps('allowedHours')}
      />
      <Switch
        label="Bloqueado"
        description={isSelf ? 'Você não pode bloquear a si mesmo.' : 'Não entra mais e sai na hora de onde estiver.'}
        disabled={isSelf}
        color="red"
        {...form.getInputProps('isBlocked', { type: 'checkbox' })}
      />
      {user && !user.isBlocked && form.values.isBlocked && (
        <HandOverSelect
          userIds={[user.id]}
          value={form.values.handOverTo}
          error={form.errors.handOverTo}
          onChange={(chosen) => form.setFieldValue('handOverTo', chosen)}
        />
      )}
      {user && !user.isBlocked && form.values.isBlocked && (
        <FlowsNaming ids={[user.id]} then="lá, a conversa fica com a equipe da fila." />
      )}
    </>
  )
}
