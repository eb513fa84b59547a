import { type MenuKey, type MenuVisibility, menuLabels } from '@balcao/contract/permissions.ts'
import { Checkbox, Input } from '@mantine/core'
import { isShown, menuGroups, withMenus } from './menu-tree.ts'
import classes from './menu-tree-field.module.css'

type Props = {
  label: string
  description?: string
  value?: MenuVisibility
  onChange?: (value: MenuVisibility) => void
  error?: string
  /** The menus there are to choose from; all of a company's when not given. */
  among?: (key: MenuKey) => boolean
}

/** Which menus appear, group by group. */
export const MenuTreeField = ({ label, description, value = {}, onChange, error, among }: Props) => (
  <Input.Wrapper label={label} labelElement="div" description={description} error={error}>
    <div className={classes.tree}>
      {menuGroups().map((group) => {
        const keys = among ? group.keys.filter(among) : group.keys
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
              {keys.map((key) => (
                <Checkbox
                  key={key}
                  label={menuLabels[key]}
                  checked={isShown(value, key)}
                  onChange={(event) => onChange?.(withMenus(value, [key], event.currentTarget.checked))}
                />
              ))}
            </div>
          </fieldset>
        )
      })}
    </div>
  </Input.Wrapper>
)
