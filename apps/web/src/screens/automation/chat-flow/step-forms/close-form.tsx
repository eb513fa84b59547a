import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { RowSelect } from '../../../../features/service/actions/row-select.tsx'
import type { FormProps } from './form-props.ts'

export const CloseForm = ({ data, onChange, errorOf }: FormProps<'close'>) => (
  <>
    <RowSelect
      names="reasons"
      label="Motivo"
      placeholder="Sem motivo"
      value={data.reasonId}
      error={errorOf('reasonId')}
      onChange={(reasonId) => onChange({ reasonId })}
    />
    <VariableTextarea
      label="O que o cliente lê"
      description="Vazio: a despedida das configurações do fluxo."
      minRows={2}
      maxLength={4_000}
      value={data.body}
      error={errorOf('body')}
      onChange={(body) => onChange({ body })}
    />
  </>
)
