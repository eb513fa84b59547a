import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../kit/format.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { connectionList } from '../connections/api.ts'
import { channelsQuery } from '../messages/abilities.ts'
import { countersQuery } from './api.ts'
import classes from './view-tabs.module.css'
import { type Counters, countedUpTo, countOf, everydayViews, type View, viewOf, views } from './views.ts'

type Props = { view: View; showAll: boolean; onView: (view: View) => void }

/** Abertos, Pendentes, Fechados; the other views behind "Mais", which shows the one that is on. */
export const ViewTabs = ({ view, showAll, onView }: Props) => {
  const counters = useQuery(countersQuery(showAll)).data
  const others = useOtherViews(view, counters)
  const isOther = !everydayViews.some((everyday) => everyday === view)
  return (
    <div className={classes.tabs}>
      <div className={classes.everyday} role="tablist" aria-label="Situação">
        {everydayViews.map((one) => (
          <UnstyledButton
            key={one}
            role="tab"
            aria-selected={view === one}
            className={classes.tab}
            data-view={one}
            onClick={() => onView(one)}
          >
            {viewOf[one].label}
            <span className={`tabular ${classes.count}`}>{tabCount(one, countOf(counters, one), isOther)}</span>
          </UnstyledButton>
        ))}
      </div>
      <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton
            className={classes.tab}
            data-on={isOther || undefined}
            aria-label={isOther ? `Mais visões, em uso: ${nameOf(view)}` : 'Mais visões'}
          >
            <span className="truncate">{isOther ? (viewOf[view].short ?? viewOf[view].label) : 'Mais'}</span>
            {!isOther && counters && counters.mentions > 0 && (
              <span className={classes.called} role="img" aria-label="Há menções não lidas" />
            )}
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map((one) => (
            <Menu.Item
              key={one}
              onClick={() => onView(one)}
              aria-current={view === one ? 'true' : undefined}
              className={classes.item}
              rightSection={
                <span
                  className={`tabular ${classes.count}`}
                  data-called={one === 'mentions' && Boolean(counters?.mentions)}
                >
                  {countText(countOf(counters, one))}
                </span>
              }
            >
              {viewOf[one].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** What is read includes what is seen. */
const nameOf = (view: View) => {
  const { label, short } = viewOf[view]
  return short ? `${label} (${short})` : label
}

/** A view that can never hold anything is not offered: groups without a channel that has them, robots without a robot. */
const useOtherViews = (view: View, counters: Counters | undefined): View[] => {
  const { allowPause } = useCurrentSession().configuracoes
  const connections = useQuery(connectionList).data
  const channels = useQuery(channelsQuery).data
  const hasGroups = connections?.some(({ kind }) =>
    (channels?.[kind].supports as readonly string[])?.includes('groups'),
  )
  const isOffered = (one: View) => {
    if (one === view || (countOf(counters, one) ?? 0) > 0) return true
    if (one === 'groups') return hasGroups === true
    if (one === 'paused') return allowPause === true
    return one !== 'bot'
  }
  return views.filter((one) => !everydayViews.some((everyday) => everyday === one) && isOffered(one))
}

/** That there are more closed ones than anybody counts says nothing, and the room is needed. */
const tabCount = (view: View, count: number | null, isNarrow: boolean) =>
  view === 'closed' && (isNarrow || (count ?? 0) >= countedUpTo) ? '' : countText(count)
/** The server counts up to a thousand; nobody needs the rest. */
const countText = (count: number | null) => (count === null ? '' : count >= countedUpTo ? '999+' : formatNumber(count))
