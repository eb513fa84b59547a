import { useCurrentSession } from '../../kit/session.ts'
import { isAllowed } from '../access.ts'
import { groupLabels, type Screen, type ScreenGroup, screens } from '../screens.ts'
import { visitorOf } from '../visitor.ts'

export type MenuGroup = { key: ScreenGroup; label: string; items: Screen[] }

/** The screens this person may open, by group, in the order of the table. */
export const useMenu = (): MenuGroup[] => {
  const visitor = visitorOf(useCurrentSession())
  const open = screens.filter((screen) => screen.group && isAllowed(visitor, screen))
  return (Object.keys(groupLabels) as ScreenGroup[]) // the keys of a literal record
    .map((key) => ({ key, label: groupLabels[key], items: open.filter((screen) => screen.group === key) }))
    .filter((group) => group.items.length > 0)
}
