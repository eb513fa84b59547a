import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { toNumber, useWritten } from './number-field.tsx'

/**
 * Reais and cents. The two places of the cents are filled in when one leaves the field: while one writes they would stand
 * behind the caret, and on a slow machine the comma would be lost and “1250,9” become 12.509,00.
 */
export const MoneyInput = ({ value, onChange, onBlur, ...props }: Omit<NumberInputProps, 'onFocus'>) => {
  const [field, setField] = useState<HTMLInputElement | null>(null)
  const isTouched = useRef(false)
  useEffect(() => {
    // What is typed replaces what is there: a click leaves the caret behind the cents, where no digit has a place. After
    // the field has put the caret right itself; but what was typed meanwhile is not replaced.
    const timer = setTimeout(() => isTouched.current || field?.select())
    return () => clearTimeout(timer)
  }, [field])
  const change: typeof onChange = (next) => {
    isTouched.current = true
    onChange?.(next)
  }
  const leave: typeof onBlur = (event) => {
    isTouched.current = false
    setField(null)
    onBlur?.(event)
  }
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
      {...props}
      {...useWritten({ value, onChange: change, onBlur: leave })}
    />
  )
}

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onFocus' | 'onBlur'> & {
  cents: number
  onCents: (cents: number) => void
}
/** An amount in cents that is always there: emptied it is nothing. */
export const MoneyField = ({ cents, onCents, ...rest }: Props) => (
  <MoneyInput {...rest} value={cents / 100} onChange={toNumber((reais) => onCents(Math.round(reais * 100)), 0)} />
)
