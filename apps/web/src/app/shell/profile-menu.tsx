import { Menu, Text, UnstyledButton } from '@mantine/core'
import { IconKey, IconLogout } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useCurrentSession } from '../../kit/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import menu from './menu.module.css'
import { useLogout } from './use-logout.tsx'
import { type StateChoice, useStateChoices } from './use-state-choices.ts'

const PauseDialog = lazy(async () => ({
  default: (await import('../../features/presence/pause-dialog.tsx')).PauseDialog,
}))
const PasswordDialog = lazy(async () => ({ default: (await import('./password-dialog.tsx')).PasswordDialog }))

export const ProfileMenu = ({ isOpen }: { isOpen: boolean }) => {
  const { username, user } = useCurrentSession()
  const { logout, question } = useLogout()
  const [isChanging, setChanging] = useState(false)
  const [isWriting, setWriting] = useState(false)
  const { state, here, away } = useStateChoices(() => setWriting(true))
  return (
    <>
      <Menu position="right-end" width={250} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className={menu.entry} aria-label={`Perfil de ${username}`} style={{ padding: '0 6px' }}>
            <Avatar name={username} size={28} online={state !== 'offline'} away={state === 'away'} />
            {isOpen && <span className="truncate">{username}</span>}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div style={{ padding: '8px 12px' }}>
            <Text fw={600} truncate>
              {username}
            </Text>
            <Text c="dimmed" size="sm" truncate>
              {user.email}
            </Text>
          </div>
          <Menu.Divider />
          {here.map((choice) => (
            <StateItem key={choice.label} choice={choice} />
          ))}
          <Menu.Label>Em pausa</Menu.Label>
          <div className={menu.reasons}>
            {away.map((choice) => (
              <StateItem key={choice.label} choice={choice} />
            ))}
          </div>
          <Menu.Divider />
          <Menu.Item leftSection={<IconKey size={18} stroke={1.75} />} onClick={() => setChanging(true)}>
            Alterar senha
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={logout}>
            Sair
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question}
      {isChanging && (
        <Suspense fallback={null}>
          <PasswordDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
      {isWriting && (
        <Suspense fallback={null}>
          <PauseDialog onClose={() => setWriting(false)} />
        </Suspense>
      )}
    </>
  )
}

const StateItem = ({ choice: { label, tone, isNow, choose } }: { choice: StateChoice }) => (
  <Menu.RadioItem value={label} checked={isNow} closeMenuOnClick onChange={choose}>
    <StatusDot tone={tone} label={label} />
  </Menu.RadioItem>
)
