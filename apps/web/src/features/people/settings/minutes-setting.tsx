import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import { NumberField } from '../../../ui/number-field.tsx'
import { SettingRow } from './setting-row.tsx'
import classes from './settings.module.css'

type Props = {
  id: string
  label: string
  help: string
  presets: readonly { value: number; label: string }[]
  min: number
  max: number
  value: number
  problem?: string
  onChange: (minutes: number) => void
}
const custom = 'custom'

/** A length of time: the usual ones to choose from, or any number of minutes. */
export const MinutesSetting = ({ id, label, help, presets, min, max, value, problem, onChange }: Props) => {
  const [isCustom, setCustom] = useState(!presets.some((one) => one.value === value))
  return (
    <SettingRow id={id} label={label} help={help} problem={problem}>
      <Group className={classes.wide} gap="xs" wrap="nowrap" justify="flex-end">
        <Select
          id={id}
          flex={1}
          maw={150}
          ml="auto"
          allowDeselect={false}
          data={[
            ...presets.map((one) => ({ value: String(one.value), label: one.label })),
            { value: custom, label: 'Outro tempo' },
          ]}
          value={isCustom ? custom : String(value)}
          onChange={(chosen) => {
            if (chosen === null) return
            setCustom(chosen === custom)
            if (chosen !== custom) onChange(Number(chosen))
          }}
        />
        {isCustom && (
          <NumberField
            w={130}
            aria-label={`${label}, em minutos`}
            suffix=" min"
            min={min}
            max={max}
            clampBehavior="blur"
            allowDecimal={false}
            allowNegative={false}
            value={value}
            onChange={(minutes) => minutes >= min && minutes <= max && onChange(minutes)}
          />
        )}
      </Group>
    </SettingRow>
  )
}
