import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { IconRepeat } from '@tabler/icons-react'
import { dayOf, formatDate, formatExact, formatTime } from '../../../kit/format.ts'
import { useNow } from '../../../ui/clock.ts'
import { recurrenceText } from './recurrence.ts'
import classes from './when-text.module.css'

/** When it is due, near days by name, and whether it repeats. */
export const WhenText = ({ schedule: { scheduleDate, recurrence } }: { schedule: Schedule }) => {
  const now = useNow()
  return (
    <span className={classes.when}>
      <time className="tabular" dateTime={scheduleDate} title={formatExact(scheduleDate)}>
        {dayName(scheduleDate, now)} {formatTime(scheduleDate)}
      </time>
      {recurrence && (
        <span className={classes.repeat} title={recurrenceText(recurrence)}>
          <IconRepeat size={14} aria-label={recurrenceText(recurrence)} />
        </span>
      )}
    </span>
  )
}

const dayMs = 86_400_000
const near = [
  ['hoje', 0],
  ['amanhã', dayMs],
  ['ontem', -dayMs],
] as const
const dayName = (moment: string, now: number) => {
  const day = dayOf(moment)
  return (
    near.find(([, shift]) => dayOf(new Date(now + shift)) === day)?.[0] ??
    formatDate(moment).replace(`/${dayOf(new Date(now)).slice(0, 4)}`, '')
  )
}
