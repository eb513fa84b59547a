import { TextInput, type TextInputProps } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { maskPhone } from './phone.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange'> & { value?: string | null; onChange?: (value: string) => void }

/** A telephone with its mask. The marks come while one types at the end; a correction in the middle moves nothing. */
export const PhoneInput = ({ value, onChange, onBlur, ...rest }: Props) => {
  const handleChange = ({ currentTarget: field }: ChangeEvent<HTMLInputElement>) => {
    const grows = field.value.length > (value ?? '').length && field.selectionStart === field.value.length
    onChange?.(grows ? maskPhone(field.value) : field.value)
  }
  return (
    <TextInput
      type="tel"
      inputMode="tel"
      autoComplete="off"
      placeholder="(11) 98765-4321"
      {...rest}
      value={value ?? ''}
      onChange={handleChange}
      onBlur={(event) => {
        if (value) onChange?.(maskPhone(value))
        onBlur?.(event)
      }}
    />
  )
}
