import { StepSelect } from '../step-select.tsx'
import type { FormProps } from './form-props.ts'

export const JumpForm = ({ data, onChange, errorOf }: FormProps<'jump'>) => (
  <StepSelect label="Ir para" value={data.to} error={errorOf('to')} onChange={(to) => onChange({ to })} />
)
