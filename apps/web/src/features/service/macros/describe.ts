import { type MacroAction, macroStepLabels } from '@balcao/contract/service/macros.ts'
import { formatDuration } from '../../../kit/format.ts'
import { priorityLabels } from '../../conversations/tickets/priorities.ts'

/** A step in one line; `nameOf` knows tags, queues, people and reasons. */
export const describeStep = (action: MacroAction, nameOf: (id: string) => string | undefined): string => {
  const label = macroStepLabels[action.kind]
  const names = (ids: readonly (string | null)[]) => ids.flatMap((id) => (id ? (nameOf(id) ?? []) : [])).join(', ')
  const more = detailOf(action, names)
  return more ? `${label}: ${more}` : label
}

const detailOf = (action: MacroAction, names: (ids: readonly (string | null)[]) => string): string => {
  switch (action.kind) {
    case 'send':
    case 'note':
      return action.body
    case 'addTags':
    case 'removeTags':
      return names(action.tagIds)
    case 'transfer':
      return names([action.queueId, action.userId])
    case 'priority':
      return priorityLabels[action.priority]
    case 'pause':
      return action.minutes === null ? 'até o cliente responder' : `por ${formatDuration(action.minutes * 60_000)}`
    case 'close':
      return names([action.reasonId])
  }
}
