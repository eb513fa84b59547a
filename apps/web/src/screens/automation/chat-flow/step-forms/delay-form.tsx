import { NumberInput } from '@mantine/core'
import type { FormProps } from './form-props.ts'

export const DelayForm = ({ data, onChange }: FormProps<'delay'>) => (
  <NumberInput
    label="Segundos"
    description="O cliente vê “digitando”, onde o canal mostra."
    min={1}
    max={60}
    clampBehavior="strict"
    allowDecimal={false}
    value={data.seconds}
    onChange={(seconds) => typeof seconds === 'number' && seconds >= 1 && onChange({ seconds })}
  />
)
