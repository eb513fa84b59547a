import { NumberField } from '../../../../ui/number-field.tsx'
import type { FormProps } from './form-props.ts'

export const DelayForm = ({ data, onChange }: FormProps<'delay'>) => (
  <NumberField
    label="Segundos"
    description="O cliente vê “digitando”, onde o canal mostra."
    min={1}
    max={60}
    clampBehavior="strict"
    allowDecimal={false}
    value={data.seconds}
    onChange={(seconds) => onChange({ seconds })}
  />
)
