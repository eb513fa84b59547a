import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import { Input, Switch } from '@mantine/core'
import { workWeek } from './week.ts'
import { WeekEditor } from './week-editor.tsx'
import classes from './week-field.module.css'

type Props = {
  label: string
  /** The sentence of the switch, and what it means while it is off. */
  limit: { on: string; off: string }
  value?: BusinessDay[]
  onChange?: (value: BusinessDay[]) => void
}

/** The hours of each weekday as a field of a form; an empty week means none of its own. */
export const WeekField = ({ label, limit, value = [], onChange }: Props) => (
  <Input.Wrapper label={label} labelElement="div">
    <Switch
      mt={6}
      label={limit.on}
      description={value.length === 0 ? limit.off : undefined}
      checked={value.length > 0}
      onChange={(event) => onChange?.(event.currentTarget.checked ? workWeek() : [])}
    />
    {value.length > 0 && (
      <div className={classes.week}>
        <WeekEditor value={value} onChange={(next) => onChange?.(next)} />
      </div>
    )}
  </Input.Wrapper>
)
