import { isLate, type Task } from '@balcao/contract/operations/tasks.ts'
import { IconAlarm, IconRepeat } from '@tabler/icons-react'
import { dayOf, formatDate, formatExact, formatTime } from '../../../kit/format.ts'
import { useNow } from '../../../ui/clock.ts'
import { nowMs } from '../../../ui/server-time.ts'
import classes from './limit-text.module.css'
import { recurrenceLabel } from './recurrence.ts'

/** When it must be done, red once that has passed. */
export const LimitText = ({ task }: { task: Task }) => {
  const now = useNow()
  const late = isLate(task, Math.max(now, nowMs() - 20_000))
  return (
    <span className={classes.limit} data-late={late}>
      {task.limitDate ? (
        <time className="tabular" dateTime={task.limitDate} title={formatExact(task.limitDate)}>
          {late && <IconAlarm size={14} aria-hidden />}
          {shown(task.limitDate, now)}
          {late && <span className={classes.word}>atrasada</span>}
        </time>
      ) : (
        'Sem prazo'
      )}
      {task.recurrence !== null && (
        <span title={recurrenceLabel(task.recurrence)} className={classes.repeat}>
          <IconRepeat size={14} aria-label={recurrenceLabel(task.recurrence)} />
        </span>
      )}
    </span>
  )
}

const dayMs = 86_400_000
const shown = (moment: string, now: number) => {
  const day = dayOf(moment)
  const near = [
    ['hoje', 0],
    ['amanhã', dayMs],
    ['ontem', -dayMs],
  ] as const
  const word = near.find(([, shift]) => dayOf(new Date(now + shift)) === day)?.[0]
  const isThisYear = day.startsWith(dayOf(new Date(now)).slice(0, 4))
  const date = isThisYear ? formatDate(moment).slice(0, 5) : formatDate(moment)
  return `${word ?? date} ${formatTime(moment)}`
}
