import { type Task, type TaskStatus, taskStatuses } from '@balcao/contract/operations/tasks.ts'
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core'
import { IconArrowsMove, IconMessage } from '@tabler/icons-react'
import { plural } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { LimitText } from './limit-text.tsx'
import { PriorityMark, TaskState } from './marks.tsx'
import classes from './task-card.module.css'

type Props = { task: Task; isMoving: boolean; onOpen: () => void; onMove: (status: TaskStatus) => void }

/** A task on the board: what, for whom, until when, whose. */
export const TaskCard = ({ task, isMoving, onOpen, onMove }: Props) => {
  const mayWrite = useCan('tasks.write')
  return (
    <article className={classes.card} data-moving={isMoving}>
      <div className={classes.top}>
        <PriorityMark priority={task.priority} />
        <UnstyledButton className={classes.name} onClick={onOpen}>
          {task.name}
        </UnstyledButton>
        {mayWrite && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size={32} aria-label={`Mover ${task.name}`}>
                <IconArrowsMove size={16} stroke={1.75} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Mover para</Menu.Label>
              {taskStatuses
                .filter((status) => status !== task.status)
                .map((status) => (
                  <Menu.Item key={status} onClick={() => onMove(status)}>
                    <TaskState status={status} />
                  </Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {task.contact && <div className={`truncate ${classes.contact}`}>{task.contact.name}</div>}
      <div className={classes.foot}>
        <LimitText task={task} />
        {task.commentCount > 0 && (
          <span className={classes.comments} title={plural(task.commentCount, 'comentário', 'comentários')}>
            <IconMessage size={14} aria-hidden /> {task.commentCount}
          </span>
        )}
        <span className={classes.owner} title={task.owner.name}>
          <Avatar name={task.owner.name} size={24} />
        </span>
      </div>
    </article>
  )
}
