import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isClock, maskClock, wholeClock } from './clock-text.ts'
import classes from './time-input.module.css'

type Props = { label: string; value: string; onChange: (value: string) => void }

/** Always 24 hours: the browser's own field follows the computer's language, not ours. */
export const TimeInput = ({ label, value, onChange }: Props) => {
  const [text, setText] = useState<string | null>(null)
  const handleChange = (typed: string) => {
    const next = maskClock(typed, text ?? value)
    setText(next)
    if (isClock(next)) onChange(next)
  }
  return (
    <TextInput
      inputMode="numeric"
      aria-label={label}
      placeholder="00:00"
      maxLength={5}
      className={classes.time}
      value={text ?? value}
      onChange={(event) => handleChange(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => {
        const whole = wholeClock(text ?? '')
        if (whole) onChange(whole)
        setText(null)
      }}
    />
  )
}
