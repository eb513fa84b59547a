import { answerKinds, savedFields } from '@balcao/contract/automation/flows/graph.ts'
import { Select } from '@mantine/core'
import { answerLabels, savedLabels } from '../../../../features/automation/flows/words.ts'
import { VariableTextarea } from '../../../../features/contacts/variables/variable-textarea.tsx'
import type { FormProps } from './form-props.ts'
import { VariableName } from './variable-name.tsx'

export const AskForm = ({ data, onChange, errorOf }: FormProps<'ask'>) => (
  <>
    <VariableTextarea
      label="Pergunta"
      minRows={3}
      maxLength={4_000}
      value={data.body}
      error={errorOf('body')}
      onChange={(body) => onChange({ body })}
    />
    <Select
      label="Que resposta vale"
      data={choicesOf(answerKinds, answerLabels)}
      allowDeselect={false}
      value={data.as}
      onChange={(as) => onChange({ as: as as typeof data.as })} // one of those offered
    />
    <VariableName
      label="Guardar a resposta em"
      description={
        data.as === 'file'
          ? 'O código da mensagem com o arquivo, para outros sistemas. Quem assume vê o arquivo na conversa.'
          : 'Depois use como {{var.nome}}.'
      }
      value={data.variable}
      error={errorOf('variable')}
      onChange={(variable) => onChange({ variable })}
    />
    <Select
      label="Guardar também no contato"
      placeholder="Não guardar"
      clearable
      clearButtonProps={{ 'aria-label': 'Não guardar' }}
      data={choicesOf(savedFields, savedLabels)}
      value={data.saveTo}
      error={errorOf('saveTo')}
      onChange={(field) => onChange({ saveTo: field as typeof data.saveTo })} // one of those offered
    />
    <VariableTextarea
      label="Quando a resposta não vale"
      description="Vazio: uma frase própria de cada tipo."
      minRows={2}
      maxLength={1_000}
      value={data.invalid}
      error={errorOf('invalid')}
      onChange={(invalid) => onChange({ invalid })}
    />
  </>
)

const choicesOf = <Key extends string>(keys: readonly Key[], labels: Record<Key, string>) =>
  keys.map((value) => ({ value, label: labels[value] }))
