import { useCurrentSession } from '../../kit/session.ts'
import { isAllowed } from '../access.ts'
import { type Area, areas, type Screen, screens } from '../screens.ts'
import { visitorOf } from '../visitor.ts'

export type MenuGroup = { label: string | undefined; screens: Screen[] }
export type MenuArea = Area & {
  /** Where a click on the area leads. */
  path: string
  screens: Screen[]
  groups: MenuGroup[]
}

/** The screens this person may open: by area, and those that stand in none. */
export const useMenu = (): { areas: MenuArea[]; screens: Screen[] } => {
  const visitor = visitorOf(useCurrentSession())
  const open = screens.filter((screen) => !screen.redirects && isAllowed(visitor, screen))
  return {
    screens: open,
    areas: areas.flatMap((area) => {
      const own = open.filter((screen) => screen.area === area.key)
      const [first] = own
      return first ? [{ ...area, path: first.path, screens: own, groups: groupsOf(own) }] : []
    }),
  }
}

/** An area with a single screen needs no list of them. */
export const hasColumn = (area: MenuArea) => area.screens.length > 1

const groupsOf = (own: Screen[]): MenuGroup[] =>
  [...new Set(own.map(({ group }) => group))].map((label) => ({
    label,
    screens: own.filter(({ group }) => group === label),
  }))
