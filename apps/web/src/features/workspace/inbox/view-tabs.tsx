import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { channelsQuery } from '../../conversations/messages/abilities.ts'
import { countersQuery } from '../../conversations/tickets/api.ts'
import { narrowingOf, type TicketFilter } from '../../conversations/tickets/filter.ts'
import {
  type Counters,
  countedUpTo,
  countOf,
  everydayViews,
  type View,
  viewOf,
  views,
} from '../../conversations/tickets/views.ts'
import classes from './view-tabs.module.css'

type Props = { filter: TicketFilter; onView: (view: View) => void }

/** The views with what each holds within the filter: beside the list where there is room, in one line above it where not. */
export const ViewTabs = memo(({ filter, onView }: Props) => {
  const counters = useQuery(countersQuery(narrowingOf(filter))).data
  const offered = useOffered(filter.view, counters)
  return (
    <div className={classes.tabs} role="tablist" aria-label="Visões">
      {offered.map((view) => (
        <UnstyledButton
          key={view}
          role="tab"
          aria-selected={filter.view === view}
          className={classes.tab}
          data-view={view}
          onClick={() => onView(view)}
        >
          <span className="truncate">{viewOf[view].label}</span>
          <span className={`tabular ${classes.count}`} data-calling={isCalling(view, counters)}>
            {countText(countOf(counters, view), isEveryday(view))}
          </span>
        </UnstyledButton>
      ))}
    </div>
  )
})

/** What went wrong, and who calls, is seen from any view. */
const isCalling = (view: View, counters: Counters | undefined) =>
  (view === 'notSent' || view === 'mentions') && (countOf(counters, view) ?? 0) > 0 ? view : undefined

/** A view that can never hold anything is not offered: groups without a channel that has them, robots without a robot. */
const useOffered = (view: View, counters: Counters | undefined): View[] => {
  const { allowPause } = useCurrentSession().configuracoes
  const connections = useQuery(connectionList).data
  const channels = useQuery(channelsQuery).data
  const hasGroups = connections?.some(({ kind }) => channels?.[kind].supports.includes('groups'))
  const isOffered = (one: View) => {
    if (one === view || (countOf(counters, one) ?? 0) > 0) return true
    if (one === 'groups') return hasGroups === true
    if (one === 'paused') return allowPause === true
    return one !== 'bot' && one !== 'notSent'
  }
  return views.filter((one) => isEveryday(one) || isOffered(one))
}

const isEveryday = (view: View) => everydayViews.some((everyday) => everyday === view)
/** The server counts up to a thousand; nobody needs the rest. That nothing calls needs no number. */
const countText = (count: number | null, tellsNone: boolean) => {
  if (count === null || (count === 0 && !tellsNone)) return ''
  return count >= countedUpTo ? '999+' : formatNumber(count)
}
