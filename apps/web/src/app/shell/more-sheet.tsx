import { Drawer, UnstyledButton } from '@mantine/core'
import { IconCheck, IconKey, IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { savePreferences } from '../../kit/preferences.ts'
import { useCurrentSession, useIsDark } from '../../kit/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { AlertList } from './alert-list.tsx'
import classes from './bottom-bar.module.css'
import menu from './menu.module.css'
import { useLogout } from './use-logout.tsx'
import { useMenu } from './use-menu.ts'
import { useStateChoices } from './use-state-choices.ts'

type SheetProps = {
  panel: 'more' | 'alerts' | null
  onClose: () => void
  onSearch: () => void
  onPassword: () => void
  onPause: () => void
}

/** What the bar of a phone opens from below; loaded when first opened. */
export const Sheets = ({ panel, onClose, ...more }: SheetProps) => (
  <>
    <Sheet label="Notificações" opened={panel === 'alerts'} onClose={onClose} size="80%">
      <AlertList onClose={onClose} />
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

const MoreSheet = ({ onClose, onSearch, onPassword, onPause }: Omit<SheetProps, 'panel'>) => {
  const { username } = useCurrentSession()
  const groups = useMenu()
  const isDark = useIsDark()
  const { state, here, away } = useStateChoices(onPause)
  const { logout, question } = useLogout()
  return (
    <div className={classes.sheet}>
      <div className={classes.who}>
        <Avatar name={username} online={state !== 'offline'} away={state === 'away'} />{' '}
        <strong className="truncate">{username}</strong>
      </div>
      <Line icon={<IconSearch size={18} stroke={1.75} aria-hidden />} label="Buscar" onClick={onSearch} />
      {groups.map((group) => (
        <div key={group.key}>
          <div className={menu.heading}>{group.label}</div>
          {group.items.map((screen) => (
            <NavLink key={screen.path} to={screen.path} className={menu.entry} onClick={onClose}>
              <screen.icon size={18} stroke={1.75} aria-hidden />
              {screen.label}
            </NavLink>
          ))}
        </div>
      ))}
      <div className={menu.rule} />
      <div className={menu.heading}>Sua situação</div>
      {[...here, ...away.map((one) => ({ ...one, label: reasonLine(one.label) }))].map(
        ({ label, tone, isNow, choose }) => (
          <UnstyledButton
            key={label}
            className={menu.entry}
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
      <div className={menu.rule} />
      <Line
        icon={
          isDark ? <IconSun size={18} stroke={1.75} aria-hidden /> : <IconMoon size={18} stroke={1.75} aria-hidden />
        }
        label={isDark ? 'Modo claro' : 'Modo escuro'}
        onClick={() => void savePreferences({ isDark: !isDark })}
      />
      <Line icon={<IconKey size={18} stroke={1.75} aria-hidden />} label="Alterar senha" onClick={onPassword} />
      <Line icon={<IconLogout size={18} stroke={1.75} aria-hidden />} label="Sair" onClick={logout} />
      {question}
    </div>
  )
}

/** Without a heading of its own, a reason says what it is the reason of. */
const reasonLine = (reason: string) => (reason.startsWith('Em pausa') ? reason : `Em pausa: ${reason}`)

const Line = ({ icon, label, onClick }: { icon: ReactNode; label: string; onClick: () => void }) => (
  <UnstyledButton className={menu.entry} onClick={onClick}>
    {icon}
    {label}
  </UnstyledButton>
)
