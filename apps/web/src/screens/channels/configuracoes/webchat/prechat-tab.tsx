import {
  type PreChatField,
  type PreChatTarget,
  type PreChatType,
  preChatTypeLabels,
} from '@balcao/contract/channels/webchat-look.ts'
import { ActionIcon, Button, Select, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { SettingSection } from '../../../../features/people/settings/setting-row.tsx'
import classes from './webchat.module.css'
import type { Editing } from './webchat-screen.tsx'

/** What the visitor is asked before writing. Whoever the site signed for is asked nothing. */
export const PreChatTab = ({ look, problems, set }: Editing) => {
  const fields = look.preChat
  const change = (index: number, patch: Partial<PreChatField>) =>
    set({ preChat: fields.map((field, n) => (n === index ? { ...field, ...patch } : field)) })
  const move = (index: number, by: -1 | 1) => {
    const next = fields.toSpliced(index, 1)
    const [moved] = fields.slice(index, index + 1)
    if (moved) set({ preChat: next.toSpliced(index + by, 0, moved) })
  }
  return (
    <SettingSection
      title="Perguntas"
      note="Respondidas uma vez por navegador. Quem o seu site já identificou não responde."
      actions={
        <Button
          variant="default"
          size="xs"
          disabled={fields.length >= 10}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set({ preChat: [...fields, newField(fields)] })}
        >
          Adicionar pergunta
        </Button>
      }
    >
      <div className={classes.field}>
        {problems.preChat && (
          <Text c="red" size="sm" role="alert">
            {problems.preChat}
          </Text>
        )}
        {fields.length === 0 && <Text c="dimmed">Sem perguntas: o visitante já começa escrevendo.</Text>}
        <ol className={classes.list}>
          {fields.map((field, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its key is being typed, and its place is all that stays
            <li key={index} className={classes.item} aria-label={`Pergunta ${index + 1}`}>
              <div className={classes.itemHead}>
                <Text fw={600}>{field.label || 'Nova pergunta'}</Text>
                <div>
                  <ActionIcon aria-label="Mover para cima" disabled={index === 0} onClick={() => move(index, -1)}>
                    <IconArrowUp size={18} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label="Mover para baixo"
                    disabled={index === fields.length - 1}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={18} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Excluir pergunta ${index + 1}`}
                    onClick={() => set({ preChat: fields.toSpliced(index, 1) })}
                  >
                    <IconTrash size={18} />
                  </ActionIcon>
                </div>
              </div>
              <FieldForm
                field={field}
                problemOf={(name) => problems[`preChat.${index}.${name}`]}
                onChange={(patch) => change(index, patch)}
              />
            </li>
          ))}
        </ol>
      </div>
    </SettingSection>
  )
}

type FieldProps = {
  field: PreChatField
  problemOf: (name: string) => string | undefined
  onChange: (patch: Partial<PreChatField>) => void
}
const FieldForm = ({ field, problemOf, onChange }: FieldProps) => (
  <>
    <div className={classes.row}>
      <TextInput
        label="Pergunta"
        required
        maxLength={200}
        value={field.label}
        error={problemOf('label')}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <Select
        label="Resposta"
        allowDeselect={false}
        value={field.type}
        error={problemOf('type')}
        data={Object.entries(preChatTypeLabels).map(([value, label]) => ({ value, label }))}
        onChange={(type) => type && onChange(typed(field, type as PreChatType))} // one of the list above
      />
    </div>
    <div className={classes.row}>
      <TextInput
        label="Em inglês"
        maxLength={200}
        placeholder={field.label}
        value={field.labels.en}
        onChange={(event) => onChange({ labels: { ...field.labels, en: event.currentTarget.value } })}
      />
      <TextInput
        label="Em espanhol"
        maxLength={200}
        placeholder={field.label}
        value={field.labels.es}
        onChange={(event) => onChange({ labels: { ...field.labels, es: event.currentTarget.value } })}
      />
    </div>
    {field.type === 'select' && (
      <TagsInput
        label="Opções"
        description="Enter depois de cada uma."
        maxTags={30}
        value={field.options}
        error={problemOf('options')}
        onChange={(options) => onChange({ options })}
      />
    )}
    <div className={classes.row}>
      {field.type === 'consent' ? (
        <Select
          label="O que o aceite autoriza"
          allowDeselect={false}
          value={field.purpose}
          data={[
            { value: 'none', label: 'Nada: fica como resposta' },
            { value: 'marketing', label: 'Campanhas e promoções' },
            { value: 'research', label: 'Pedidos de avaliação' },
          ]}
          onChange={(purpose) => purpose && onChange({ purpose: purpose as PreChatField['purpose'] })} // as above
        />
      ) : (
        <Select
          label="Onde guardar"
          allowDeselect={false}
          value={field.target}
          data={targetsOf(field.type)}
          onChange={(target) => target && onChange({ target: target as PreChatTarget })} // as above
        />
      )}
      {(field.target === 'extra' || field.type === 'consent') && (
        <TextInput
          label="Chave no contato"
          description="A de um campo personalizado, ou outra: fica nas informações do contato."
          required
          maxLength={60}
          value={field.key}
          error={problemOf('key')}
          onChange={(event) => onChange({ key: event.currentTarget.value })}
        />
      )}
    </div>
    <Switch
      label="Obrigatória"
      checked={field.required}
      onChange={(event) => onChange({ required: event.currentTarget.checked })}
    />
  </>
)

const newField = (fields: PreChatField[]): PreChatField => {
  const isNamed = fields.some(({ target }) => target === 'name')
  const keys = new Set(fields.map(({ key }) => key))
  let number = fields.length + 1
  while (keys.has(`pergunta-${number}`)) number += 1
  return {
    key: isNamed ? `pergunta-${number}` : 'nome',
    label: isNamed ? '' : 'Seu nome',
    labels: isNamed ? { en: '', es: '' } : { en: 'Your name', es: 'Tu nombre' },
    type: 'text',
    target: isNamed ? 'extra' : 'name',
    required: true,
    options: [],
    purpose: 'none',
  }
}

const typed = (field: PreChatField, type: PreChatType): Partial<PreChatField> => ({
  type,
  target: type === 'email' ? 'email' : type === 'phone' ? 'phone' : 'extra',
  required: type === 'consent' ? false : field.required,
  purpose: 'none',
})

const targetsOf = (type: PreChatType) => [
  ...(type === 'text' ? [{ value: 'name', label: 'Nome do contato' }] : []),
  ...(type === 'email' ? [{ value: 'email', label: 'E-mail do contato' }] : []),
  ...(type === 'phone' ? [{ value: 'phone', label: 'Telefone informado no chat' }] : []),
  { value: 'extra', label: 'Outra informação do contato' },
]
