import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

/**
 * What is no whole number yet ("", "12,") stays as it is written until one goes on or leaves, whatever is made of it: taken
 * for 12, the digit after a comma would come before it.
 */
export const useWritten = ({ value, onChange, onBlur }: Pick<NumberInputProps, 'value' | 'onChange' | 'onBlur'>) => {
  const [written, setWritten] = useState<string | null>(null)
  return {
    value: written ?? value,
    onChange: (next: number | string) => {
      setWritten(typeof next === 'string' ? next : null)
      onChange?.(next)
    },
    onBlur: (event: Parameters<NonNullable<typeof onBlur>>[0]) => {
      setWritten(null)
      onBlur?.(event)
    },
  }
}

/** For a number that is always there: an emptied field stands for `empty`; not given, for what it was. */
export const toNumber = (onChange: (value: number) => void, empty?: number) => (next: number | string) => {
  const meant = next === '' ? empty : Number(next)
  if (meant !== undefined && Number.isFinite(meant)) onChange(meant)
}

type Props = Omit<NumberInputProps, 'value' | 'onChange'> & {
  value: number
  onChange: (value: number) => void
  empty?: number
}
/** A number that is always there, and can be erased to type another one: it stays empty until one leaves it. */
export const NumberField = ({ value, onChange, onBlur, empty, ...rest }: Props) => (
  <NumberInput {...rest} {...useWritten({ value, onChange: toNumber(onChange, empty), onBlur })} />
)
