import { NumberInput, type NumberInputProps } from '@mantine/core'
import { toNumber, useWritten } from './number-field.tsx'

/**
 * Reais and cents. The two places of the cents are filled in when one leaves the field: while one writes they would stand
 * behind the caret. What is typed replaces what is there: a click would leave the caret behind the cents, where no digit
 * has a place. All is selected at once, not a moment later, for one may be writing by then.
 */
export const MoneyInput = ({ value, onChange, onBlur, ...props }: NumberInputProps) => (
  <NumberInput
    prefix="R$ "
    thousandSeparator="."
    decimalSeparator=","
    decimalScale={2}
    allowNegative={false}
    // Trimmed, “250.50” is another value than before, and leaving the field a change.
    trimLeadingZeroesOnBlur={false}
    hideControls
    inputMode="decimal"
    onFocusCapture={(event) => event.currentTarget.select()}
    onMouseDown={(event) => {
      if (document.activeElement === event.currentTarget) return
      event.preventDefault()
      event.currentTarget.focus()
    }}
    onBeforeInput={writeSeparator}
    {...props}
    {...useWritten({ value: withCents(value), onChange, onBlur })}
  />
)

/** A point stands between thousands and comes by itself: “1.500” are no 1,50. A comma before all else is that of “0,50”. */
const writeSeparator: NumberInputProps['onBeforeInput'] = (event) => {
  const { value, selectionStart } = event.currentTarget
  const isFirst = event.data === ',' && !/\d/.test(value.slice(0, selectionStart ?? 0))
  if (event.data === '.' || isFirst) event.preventDefault()
  if (isFirst) document.execCommand('insertText', false, '0,')
}

const withCents = (value: NumberInputProps['value']) =>
  value !== '' && Number.isFinite(Number(value)) ? Number(value).toFixed(2) : value

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur'> & {
  cents: number
  onCents: (cents: number) => void
}
/** An amount in cents that is always there: emptied it is nothing. */
export const MoneyField = ({ cents, onCents, ...rest }: Props) => (
  <MoneyInput {...rest} value={cents / 100} onChange={toNumber((reais) => onCents(Math.round(reais * 100)), 0)} />
)
