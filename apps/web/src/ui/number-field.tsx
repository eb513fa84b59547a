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

/** A number that is always there, and can be erased to type another one: it stays empty until one leaves it. */
export const useErasable = ({ value, onChange, onBlur, empty }: Erasing) => {
  const [isEmpty, setEmpty] = useState(false)
  return {
    value: isEmpty ? ('' as const) : value,
    onChange: (next: number | string) => {
      setEmpty(next === '')
      if (next === '') {
        if (empty !== undefined) onChange(empty)
      } else if (Number.isFinite(Number(next))) onChange(Number(next))
    },
    onBlur: (event: FocusEvent<HTMLInputElement>) => {
      setEmpty(false)
      onBlur?.(event)
    },
  }
}

type Props = Omit<NumberInputProps, keyof Erasing> & Erasing
export const NumberField = ({ value, onChange, onBlur, empty, ...rest }: Props) => (
  <NumberInput {...rest} {...useErasable({ value, onChange, onBlur, empty })} />
)
