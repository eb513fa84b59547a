import { type MenuKey, type MenuVisibility, menus, type Permission } from '@balcao/contract/permissions.ts'
import { createContext } from 'react'

/** One menu that may be hidden; `opens`: what each screen behind it asks for, nothing where everybody may. */
export type MenuLeaf = { key: MenuKey; label: string; opens: readonly (Permission | undefined)[] }
export type MenuBranch = { label: string; menus: readonly MenuLeaf[] }

/** The menus of a company, as the menu itself shows them; made by the room that knows every screen. */
export const MenuTree = createContext<readonly MenuBranch[]>([])

export const isShown = (value: MenuVisibility, key: MenuKey) => value[key] !== false && !isBelowHidden(value, key)

/** Whether the menu it stands below is hidden, and it with that one. */
export const isBelowHidden = (value: MenuVisibility, key: MenuKey) => {
  const above = menus[key].above
  return above !== undefined && value[above] === false
}

/** The same choice with these menus shown or hidden; only what is hidden is written down. */
export const withMenus = (value: MenuVisibility, keys: readonly string[], shown: boolean): MenuVisibility => {
  const others = Object.entries(value).filter(([key, visible]) => !keys.includes(key) && visible === false)
  return Object.fromEntries([...others, ...(shown ? [] : keys.map((key): [string, boolean] => [key, false]))])
}

/** Whether somebody with these rights can open anything behind this menu. */
export const opensTo = ({ opens }: MenuLeaf, rights: readonly Permission[]): boolean =>
  opens.some((permission) => !permission || rights.includes(permission))
