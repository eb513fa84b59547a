import { Menu, Text, UnstyledButton } from '@mantine/core'
import {
  IconLogout,
  IconMoon,
  IconProgressCheck,
  IconSun,
  IconSwitchHorizontal,
  IconUserCircle,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { savePreferences } from '../../kit/preferences.ts'
import { useCurrentSession, useIsDark } from '../../kit/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import menu from './menu.module.css'
import { useLogout } from './use-logout.tsx'
import { type StateChoice, useStateChoices } from './use-state-choices.ts'
import { useSwitchProfile } from './use-switch-profile.tsx'

const PauseDialog = lazy(async () => ({
  default: (await import('../../features/people/presence/pause-dialog.tsx')).PauseDialog,
}))

export const ProfileMenu = () => {
  const { username, user } = useCurrentSession()
  const { logout, question } = useLogout()
  const other = useSwitchProfile()
  const isDark = useIsDark()
  const [isWriting, setWriting] = useState(false)
  const { state, here, away, offers } = useStateChoices(() => setWriting(true))
  return (
    <>
      <Menu position="right-end" width={250} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton className={menu.entry} aria-label={`Perfil de ${username}`}>
            <Avatar name={username} size={28} online={state !== 'offline'} away={state === 'away'} />
            <span>Perfil</span>
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
          {offers && (
            <Menu.CheckboxItem checked={offers.isOn} onChange={offers.toggle}>
              {offers.label}
            </Menu.CheckboxItem>
          )}
          <Menu.Item leftSection={<IconUserCircle size={18} stroke={1.75} />} component={Link} to="/perfil">
            Meu perfil
          </Menu.Item>
          <Menu.Item leftSection={<IconProgressCheck size={18} stroke={1.75} />} component={Link} to="/andamento">
            Em andamento
          </Menu.Item>
          <Menu.Item
            leftSection={isDark ? <IconSun size={18} stroke={1.75} /> : <IconMoon size={18} stroke={1.75} />}
            onClick={() => void savePreferences({ isDark: !isDark })}
          >
            {isDark ? 'Modo claro' : 'Modo escuro'}
          </Menu.Item>
          <Menu.Divider />
          {other.label && (
            <Menu.Item leftSection={<IconSwitchHorizontal size={18} stroke={1.75} />} onClick={other.start}>
              <span className="truncate">{other.label}</span>
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={logout}>
            Sair
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question}
      {other.dialog}
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
