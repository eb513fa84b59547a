import type { User } from '@balcao/contract/people/users.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { weekProblems } from '../../../features/core/hours/week.ts'
import { stateOf as availabilityOf } from '../../../features/people/presence/availability.ts'
import { stateNames, stateTones } from '../../../features/people/presence/state-dot.tsx'
import { InviteDialog } from '../../../features/people/users/invite-dialog.tsx'
import { profileLabels } from '../../../features/people/users/profiles.ts'
import { sealPassword } from '../../../features/people/users/sealed.ts'
import { UserRemoval } from '../../../features/people/users/user-removal.tsx'
import { userResource } from '../../../features/people/users/user-resource.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { ResourceScreen } from '../../../kit/resource-screen.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useUrlList } from '../../../kit/url-state.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import { TagList } from '../../../ui/tag-list.tsx'
import { UserFields } from './user-fields.tsx'
import classes from './usuarios-screen.module.css'

export default function UsuariosScreen() {
  const { userId, configuracoes, user: self } = useCurrentSession()
  const [invited, setInvited] = useState<User | null>(null)
  const mayCreate = configuracoes.userCreation !== false
  const [profile, setProfile] = useUrlList('perfil')
  const [, setParams] = useSearchParams()
  return (
    <>
      <ResourceScreen
        resource={userResource}
        purpose={`Quem trabalha aqui, o que cada pessoa vê e quando pode entrar.${
          mayCreate ? '' : ' Criar usuários está desligado em Configurações.'
        }`}
        mayCreate={mayCreate}
        emptyText="Cadastre a equipe para que cada um atenda com o próprio nome."
        query={{ profile }}
        extraFilters={
          <FilterMenu
            label="Perfil"
            options={(['admin', 'super', 'user'] as const).map((value) => ({
              value,
              label: profileLabels[value].name,
            }))}
            value={profile}
            onChange={setProfile}
          />
        }
        clearFilters={() => setParams({}, { replace: true })}
        // Where one has a single queue, a colleague begins in it: without any they would see nothing.
        newValues={{
          profile: 'user',
          roleId: null,
          queueIds: self.queues.length === 1 ? self.queues.map(({ id }) => id) : [],
        }}
        onCreated={(user, { password }) => !password && setInvited(user)}
        toValues={(user) => ({
          roleId: user.role?.id ?? null,
          queueIds: user.queues.map((queue) => queue.id),
          password: null,
        })}
        check={(values) => weekProblems(values.allowedHours, 'allowedHours')}
        beforeSave={async (values) => ({
          ...values,
          password: values.password ? await sealPassword(values.password) : undefined,
        })}
        refusedField={{ ERR_DUPLICATED_EMAIL: 'email', ERR_PASSWORD_WEAK: 'password' }}
        columns={[
          {
            key: 'name',
            label: 'Nome',
            render: (user) => (
              <span className={classes.person}>
                <Avatar name={user.name} size={32} online={user.isOnline} away={user.awaySince !== null} />
                <span className="truncate" title={user.name}>
                  {user.name}
                </span>
                {user.id === userId && <span className={classes.self}>você</span>}
              </span>
            ),
          },
          { key: 'email', label: 'E-mail', wideOnly: true },
          {
            key: 'profile',
            label: 'Perfil',
            width: 140,
            wideOnly: true,
            render: roleName,
            csv: roleName,
          },
          {
            key: 'queues',
            label: 'Filas',
            wideOnly: true,
            render: (user) => <TagList tags={user.queues} />,
            csv: (user) => user.queues.map((queue) => queue.name),
          },
          {
            key: 'isBlocked',
            label: 'Situação',
            width: 120,
            render: (user) => <StatusDot {...stateOf(user)} />,
            csv: (user) => stateOf(user).label,
          },
          {
            key: 'lastLoginAt',
            label: 'Último acesso',
            width: 150,
            wideOnly: true,
            render: (user) =>
              user.lastLoginAt ? (
                <RelativeTime moment={user.lastLoginAt} />
              ) : (
                <span className={classes.never}>nunca entrou</span>
              ),
            csv: (user) => user.lastLoginAt && formatDateTime(user.lastLoginAt),
          },
        ]}
        removal={(asked) => (
          <UserRemoval {...asked}>
            <FlowsNaming ids={asked.rows.map(({ id }) => id)} />
          </UserRemoval>
        )}
        fields={(form, user) => <UserFields form={form} user={user} isSelf={user?.id === userId} />}
      />
      {invited && <InviteDialog user={invited} onClose={() => setInvited(null)} />}
    </>
  )
}

const roleName = (user: User) => user.role?.name ?? profileLabels[user.profile].name

const stateOf = (user: User): { tone: StatusTone; label: string } => {
  if (user.isBlocked) return { tone: 'bad', label: 'Bloqueado' }
  const state = availabilityOf({ ...user, isAway: user.awaySince !== null })
  return { tone: stateTones[state], label: stateNames[state] }
}
