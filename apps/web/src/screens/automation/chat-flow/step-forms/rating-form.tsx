import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import type { FormProps } from './form-props.ts'

export const RatingForm = ({ data, onChange, errorOf }: FormProps<'rating'>) => (
  <VariableTextarea
    label="Pergunta"
    description="A nota é dada na escala de avaliações da empresa. Vazio: a pergunta dela."
    minRows={3}
    maxLength={4_000}
    value={data.body}
    error={errorOf('body')}
    onChange={(body) => onChange({ body })}
  />
)
