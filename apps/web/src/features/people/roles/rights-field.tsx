import { type Role, roleRights } from '@balcao/contract/people/roles.ts'
import { Checkbox, Input } from '@mantine/core'
import classes from '../users/menu-tree-field.module.css'
import { holds, withRights } from './rights.ts'

type Props = {
  label: string
  description?: string
  value?: Role['permissions']
  onChange?: (value: Role['permissions']) => void
  error?: string
}

/** What a profile of the company's own may do, area by area. */
export const RightsField = ({ label, description, value = [], onChange, error }: Props) => (
  <Input.Wrapper label={label} labelElement="div" description={description} error={error} required>
    <div className={classes.tree}>
      {roleRights.map((group) => {
        const all = group.rights.flatMap(({ grants }) => grants)
        const held = group.rights.filter(({ grants }) => holds(value, grants))
        return (
          <fieldset key={group.label} className={classes.group} aria-label={`${label}: ${group.label}`}>
            <Checkbox
              label={group.label}
              fw={500}
              checked={held.length === group.rights.length}
              indeterminate={held.length > 0 && held.length < group.rights.length}
              onChange={() => onChange?.(withRights(value, all, held.length < group.rights.length))}
            />
            <div className={classes.children}>
              {group.rights.map((right) => (
                <Checkbox
                  key={right.label}
                  label={right.label}
                  checked={holds(value, right.grants)}
                  onChange={(event) => onChange?.(withRights(value, right.grants, event.currentTarget.checked))}
                />
              ))}
            </div>
          </fieldset>
        )
      })}
    </div>
  </Input.Wrapper>
)
