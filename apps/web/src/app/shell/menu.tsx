import { Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMoon,
  IconSearch,
  IconSun,
} from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { refreshUser } from '../../kit/polling.ts'
import { savePreferences } from '../../kit/preferences.ts'
import { useCurrentSession, useIsDark } from '../../kit/session.ts'
import { BrandMark } from '../../ui/brand.tsx'
import { Shortcut } from '../../ui/shortcut.tsx'
import { AlertsBell } from './alerts-bell.tsx'
import { ConnectionDot } from './connection-dot.tsx'
import classes from './menu.module.css'
import { ProfileMenu } from './profile-menu.tsx'
import { useMenu } from './use-menu.ts'

type Props = { isOpen: boolean; onToggle: () => void; onSearch: () => void }

/** The menu at the left: 56 px of icons, or 220 px with their names. */
export const Menu = ({ isOpen, onToggle, onSearch }: Props) => {
  const { user } = useCurrentSession()
  const groups = useMenu()
  const isDark = useIsDark()
  const items = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a low screen the entry of where one is may be out of sight
  useEffect(() => {
    items.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <nav className={classes.menu} data-open={isOpen} aria-label="Menu principal">
      <Link to="/" className={classes.brand} aria-label={`${user.tenant.name}: início`}>
        {user.tenant.logoUrl ? <Logo url={user.tenant.logoUrl} /> : <BrandMark />}
        {isOpen && <span className="truncate">{user.tenant.name}</span>}
      </Link>
      <Entry
        isOpen={isOpen}
        label="Buscar"
        icon={<IconSearch size={18} stroke={1.75} aria-hidden />}
        extra={<Shortcut keys={['Ctrl', 'K']} />}
      >
        {(props) => <UnstyledButton {...props} onClick={onSearch} />}
      </Entry>
      <div className={classes.items} ref={items}>
        {groups.map((group, index) => (
          <div key={group.key} className={classes.group}>
            {isOpen ? (
              <div className={classes.heading}>{group.label}</div>
            ) : (
              index > 0 && <div className={classes.rule} />
            )}
            {group.items.map((screen) => (
              <Entry
                key={screen.path}
                isOpen={isOpen}
                label={screen.label}
                icon={<screen.icon size={18} stroke={1.75} aria-hidden />}
              >
                {(props) => <NavLink to={screen.path} {...props} />}
              </Entry>
            ))}
          </div>
        ))}
      </div>
      <ConnectionDot isOpen={isOpen} />
      <AlertsBell isOpen={isOpen} />
      <Entry
        isOpen={isOpen}
        label={isDark ? 'Modo claro' : 'Modo escuro'}
        icon={
          isDark ? <IconSun size={18} stroke={1.75} aria-hidden /> : <IconMoon size={18} stroke={1.75} aria-hidden />
        }
      >
        {(props) => <UnstyledButton {...props} onClick={() => void savePreferences({ isDark: !isDark })} />}
      </Entry>
      <Entry
        isOpen={isOpen}
        label={isOpen ? 'Recolher menu' : 'Expandir menu'}
        icon={
          isOpen ? (
            <IconLayoutSidebarLeftCollapse size={18} stroke={1.75} aria-hidden />
          ) : (
            <IconLayoutSidebarLeftExpand size={18} stroke={1.75} aria-hidden />
          )
        }
      >
        {(props) => <UnstyledButton {...props} aria-expanded={isOpen} onClick={onToggle} />}
      </Entry>
      <ProfileMenu isOpen={isOpen} />
    </nav>
  )
}

/** A page opened after a night holds a link that is over: reading the person again brings the next one. */
const Logo = ({ url }: { url: string }) => {
  const [failed, setFailed] = useState<string | null>(null)
  const handleError = () => {
    setFailed(url)
    void refreshUser().catch(() => undefined) // offline: our mark stands in until the next reading
  }
  return failed === url ? <BrandMark /> : <img src={url} alt="" className={classes.logo} onError={handleError} />
}

type EntryProps = {
  isOpen: boolean
  label: string
  icon: ReactNode
  extra?: ReactNode
  children: (props: { className: string; 'aria-label': string | undefined; children: ReactNode }) => ReactNode
}

/** One line of the menu: a link or a button, named by a tooltip while the menu is narrow. */
export const Entry = ({ isOpen, label, icon, extra, children }: EntryProps) => (
  <Tooltip label={label} position="right" disabled={isOpen}>
    <div>
      {children({
        className: classes.entry ?? '',
        'aria-label': isOpen ? undefined : label,
        children: (
          <>
            {icon}
            {isOpen && <span className="truncate">{label}</span>}
            {isOpen && extra && <span className={classes.extra}>{extra}</span>}
          </>
        ),
      })}
    </div>
  </Tooltip>
)
