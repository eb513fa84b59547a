import { Indicator, UnstyledButton } from '@mantine/core'
import { IconBell, IconMenu2 } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { NavLink } from 'react-router'
import { useUnread } from '../../features/operations/notifications/api.ts'
import classes from './bottom-bar.module.css'
import { useMenu } from './use-menu.ts'

const Sheets = lazy(async () => ({ default: (await import('./more-sheet.tsx')).Sheets }))
const PauseDialog = lazy(async () => ({
  default: (await import('../../features/people/presence/pause-dialog.tsx')).PauseDialog,
}))

/** The menu of a phone: the first three screens, notifications, and the rest behind "Mais". */
export const BottomBar = ({ onSearch }: { onSearch: () => void }) => {
  const [panel, setPanel] = useState<'more' | 'alerts' | null>(null)
  const [wasOpened, setWasOpened] = useState(false)
  const [isPausing, setPausing] = useState(false)
  const first = useMenu()
    .screens.filter((screen) => screen.phone)
    .slice(0, 3)
  const unread = useUnread()
  const close = () => setPanel(null)
  const open = (next: 'more' | 'alerts') => {
    setWasOpened(true)
    setPanel(next)
  }
  return (
    <>
      <nav className={classes.bar} aria-label="Menu principal">
        {first.map((screen) => (
          <NavLink key={screen.path} to={screen.path} className={classes.item}>
            <screen.icon size={20} stroke={1.75} aria-hidden />
            <span className="truncate">{screen.label}</span>
          </NavLink>
        ))}
        <UnstyledButton className={classes.item} onClick={() => open('alerts')}>
          <Indicator label={unread} disabled={unread === 0} size={16} color="red">
            <IconBell size={20} stroke={1.75} aria-hidden />
          </Indicator>
          <span>Avisos</span>
        </UnstyledButton>
        <UnstyledButton className={classes.item} onClick={() => open('more')} aria-expanded={panel === 'more'}>
          <IconMenu2 size={20} stroke={1.75} aria-hidden />
          <span>Mais</span>
        </UnstyledButton>
      </nav>
      {wasOpened && (
        <Suspense fallback={null}>
          <Sheets
            panel={panel}
            onClose={close}
            onSearch={() => {
              close()
              onSearch()
            }}
            onPause={() => setPausing(true)}
          />
        </Suspense>
      )}
      {isPausing && (
        <Suspense fallback={null}>
          <PauseDialog onClose={() => setPausing(false)} />
        </Suspense>
      )}
    </>
  )
}
