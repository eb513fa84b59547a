import { TextInput } from '@mantine/core'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import type { FormProps } from './form-props.ts'

export const PixForm = ({ data, onChange, errorOf }: FormProps<'pix'>) => (
  <>
    <TextInput
      label="Chave Pix"
      maxLength={80}
      value={data.key}
      error={errorOf('key')}
      onChange={(event) => onChange({ key: event.currentTarget.value })}
    />
    <TextInput
      label="Quem recebe"
      description="Até 25 letras, como o banco mostra."
      maxLength={25}
      value={data.name}
      error={errorOf('name')}
      onChange={(event) => onChange({ name: event.currentTarget.value })}
    />
    <TextInput
      label="Cidade"
      maxLength={15}
      value={data.city}
      error={errorOf('city')}
      onChange={(event) => onChange({ city: event.currentTarget.value })}
    />
    <VariableTextarea
      label="Valor em reais"
      description="Um número ou uma conta com variáveis. Vazio: o cliente digita."
      placeholder="49,90"
      minRows={1}
      maxLength={200}
      value={data.amount}
      error={errorOf('amount')}
      onChange={(amount) => onChange({ amount })}
    />
    <TextInput
      label="Descrição"
      maxLength={60}
      value={data.description}
      error={errorOf('description')}
      onChange={(event) => onChange({ description: event.currentTarget.value })}
    />
    <VariableTextarea
      label="Mensagem antes do código"
      minRows={2}
      maxLength={1_000}
      value={data.body}
      error={errorOf('body')}
      onChange={(body) => onChange({ body })}
    />
  </>
)
