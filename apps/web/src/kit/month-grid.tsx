import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNow } from '../ui/clock.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonList } from '../ui/skeleton-list.tsx'
import { messageOf } from './api-error.ts'
import { dayOf, formatTime } from './format.ts'
import { dayTitle, monthIn, monthTitle, shiftMonth, weekdays, weeksOf } from './month.ts'
import classes from './month-grid.module.css'
import { useUrlState } from './url-state.ts'

/** The month in the address (`mes=2026-11`), the whole weeks that hold it, and today. */
export const useMonth = () => {
  const today = dayOf(new Date(useNow()))
  const [chosen, setMonth] = useUrlState('mes')
  const month = monthIn(chosen, today)
  return { today, month, setMonth, days: weeksOf(month) }
}

/** One thing at a moment, as a day shows it. */
export type MonthItem = {
  id: string
  at: string
  label: string
  title: string
  /** Colour of its edge; none: waiting. `coming`: what will follow by itself. */
  mark?: 'coming' | 'doing' | 'done' | 'failed' | 'canceled'
  isStruck?: boolean
  /** Of the whole day: no hour is shown. */
  isAllDay?: boolean
}
type Does = {
  onOpen: (id: string) => void
  onCreate: (day: string) => void
  /** The whole of a day that does not fit. */
  onShowDay: (day: string) => void
  /** What the plus of a day is called; undefined where there is none. */
  createLabel: (day: string) => string | undefined
}
type Props = Does & {
  at: ReturnType<typeof useMonth>
  list: Pick<UseQueryResult, 'isPending' | 'isError' | 'data' | 'error' | 'refetch'>
  items: MonthItem[]
  /** Said under a month without any. */
  none: string
}
const shownPerDay = 3

/** A month of things at their moments. On a narrow screen only the days that have any, one below the other. */
export const MonthGrid = ({ at: { today, month, days, setMonth }, list, items, none, ...does }: Props) => {
  const byDay = Map.groupBy(items, (item) => dayOf(item.at))
  return (
    <div className={classes.calendar}>
      <div className={classes.bar}>
        <ActionIcon aria-label="Mês anterior" onClick={() => setMonth(shiftMonth(month, -1))}>
          <IconChevronLeft size={18} stroke={1.75} />
        </ActionIcon>
        <h2 className={classes.title} aria-live="polite">
          {monthTitle(month)}
        </h2>
        <ActionIcon aria-label="Mês seguinte" onClick={() => setMonth(shiftMonth(month, 1))}>
          <IconChevronRight size={18} stroke={1.75} />
        </ActionIcon>
        {month !== today.slice(0, 7) && (
          <Button variant="default" size="xs" onClick={() => setMonth('')}>
            Hoje
          </Button>
        )}
      </div>
      {list.isPending ? (
        <SkeletonList />
      ) : list.isError && !list.data ? (
        <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        <div className={classes.frame}>
          <div className={classes.weekdays} aria-hidden>
            {weekdays.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
          <ol className={classes.days}>
            {days.map((day) => (
              <Day
                key={day}
                day={day}
                items={byDay.get(day) ?? []}
                isToday={day === today}
                isOutside={!day.startsWith(month)}
                {...does}
              />
            ))}
          </ol>
          {!items.some((item) => dayOf(item.at).startsWith(month)) && <p className={classes.none}>{none}</p>}
        </div>
      )}
    </div>
  )
}

type DayProps = Does & { day: string; items: MonthItem[]; isToday: boolean; isOutside: boolean }

const Day = ({ day, items, isToday, isOutside, createLabel, onOpen, onCreate, onShowDay }: DayProps) => {
  const label = createLabel(day)
  return (
    <li
      className={classes.day}
      data-today={isToday}
      data-outside={isOutside}
      data-empty={items.length === 0}
      aria-label={dayTitle(day)}
    >
      <div className={classes.head}>
        <span className={classes.number}>{Number(day.slice(8))}</span>
        <span className={classes.long}>{dayTitle(day)}</span>
        {label && (
          <ActionIcon
            size={24}
            className={classes.add}
            aria-label={`${label} em ${dayTitle(day)}`}
            onClick={() => onCreate(day)}
          >
            <IconPlus size={14} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
      {items.slice(0, shownPerDay).map((item) => (
        <UnstyledButton
          key={item.id}
          className={classes.item}
          data-mark={item.mark}
          data-struck={item.isStruck}
          title={item.title}
          onClick={() => onOpen(item.id)}
        >
          {!item.isAllDay && <span className="tabular">{formatTime(item.at)} </span>}
          {item.label}
        </UnstyledButton>
      ))}
      {items.length > shownPerDay && (
        <UnstyledButton className={classes.more} onClick={() => onShowDay(day)}>
          mais {items.length - shownPerDay}
        </UnstyledButton>
      )}
    </li>
  )
}
