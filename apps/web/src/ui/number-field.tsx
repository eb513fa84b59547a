import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

/** What is being written stays as it is until one leaves, whatever is made of it: of “12,” a 12, behind which the comma is gone. */
export const useWritten = ({ value, onChange, onBlur }: Pick<NumberInputProps, 'value' | 'onChange' | 'onBlur'>) => {
  const [written, setWritten] = useState<number | string | null>(null)
  return {
    value: written ?? value,
    onChange: (next: number | string) => {
      setWritten(next)
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

type OptionalProps = Omit<NumberInputProps, 'value' | 'onChange'> & {
  value: number | null
  onChange: (value: number | null) => void
}
/** A number that may be missing: emptied it is. */
export const OptionalNumberField = ({ value, onChange, onBlur, ...rest }: OptionalProps) => {
  const set = (next: number | string) => (next === '' ? onChange(null) : toNumber(onChange)(next))
  return <NumberInput {...rest} {...useWritten({ value: value ?? '', onChange: set, onBlur })} />
}
