import type { Actor } from '../../../kit/actor.ts'
import type { Bind } from '../../../kit/sql.ts'

/** Whoever owns a task or wrote it down sees it; supervisors and administrators see the team's. */
export const visibleTasks = (actor: Actor, bind: Bind): string => {
  if (actor.permissions.has('tasks.showAll')) return 'true'
  const me = bind(actor.userId)
  return `(k.owner_id = ${me} or k.user_id = ${me})`
}

/** The people a task's events are for, beside those who see everybody's. */
export const peopleOf = ({ ownerId, userId }: { ownerId: string; userId: string }): string[] => [
  ...new Set([ownerId, userId]),
]
