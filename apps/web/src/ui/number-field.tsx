import { NumberInput, type NumberInputProps } from '@mantine/core'
import { type FocusEvent, useState } from 'react'

type Field = {
  value: number
  onChange: (value: number) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
}
type Erasing = Field & {
  /** What an emptied field stands for; not given: what it was. */
  empty?: number
}

/**
 * A number that is always there, and can be erased to type another one. What is no whole number yet ("", "12,") stays as it
 * is written until one goes on or leaves: taken for 12, the digit after a comma would come before it.
 */
export const useErasable = ({ value, onChange, onBlur, empty }: Erasing) => {
  const [written, setWritten] = useState<string | null>(null)
  return {
    value: written ?? value,
    onChange: (next: number | string) => {
      setWritten(typeof next === 'string' ? next : null)
      const meant = next === '' ? empty : Number(next)
      if (meant !== undefined && Number.isFinite(meant)) onChange(meant)
    },
    onBlur: (event: FocusEvent<HTMLInputElement>) => {
      setWritten(null)
      onBlur?.(event)
    },
  }
}

type Props = Omit<NumberInputProps, keyof Erasing> & Erasing
export const NumberField = ({ value, onChange, onBlur, empty, ...rest }: Props) => (
  <NumberInput {...rest} {...useErasable({ value, onChange, onBlur, empty })} />
)
