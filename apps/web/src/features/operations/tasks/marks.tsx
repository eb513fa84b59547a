import {
  type TaskPriority,
  type TaskStatus,
  taskPriorityLabels,
  taskStatusLabels,
} from '@balcao/contract/operations/tasks.ts'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import classes from './marks.module.css'

const tones: Record<TaskStatus, StatusTone> = { pending: 'waiting', doing: 'note', done: 'good' }

export const TaskState = ({ status }: { status: TaskStatus }) => (
  <StatusDot tone={tones[status]} label={taskStatusLabels[status]} />
)

/** Only what stands out is marked; normal is silent. */
export const PriorityMark = ({ priority }: { priority: TaskPriority }) => {
  if (priority === 'normal') return null
  const Arrow = priority === 'high' ? IconArrowUp : IconArrowDown
  const label = `Prioridade ${taskPriorityLabels[priority].toLowerCase()}`
  return (
    <span className={classes.priority} data-priority={priority} title={label}>
      <Arrow size={14} stroke={2} aria-label={label} />
    </span>
  )
}
