import { Switch } from '@mantine/core'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import { RowSelect } from '../../../../features/service/actions/row-select.tsx'
import type { FormProps } from './form-props.ts'

export const HandOverForm = ({ data, onChange, errorOf }: FormProps<'handOver'>) => (
  <>
    <RowSelect
      names="queues"
      label="Fila"
      placeholder="A fila em que a conversa está"
      value={data.queueId}
      error={errorOf('queueId')}
      onChange={(queueId) => onChange({ queueId })}
    />
    <RowSelect
      names="people"
      label="Pessoa"
      placeholder="Quem estiver disponível"
      value={data.userId}
      error={errorOf('userId')}
      onChange={(userId) => onChange({ userId })}
    />
    <VariableTextarea
      label="O que o cliente lê"
      description="Vazio: a mensagem de boas-vindas das configurações do fluxo."
      minRows={2}
      maxLength={4_000}
      value={data.body}
      error={errorOf('body')}
      onChange={(body) => onChange({ body })}
    />
    <Switch
      label="Deixar um resumo para a equipe"
      description="Uma nota com o que foi perguntado e respondido."
      checked={data.summary}
      onChange={(event) => onChange({ summary: event.currentTarget.checked })}
    />
  </>
)
