import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import { hasBelow, type Screen } from '../screens.ts'
import classes from './area-menu.module.css'
import type { MenuArea } from './use-menu.ts'

const AreaHits = lazy(async () => ({ default: (await import('./area-hits.tsx')).AreaHits }))

/** From so many screens on, an area has a search and what was opened last. */
const many = 9
const mostRecent = 3

type Props = {
  area: MenuArea
  /** Paths opened last, of any area. */
  recent: readonly string[]
  onPick?: () => void
  /** Before and after the name of the area. */
  before?: ReactNode
  actions?: ReactNode
}

/** What an area holds: by group, by name, and what was opened last. */
export const AreaMenu = ({ area, recent, onPick, before, actions }: Props) => {
  const [search, setSearch] = useState('')
  const { pathname } = useLocation()
  const list = useRef<HTMLDivElement>(null)
  const hasMany = area.screens.length >= many
  // As they were when the area was opened: nothing below them moves while one goes from screen to screen.
  const [last] = useState(() =>
    recent
      .flatMap((path) => area.screens.find((screen) => screen.path === path && path !== pathname) ?? [])
      .slice(0, mostRecent),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a low screen the entry of where one is may be out of sight
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <>
      <div className={classes.head}>
        {before}
        <span className={classes.title}>{area.label}</span>
        {actions}
      </div>
      {hasMany && (
        <TextInput
          type="search"
          mx={8}
          mb={4}
          aria-label={`Buscar em ${area.label}`}
          placeholder="Buscar"
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={search && <CloseButton size="sm" aria-label="Limpar busca" onClick={() => setSearch('')} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !search) return
            event.stopPropagation()
            setSearch('')
          }}
        />
      )}
      <div className={classes.items} ref={list}>
        {search.trim() ? (
          <Suspense fallback={null}>
            <AreaHits area={area} search={search} onPick={onPick} />
          </Suspense>
        ) : (
          <>
            {hasMany && last.length > 0 && (
              <Group label="Abertos por último">
                {last.map((screen) => (
                  <ScreenLink key={screen.path} screen={screen} onPick={onPick} />
                ))}
              </Group>
            )}
            {area.groups.map((group) => (
              <Group key={group.label ?? ''} label={group.label}>
                {group.screens.map((screen) => (
                  <ScreenLink key={screen.path} screen={screen} onPick={onPick} />
                ))}
              </Group>
            ))}
          </>
        )}
      </div>
    </>
  )
}

const Group = ({ label, children }: { label: string | undefined; children: ReactNode }) => (
  <div className={classes.group}>
    {label && <div className={classes.heading}>{label}</div>}
    {children}
  </div>
)

const ScreenLink = ({ screen, onPick }: { screen: Screen; onPick?: () => void }) => (
  <NavLink to={screen.path} end={hasBelow(screen)} className={classes.entry} onClick={onPick}>
    <screen.icon size={18} stroke={1.75} aria-hidden />
    <span>{screen.label}</span>
  </NavLink>
)
