import { Switch } from '@mantine/core'
import { NumberField } from '../../../../ui/number-field.tsx'
import { AccountSelect } from './account-select.tsx'
import type { FormProps } from './form-props.ts'
import { VariableName } from './variable-name.tsx'

export const AssistantForm = ({ data, onChange, errorOf }: FormProps<'assistant'>) => (
  <>
    <AccountSelect
      of="assistants"
      label="Assistente"
      description="Um dos assistentes publicados: modelo, Typebot, Dialogflow, n8n ou Dify. Ele sabe as variáveis do fluxo."
      nothingFoundMessage="Nenhum assistente. Crie um em Assistentes."
      value={data.assistantId}
      error={errorOf('assistantId')}
      onChange={(assistantId) => onChange({ assistantId })}
    />
    <Switch
      label="Responder já ao que o cliente disse"
      description="Desligado, ele espera a próxima mensagem."
      checked={data.now}
      onChange={(event) => onChange({ now: event.currentTarget.checked })}
    />
    <NumberField
      label="Seguir depois de quantas respostas"
      description="0: só quando ele terminar ou passar para a equipe. “menu”, “voltar” e “atendente” valem sempre."
      min={0}
      max={100}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      value={data.answers}
      error={errorOf('answers')}
      onChange={(answers) => onChange({ answers })}
    />
    <VariableName
      label="Guardar a última resposta em"
      description="O que um robô guarda também fica nas variáveis, pelo nome que tem nele."
      value={data.variable}
      error={errorOf('variable')}
      onChange={(variable) => onChange({ variable })}
    />
  </>
)
