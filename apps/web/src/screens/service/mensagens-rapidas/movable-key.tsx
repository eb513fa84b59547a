import type { QuickMessage } from '@balcao/contract/service/quick-messages.ts'
import { useDraggable } from '@dnd-kit/react'
import { IconGripVertical } from '@tabler/icons-react'
import classes from './movable-key.module.css'

/** The shortcut of a quick message, by which it is dragged into a folder. */
export const MovableKey = ({ row, canMove }: { row: QuickMessage; canMove: boolean }) => {
  const { ref, isDragSource } = useDraggable({ id: row.id, data: { row }, disabled: !canMove })
  return (
    <span ref={ref} className={classes.key} data-movable={canMove} data-dragged={isDragSource}>
      {canMove && <IconGripVertical size={14} className={classes.grip} aria-hidden />}
      <strong className="truncate">/{row.key}</strong>
    </span>
  )
}
