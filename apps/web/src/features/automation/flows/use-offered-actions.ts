import { flowActions } from '@balcao/contract/automation/flows/graph.ts'
import { type ActionKind, definitionOf } from '@balcao/contract/conversations/actions/index.ts'
import { useCurrentSession } from '../../../kit/session.ts'

/** What of a flow's actions this person may choose. */
export const useOfferedActions = (): ActionKind[] => {
  const { user } = useCurrentSession()
  return flowActions.filter((kind) => {
    const { can, canChoose = can } = definitionOf(kind)
    return user.permissions.includes(canChoose)
  })
}
