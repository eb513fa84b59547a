import { isPageAmong } from '@balcao/contract/channels/page-address.ts'
import type { ProactiveMessage } from '@balcao/contract/channels/webchat-look.ts'
import { ActionIcon, Button, Select, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconEye, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { v4 } from 'uuid'
import { SettingSection } from '../../../../features/people/settings/setting-row.tsx'
import { NumberField } from '../../../../ui/number-field.tsx'
import classes from './webchat.module.css'
import type { Editing } from './webchat-screen.tsx'

type Props = Editing & { shownId: string | undefined; onShow: (id: string) => void }

/** What the site says first, where and when. The first one that fits is shown. */
export const ProactiveTab = ({ look, problems, set, shownId, onShow }: Props) => {
  const messages = look.proactive
  const change = (index: number, patch: Partial<ProactiveMessage>) =>
    set({ proactive: messages.map((message, n) => (n === index ? { ...message, ...patch } : message)) })
  const move = (index: number, by: -1 | 1) => {
    const [moved] = messages.slice(index, index + 1)
    if (moved) set({ proactive: messages.toSpliced(index, 1).toSpliced(index + by, 0, moved) })
  }
  const add = () => {
    const message = newMessage()
    set({ proactive: [...messages, message] })
    onShow(message.id)
  }
  return (
    <div className={classes.stack}>
      <SettingSection
        title="Mensagens proativas"
        note="Um balão ao lado do botão, para quem ainda não está conversando. Vale a primeira da lista que servir para a página. A mensagem só entra na conversa quando o visitante responde."
        actions={
          <Button
            variant="default"
            size="xs"
            disabled={messages.length >= 10}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            Adicionar mensagem
          </Button>
        }
      >
        <div className={classes.field}>
          {problems.proactive && (
            <Text c="red" size="sm" role="alert">
              {problems.proactive}
            </Text>
          )}
          {messages.length === 0 && <Text c="dimmed">Sem mensagens: o chat espera o visitante abrir.</Text>}
          <ol className={classes.list}>
            {messages.map((message, index) => (
              <li key={message.id} className={classes.item} aria-label={`Mensagem ${index + 1}`}>
                <div className={classes.itemHead}>
                  <Switch
                    label={`Mensagem ${index + 1}`}
                    checked={message.isActive}
                    onChange={(event) => change(index, { isActive: event.currentTarget.checked })}
                  />
                  <div>
                    <ActionIcon
                      aria-label={`Ver mensagem ${index + 1} na prévia`}
                      aria-pressed={message.id === (shownId ?? messages[0]?.id)}
                      onClick={() => onShow(message.id)}
                    >
                      <IconEye size={18} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Mover mensagem ${index + 1} para cima`}
                      disabled={index === 0}
                      onClick={() => move(index, -1)}
                    >
                      <IconArrowUp size={18} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Mover mensagem ${index + 1} para baixo`}
                      disabled={index === messages.length - 1}
                      onClick={() => move(index, 1)}
                    >
                      <IconArrowDown size={18} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Excluir mensagem ${index + 1}`}
                      onClick={() => set({ proactive: messages.toSpliced(index, 1) })}
                    >
                      <IconTrash size={18} />
                    </ActionIcon>
                  </div>
                </div>
                <MessageForm
                  message={message}
                  problemOf={(name) => problemUnder(problems, `proactive.${index}.${name}`)}
                  onChange={(patch) => change(index, patch)}
                />
              </li>
            ))}
          </ol>
        </div>
      </SettingSection>
      {messages.length > 0 && <TryOut messages={messages} />}
    </div>
  )
}

type FormProps = {
  message: ProactiveMessage
  problemOf: (name: string) => string | undefined
  onChange: (patch: Partial<ProactiveMessage>) => void
}
const MessageForm = ({ message, problemOf, onChange }: FormProps) => (
  <>
    <Textarea
      label="Texto"
      required
      autosize
      minRows={2}
      maxRows={5}
      maxLength={300}
      value={message.text}
      error={problemOf('text')}
      onChange={(event) => onChange({ text: event.currentTarget.value })}
    />
    <div className={classes.row}>
      <TextInput
        label="Em inglês"
        maxLength={300}
        placeholder={message.text}
        value={message.texts.en}
        onChange={(event) => onChange({ texts: { ...message.texts, en: event.currentTarget.value } })}
      />
      <TextInput
        label="Em espanhol"
        maxLength={300}
        placeholder={message.text}
        value={message.texts.es}
        onChange={(event) => onChange({ texts: { ...message.texts, es: event.currentTarget.value } })}
      />
    </div>
    <TagsInput
      label="Páginas"
      description="Enter depois de cada uma: /planos, /produto/* ou loja.com.br/ajuda. Vazio: todas."
      maxTags={20}
      acceptValueOnBlur
      value={message.addresses}
      error={problemOf('addresses')}
      onChange={(addresses) => onChange({ addresses })}
    />
    <div className={classes.facts}>
      <NumberField
        label="Segundos na página"
        min={0}
        max={3600}
        allowDecimal={false}
        clampBehavior="strict"
        value={message.afterS}
        error={problemOf('afterS')}
        onChange={(afterS) => onChange({ afterS })}
      />
      <NumberField
        label="Rolagem mínima (%)"
        min={0}
        max={100}
        allowDecimal={false}
        clampBehavior="strict"
        value={message.scrollPercent}
        error={problemOf('scrollPercent')}
        onChange={(scrollPercent) => onChange({ scrollPercent })}
      />
      <Select
        label="Repetir"
        allowDeselect={false}
        value={message.repeat}
        onChange={(repeat) => repeat && onChange({ repeat: repeat as ProactiveMessage['repeat'] })} // one of the list below
        data={[
          { value: 'once', label: 'Uma vez por visitante' },
          { value: 'session', label: 'Uma vez por visita' },
          { value: 'always', label: 'Em toda página' },
        ]}
      />
    </div>
    <Switch
      label="Só dentro do horário de atendimento"
      checked={message.onlyOpen}
      onChange={(event) => onChange({ onlyOpen: event.currentTarget.checked })}
    />
  </>
)

/** Which message a page would show, in words: the same rules as on the site. */
const TryOut = ({ messages }: { messages: ProactiveMessage[] }) => {
  const [address, setAddress] = useState('')
  return (
    <SettingSection title="Experimentar um endereço" note="Cole o endereço de uma página do seu site.">
      <div className={classes.field}>
        <TextInput
          label="Endereço da página"
          type="url"
          placeholder="https://www.loja.com.br/planos"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Text size="sm" mt="xs" role="status">
          {address && verdictOf(messages, address.trim())}
        </Text>
      </div>
    </SettingSection>
  )
}

const verdictOf = (messages: ProactiveMessage[], typed: string): string => {
  const address = /^https?:\/\//.test(typed) ? typed : `https://${typed}`
  if (!URL.canParse(address)) return 'Informe o endereço inteiro, como https://www.loja.com.br/planos.'
  const found = messages.flatMap((message, index) =>
    message.isActive && isPageAmong(message.addresses, address) ? [{ message, number: index + 1 }] : [],
  )
  if (found.length === 0) return 'Nenhuma mensagem ativa serve para esta página.'
  return found.map(({ message, number }) => `Mensagem ${number}: ${conditionsOf(message)}.`).join(' ')
}

const conditionsOf = ({ afterS, scrollPercent, onlyOpen }: ProactiveMessage): string =>
  [
    afterS > 0 ? `depois de ${afterS} s` : 'ao entrar',
    scrollPercent > 0 && `com ${scrollPercent}% da página rolada`,
    onlyOpen && 'dentro do horário',
  ]
    .filter(Boolean)
    .join(', ')

/** Of a list, the problem of any of it stands under the field. */
const problemUnder = (problems: Record<string, string>, path: string) =>
  problems[path] ?? Object.entries(problems).find(([name]) => name.startsWith(`${path}.`))?.[1]

const newMessage = (): ProactiveMessage => ({
  id: v4(),
  isActive: true,
  text: '',
  texts: { en: '', es: '' },
  addresses: [],
  afterS: 10,
  scrollPercent: 0,
  repeat: 'once',
  onlyOpen: false,
})
