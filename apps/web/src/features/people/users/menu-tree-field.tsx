import type { MenuVisibility } from '@balcao/contract/permissions.ts'
import { Checkbox, Input } from '@mantine/core'
import { use } from 'react'
import { isBelowHidden, isShown, type MenuLeaf, MenuTree, withMenus } from './menu-tree.ts'
import classes from './menu-tree-field.module.css'

type Props = {
  label: string
  description?: string
  value?: MenuVisibility
  onChange?: (value: MenuVisibility) => void
  error?: string
  /** The menus there are to choose from; all of a company's when not given. */
  among?: (menu: MenuLeaf) => boolean
}

/** Which menus appear, area by area, as in the menu itself. */
export const MenuTreeField = ({ label, description, value = {}, onChange, error, among }: Props) => (
  <Input.Wrapper label={label} labelElement="div" description={description} error={error}>
    <div className={classes.tree}>
      {use(MenuTree).map((group) => {
        const menus = among ? group.menus.filter(among) : group.menus
        const keys = menus.map(({ key }) => key)
        const shown = keys.filter((key) => isShown(value, key))
        if (keys.length === 0) return null
        return (
          <fieldset key={group.label} className={classes.group} aria-label={`${label}: ${group.label}`}>
            <Checkbox
              label={group.label}
              fw={500}
              checked={shown.length === keys.length}
              indeterminate={shown.length > 0 && shown.length < keys.length}
              onChange={() => onChange?.(withMenus(value, keys, shown.length < keys.length))}
            />
            <div className={classes.children}>
              {menus.map((menu) => (
                <Checkbox
                  key={menu.key}
                  label={menu.label}
                  checked={isShown(value, menu.key)}
                  disabled={isBelowHidden(value, menu.key)}
                  onChange={(event) => onChange?.(withMenus(value, [menu.key], event.currentTarget.checked))}
                />
              ))}
            </div>
          </fieldset>
        )
      })}
    </div>
  </Input.Wrapper>
)
