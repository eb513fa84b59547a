import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

/**
 * Reais and cents. The two places of the cents are filled in when one leaves the field: while one writes they would stand
 * behind the caret, and on a slow machine the comma would be lost and “1250,9” become 12.509,00.
 */
export const MoneyInput = (props: Omit<NumberInputProps, 'onFocus' | 'onBlur'>) => {
  const [isWriting, setWriting] = useState(false)
  return (
    <NumberInput
      prefix="R$ "
      thousandSeparator="."
      decimalSeparator=","
      decimalScale={2}
      fixedDecimalScale={!isWriting}
      allowNegative={false}
      hideControls
      inputMode="decimal"
      onFocus={() => setWriting(true)}
      onBlur={() => setWriting(false)}
      {...props}
    />
  )
}
