import type { ActionKind } from '@balcao/contract/conversations/actions/index.ts'
import type { ShownPart } from '@balcao/contract/conversations/parts.ts'
import type { WriteOf } from '@balcao/contract/resource.ts'
import {
  type AutoReply,
  autoReplyHours,
  autoReplyHoursLabels,
  type autoReplyResource,
  autoReplyStartLabels,
  autoReplyStarts,
} from '@balcao/contract/service/auto-replies.ts'
import { Divider, MultiSelect, NumberInput, Select, Switch, TextInput, type TextInputProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { PartsField } from '../../../features/conversations/parts/parts-field.tsx'
import { ActionsField } from '../../../features/service/actions/actions-field.tsx'
import { KeywordsField } from '../../../features/service/auto-replies/keywords-field.tsx'

type Values = WriteOf<typeof autoReplyResource>
type Props = {
  form: UseFormReturnType<Values>
  rule: AutoReply | null
  rules: readonly AutoReply[]
  offered: readonly ActionKind[]
  nameInput: TextInputProps
}

const starts = autoReplyStarts.map((value) => ({ value, label: autoReplyStartLabels[value] }))
const hours = autoReplyHours.map((value) => ({ value, label: autoReplyHoursLabels[value] }))
const nothing = 'Nada encontrado.'

/** One rule: when it answers, what it says and does, and what keeps it from going too far. */
export const RuleFields = ({ form, rule, rules, offered, nameInput }: Props) => {
  const connections = useQuery(connectionList).data ?? []
  const { values, errors, setFieldValue: set, getInputProps: inputOf } = form
  const others = rules.filter(({ id }) => id !== rule?.id).map(({ id, name }) => ({ value: id, label: name }))
  const errorOf = (path: string) => errors[path]
  return (
    <>
      <TextInput {...nameInput} />
      <Switch label="Ativa" {...inputOf('isActive', { type: 'checkbox' })} />

      <Divider label="Quando responde" labelPosition="left" mt="xs" />
      <Select
        label="O que o cliente escreve"
        data={starts}
        allowDeselect={false}
        description={
          values.starts === 'any'
            ? 'Vale quando nenhuma resposta com palavras combina. Fora do horário, toma o lugar da mensagem de ausência.'
            : undefined
        }
        {...inputOf('starts')}
      />
      {values.starts === 'words' && (
        <KeywordsField words={values.keywords} onChange={(words) => set('keywords', words)} errorOf={errorOf} />
      )}
      <Select
        label="Logo depois de"
        description="Para as opções de um menu: vale só como resposta a ele, durante uma hora."
        placeholder="A qualquer momento"
        data={others}
        searchable
        clearable
        nothingFoundMessage={nothing}
        clearButtonProps={{ 'aria-label': 'A qualquer momento' }}
        {...inputOf('afterId')}
      />
      {values.starts !== 'chosen' && values.afterId === null && (
        <Switch
          label="Só no começo do atendimento"
          description="Enquanto ninguém, nem outra resposta, falou com o cliente neste atendimento."
          {...inputOf('isFirstOnly', { type: 'checkbox' })}
        />
      )}
      <Select label="Horário" data={hours} allowDeselect={false} {...inputOf('hours')} />
      <MultiSelect
        label="Canais"
        placeholder={values.connectionIds.length ? undefined : 'Todos'}
        data={connections.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        nothingFoundMessage={nothing}
        {...inputOf('connectionIds')}
      />

      <Divider label="O que responde" labelPosition="left" mt="xs" />
      <PartsField
        // The form keeps what the row has of each: the file beside its id.
        parts={values.parts as ShownPart[]}
        onChange={(parts) => set('parts', parts)}
        errorOf={errorOf}
      />
      <Divider label="O que faz depois" labelPosition="left" mt="xs" />
      <ActionsField
        steps={values.actions}
        onChange={(actions) => set('actions', actions)}
        offered={offered}
        errorOf={errorOf}
      />
      <Select
        label="Continua em"
        description="Em seguida, sem esperar o cliente: para voltar a um menu, por exemplo."
        placeholder="Em nenhuma"
        data={others}
        searchable
        clearable
        nothingFoundMessage={nothing}
        clearButtonProps={{ 'aria-label': 'Em nenhuma' }}
        {...inputOf('nextId')}
      />

      <Divider label="Cuidados" labelPosition="left" mt="xs" />
      <NumberInput
        label="Intervalo na mesma conversa (segundos)"
        description="Antes disso não responde de novo ao mesmo cliente."
        allowDecimal={false}
        min={5}
        max={86_400}
        {...inputOf('cooldownSeconds')}
      />
      <TextInput
        label="Celular de teste"
        description="Enquanto houver um número aqui, responde só a ele."
        placeholder="(11) 98765-4321"
        maxLength={40}
        {...inputOf('celularTeste')}
        value={values.celularTeste ?? ''}
        onChange={(event) => set('celularTeste', event.currentTarget.value || null)}
      />
    </>
  )
}
