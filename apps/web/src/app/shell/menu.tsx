import { ActionIcon, Popover, Tooltip, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { refreshUser } from '../../kit/polling.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { BrandMark } from '../../ui/brand.tsx'
import { AlertsBell } from './alerts-bell.tsx'
import { AreaMenu } from './area-menu.tsx'
import { ConnectionDot } from './connection-dot.tsx'
import { JobsEntry } from './jobs-entry.tsx'
import classes from './menu.module.css'
import { ProfileMenu } from './profile-menu.tsx'
import { useCurrentScreen } from './use-current-screen.ts'
import { hasColumn, type MenuArea, useMenu } from './use-menu.ts'
import { useRecentScreens } from './use-recent-screens.ts'

/** The menu at the left: a rail of areas, and beside it what the area of the open screen holds. */
export const Menu = ({ onSearch }: { onSearch: () => void }) => {
  const { user } = useCurrentSession()
  const { areas } = useMenu()
  const screen = useCurrentScreen()
  const recent = useRecentScreens(screen)
  const current = areas.find(({ key }) => key === screen?.area)
  const [isOpen, setOpen] = useColumn(screen?.wide ?? false)
  const rail = useRef<HTMLDivElement>(null)
  const holder = current && hasColumn(current) ? current : undefined
  const column = isOpen ? holder : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a low screen the area of where one is may be out of sight
  useEffect(() => {
    rail.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.key])
  return (
    <nav className={classes.menu} aria-label="Menu principal">
      <div className={classes.rail}>
        <Link to="/" className={classes.brand} aria-label={`${user.tenant.name}: início`}>
          {user.tenant.logoUrl ? <Logo url={user.tenant.logoUrl} /> : <BrandMark />}
        </Link>
        <Tooltip label="Buscar telas, pessoas e ações (Ctrl+K)" position="right">
          <UnstyledButton className={classes.entry} onClick={onSearch}>
            <IconSearch size={20} stroke={1.75} aria-hidden />
            <span>Buscar</span>
          </UnstyledButton>
        </Tooltip>
        <div className={classes.areas} ref={rail}>
          {areas.map((area) => (
            <AreaLink
              key={area.key}
              area={area}
              recent={recent}
              isCurrent={area === current}
              isListed={area === column || !hasColumn(area)}
            />
          ))}
        </div>
        <ConnectionDot isOpen={false} />
        {holder && !column && <ToggleEntry onClick={() => setOpen(true)} />}
        <JobsEntry />
        <AlertsBell isOpen />
        <ProfileMenu />
      </div>
      {column && (
        <div className={classes.column}>
          <AreaMenu
            key={column.key}
            area={column}
            recent={recent}
            actions={
              <Tooltip label="Recolher menu">
                <ActionIcon aria-label="Recolher menu" aria-expanded onClick={() => setOpen(false)}>
                  <IconLayoutSidebarLeftCollapse size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
            }
          />
        </div>
      )}
    </nav>
  )
}

/** Whether the second column stands open; remembered apart for the screens that need their width. */
const useColumn = (isWide: boolean) => {
  const usual = useLocalStorage({ key: 'colunaDoMenu', defaultValue: true })
  const wide = useLocalStorage({ key: 'colunaDoMenuNoAtendimento', defaultValue: false })
  const [isOpen, setOpen] = isWide ? wide : usual
  return [isOpen, setOpen] as const
}

const ToggleEntry = ({ onClick }: { onClick: () => void }) => (
  <UnstyledButton className={classes.entry} aria-label="Expandir menu" aria-expanded={false} onClick={onClick}>
    <IconLayoutSidebarLeftExpand size={20} stroke={1.75} aria-hidden />
    <span>Expandir</span>
  </UnstyledButton>
)

type AreaProps = { area: MenuArea; recent: readonly string[]; isCurrent: boolean; isListed: boolean }
const openAfterMs = 200
const closeAfterMs = 150

/** One area of the rail. What it holds appears under the mouse while it stands nowhere else: one click from anywhere. */
const AreaLink = ({ area, recent, isCurrent, isListed }: AreaProps) => {
  const [isPeeked, setPeeked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const later = (next: boolean, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPeeked(next), ms)
  }
  const close = () => {
    clearTimeout(timer.current)
    setPeeked(false)
  }
  useEffect(() => {
    return () => clearTimeout(timer.current)
  }, [])
  const hover = isListed
    ? undefined
    : {
        onPointerEnter: (event: { pointerType: string }) => event.pointerType === 'mouse' && later(true, openAfterMs),
        onPointerLeave: () => later(false, closeAfterMs),
      }
  return (
    <Popover opened={isPeeked && !isListed} position="right-start" offset={6} width={232} onDismiss={close}>
      <Popover.Target>
        <Link
          to={area.path}
          className={classes.entry}
          aria-current={isCurrent ? (hasColumn(area) ? 'true' : 'page') : undefined}
          onClick={close}
          {...hover}
        >
          <area.icon size={20} stroke={1.75} aria-hidden />
          <span>{area.label}</span>
        </Link>
      </Popover.Target>
      <Popover.Dropdown p={0} py={4} className={classes.peek} aria-label={area.label} {...hover}>
        <AreaMenu area={area} recent={recent} onPick={close} />
      </Popover.Dropdown>
    </Popover>
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
