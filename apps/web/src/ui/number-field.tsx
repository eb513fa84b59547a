import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<NumberInputProps, 'value' | 'onChange'> & { value: number; onChange: (value: number) => void }

/** A number that is always there: emptied to type another one it stays empty until then, and is as it was if one leaves it so. */
export const NumberField = ({ value, onChange, onBlur, ...rest }: Props) => {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <NumberInput
      {...rest}
      value={isEmpty ? '' : value}
      onChange={(next) => {
        setEmpty(next === '')
        if (next !== '' && Number.isFinite(Number(next))) onChange(Number(next))
      }}
      onBlur={(event) => {
        setEmpty(false)
        onBlur?.(event)
      }}
    />
  )
}
