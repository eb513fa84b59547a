import { IconAdjustments } from '@tabler/icons-react'
import { Link } from 'react-router'
import { settingEntries } from '../../features/people/settings/entries.ts'
import { isFound } from '../../kit/plain-text.ts'
import classes from './area-menu.module.css'
import type { MenuArea } from './use-menu.ts'

type Props = { area: MenuArea; search: string; onPick?: () => void }

/** What of an area answers to these words: its screens, and the single settings on them. */
export const AreaHits = ({ area, search, onPick }: Props) => {
  const found = area.screens.filter(({ label, words, group }) => isFound(search, label, words, group))
  const settings = settingEntries.flatMap((entry) => {
    const page = area.screens.find(({ path }) => path === entry.path)
    return page && isFound(search, entry.label, entry.words) ? [{ ...entry, page }] : []
  })
  if (found.length + settings.length === 0)
    return <p className={classes.none}>Nada com “{search.trim()}”. Tente outra palavra.</p>
  return (
    <div className={classes.group}>
      {found.map((screen) => (
        <Link key={screen.path} to={screen.path} className={classes.entry} onClick={onPick}>
          <screen.icon size={18} stroke={1.75} aria-hidden />
          <span>{screen.label}</span>
        </Link>
      ))}
      {settings.map(({ label, path, id, page }) => (
        <Link key={`${path}${label}`} to={{ pathname: path, hash: id }} className={classes.entry} onClick={onPick}>
          <IconAdjustments size={18} stroke={1.75} aria-hidden />
          <span>
            {label}
            <span className={classes.where}>{page.label}</span>
          </span>
        </Link>
      ))}
    </div>
  )
}
