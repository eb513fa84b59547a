import { type MenuKey, menuKeys, menus } from '@balcao/contract/permissions.ts'
import type { MenuBranch } from '../features/people/users/menu-tree.ts'
import { areas, type Screen, screens } from './screens.ts'

/** Which menu hides this screen. */
export const menuOf = ({ menu, name }: Screen): MenuKey | undefined => menu ?? menuKeys.find((key) => key === name)

const ofCompanies = screens.filter(({ area }) => area && area !== 'plataforma')

/** What a company may hide, area by area; a menu with screens in two areas stands in the first. */
export const menuTree: readonly MenuBranch[] = areas.flatMap(({ key: area, label }) => {
  const isFirst = (key: MenuKey) => ofCompanies.find((screen) => menuOf(screen) === key)?.area === area
  const keys = new Set(ofCompanies.flatMap((screen) => menuOf(screen) ?? []).filter(isFirst))
  const leaves = [...keys].map((key) => ({
    key,
    label: menus[key].label,
    opens: ofCompanies.filter((screen) => menuOf(screen) === key).map(({ can }) => can),
  }))
  return leaves.length > 0 ? [{ label, menus: leaves }] : []
})
