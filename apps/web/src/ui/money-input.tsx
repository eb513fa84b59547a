import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useErasable } from './number-field.tsx'

/**
 * Reais and cents. The two places of the cents are filled in when one leaves the field: while one writes they would stand
 * behind the caret, and on a slow machine the comma would be lost and “1250,9” become 12.509,00.
 */
export const MoneyInput = ({ onBlur, ...props }: Omit<NumberInputProps, 'onFocus'>) => {
  const [field, setField] = useState<HTMLInputElement | null>(null)
  useEffect(() => {
    // What is typed replaces what is there: a click leaves the caret behind the cents, where no digit has a place. After
    // the field has put the caret right itself.
    const timer = setTimeout(() => field?.select())
    return () => clearTimeout(timer)
  }, [field])
  return (
    <NumberInput
      prefix="R$ "
      thousandSeparator="."
      decimalSeparator=","
      decimalScale={2}
      fixedDecimalScale={!field}
      allowNegative={false}
      hideControls
      inputMode="decimal"
      onFocus={(event) => setField(event.currentTarget)}
      onBlur={(event) => {
        setField(null)
        onBlur?.(event)
      }}
      {...props}
    />
  )
}

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onFocus' | 'onBlur'> & {
  cents: number
  onCents: (cents: number) => void
}
/** An amount in cents that is always there: emptied it is nothing. */
export const MoneyField = ({ cents, onCents, ...rest }: Props) => (
  <MoneyInput
    {...rest}
    {...useErasable({ value: cents / 100, onChange: (reais) => onCents(Math.round(reais * 100)), empty: 0 })}
  />
)
