import { ActionIcon, Drawer, UnstyledButton } from '@mantine/core'
import {
  IconArrowLeft,
  IconCheck,
  IconChevronRight,
  IconLogout,
  IconMoon,
  IconProgressCheck,
  IconSearch,
  IconSun,
  IconSwitchHorizontal,
  IconUserCircle,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { NavLink } from 'react-router'
import { NotificationList } from '../../features/operations/notifications/notification-list.tsx'
import { savePreferences } from '../../kit/preferences.ts'
import { useCurrentSession, useIsDark } from '../../kit/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import type { AreaKey } from '../screens.ts'
import { AreaMenu } from './area-menu.tsx'
import classes from './bottom-bar.module.css'
import { useLogout } from './use-logout.tsx'
import { hasColumn, useMenu } from './use-menu.ts'
import { useRecentScreens } from './use-recent-screens.ts'
import { useStateChoices } from './use-state-choices.ts'
import { useSwitchProfile } from './use-switch-profile.tsx'

type SheetProps = {
  panel: 'more' | 'alerts' | null
  onClose: () => void
  onSearch: () => void
  onPause: () => void
}

/** What the bar of a phone opens from below; loaded when first opened. */
export const Sheets = ({ panel, onClose, ...more }: SheetProps) => (
  <>
    <Sheet label="Notificações" opened={panel === 'alerts'} onClose={onClose} size="80%">
      <NotificationList onClose={onClose} />
    </Sheet>
    <Sheet label="Mais opções" opened={panel === 'more'} onClose={onClose} size="auto">
      <MoreSheet onClose={onClose} {...more} />
    </Sheet>
  </>
)

const Sheet = (props: { label: string; opened: boolean; size: string; onClose: () => void; children: ReactNode }) => (
  <Drawer.Root opened={props.opened} onClose={props.onClose} position="bottom" size={props.size}>
    <Drawer.Overlay />
    <Drawer.Content aria-label={props.label}>
      <Drawer.Body p="xs">{props.children}</Drawer.Body>
    </Drawer.Content>
  </Drawer.Root>
)

const MoreSheet = ({ onClose, onSearch, onPause }: Omit<SheetProps, 'panel'>) => {
  const { username } = useCurrentSession()
  const { areas } = useMenu()
  const recent = useRecentScreens(undefined)
  const [inside, setInside] = useState<AreaKey | null>(null)
  const isDark = useIsDark()
  const { state, here, away, offers } = useStateChoices(onPause)
  const { logout, question } = useLogout()
  const other = useSwitchProfile()
  const area = areas.find(({ key }) => key === inside)
  if (area)
    return (
      <div className={classes.sheet}>
        <AreaMenu
          area={area}
          recent={recent}
          onPick={onClose}
          before={
            <ActionIcon aria-label="Voltar" onClick={() => setInside(null)}>
              <IconArrowLeft size={18} stroke={1.75} />
            </ActionIcon>
          }
        />
      </div>
    )
  return (
    <div className={classes.sheet}>
      <div className={classes.who}>
        <Avatar name={username} online={state !== 'offline'} away={state === 'away'} />{' '}
        <strong className="truncate">{username}</strong>
      </div>
      <Line icon={<IconSearch size={18} stroke={1.75} aria-hidden />} label="Buscar" onClick={onSearch} />
      {areas.map((one) =>
        hasColumn(one) ? (
          <UnstyledButton key={one.key} className={classes.line} onClick={() => setInside(one.key)}>
            <one.icon size={18} stroke={1.75} aria-hidden />
            {one.label}
            <IconChevronRight size={18} stroke={1.75} aria-hidden />
          </UnstyledButton>
        ) : (
          <NavLink key={one.key} to={one.path} className={classes.line} onClick={onClose}>
            <one.icon size={18} stroke={1.75} aria-hidden />
            {one.label}
          </NavLink>
        ),
      )}
      <div className={classes.rule} />
      <div className={classes.heading}>Sua situação</div>
      {[...here, ...away.map((one) => ({ ...one, label: reasonLine(one.label) }))].map(
        ({ label, tone, isNow, choose }) => (
          <UnstyledButton
            key={label}
            className={classes.line}
            aria-pressed={isNow}
            onClick={() => {
              choose()
              onClose()
            }}
          >
            <StatusDot tone={tone} label={label} />
            {isNow && <IconCheck size={16} stroke={1.75} aria-hidden />}
          </UnstyledButton>
        ),
      )}
      {offers && (
        <UnstyledButton className={classes.line} aria-pressed={offers.isOn} onClick={offers.toggle}>
          {offers.label}
          {offers.isOn && <IconCheck size={16} stroke={1.75} aria-hidden />}
        </UnstyledButton>
      )}
      <div className={classes.rule} />
      <Line
        icon={
          isDark ? <IconSun size={18} stroke={1.75} aria-hidden /> : <IconMoon size={18} stroke={1.75} aria-hidden />
        }
        label={isDark ? 'Modo claro' : 'Modo escuro'}
        onClick={() => void savePreferences({ isDark: !isDark })}
      />
      <NavLink to="/perfil" className={classes.line} onClick={onClose}>
        <IconUserCircle size={18} stroke={1.75} aria-hidden />
        Meu perfil
      </NavLink>
      <NavLink to="/andamento" className={classes.line} onClick={onClose}>
        <IconProgressCheck size={18} stroke={1.75} aria-hidden />
        Em andamento
      </NavLink>
      {other.label && (
        <Line
          icon={<IconSwitchHorizontal size={18} stroke={1.75} aria-hidden />}
          label={other.label}
          onClick={other.start}
        />
      )}
      <Line icon={<IconLogout size={18} stroke={1.75} aria-hidden />} label="Sair" onClick={logout} />
      {question}
      {other.dialog}
    </div>
  )
}

/** Without a heading of its own, a reason says what it is the reason of. */
const reasonLine = (reason: string) => (reason.startsWith('Em pausa') ? reason : `Em pausa: ${reason}`)

const Line = ({ icon, label, onClick }: { icon: ReactNode; label: string; onClick: () => void }) => (
  <UnstyledButton className={classes.line} onClick={onClick}>
    {icon}
    {label}
  </UnstyledButton>
)
