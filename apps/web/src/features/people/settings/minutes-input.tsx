import { Input, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { OptionalNumberField } from '../../../ui/number-field.tsx'
import classes from './minutes-input.module.css'

const units = [
  { value: '1', label: 'min' },
  { value: '60', label: 'h' },
] as const

type Props = {
  label: string
  value: number | null
  error?: string
  onChange: (minutes: number | null) => void
}

/** A length of time in minutes, written in minutes or hours; empty for none. */
export const MinutesInput = ({ label, value, error, onChange }: Props) => {
  const [unit, setUnit] = useState(value !== null && value % 60 === 0 ? 60 : 1)
  return (
    <Input.Wrapper error={error}>
      <span className={classes.pair}>
        <OptionalNumberField
          aria-label={label}
          placeholder="Sem prazo"
          hideControls
          min={0}
          max={525_600 / unit}
          allowNegative={false}
          decimalScale={unit === 60 ? 2 : 0}
          decimalSeparator=","
          error={error !== undefined}
          className={classes.number}
          value={value === null ? null : value / unit}
          onChange={(length) => onChange(length === null ? null : Math.round(length * unit))}
        />
        <NativeSelect
          aria-label={`${label}: unidade`}
          data={units}
          value={String(unit)}
          onChange={(event) => {
            const next = Number(event.currentTarget.value)
            setUnit(next)
            // "2" of minutes becomes "2" of hours: what was typed stays.
            if (value !== null) onChange(Math.min(525_600, Math.round((value / unit) * next)))
          }}
        />
      </span>
    </Input.Wrapper>
  )
}
