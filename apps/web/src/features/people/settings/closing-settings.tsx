import type { SettingsAnswer } from '@balcao/contract/people/settings.ts'
import { unknownVariables } from '@balcao/contract/variables.ts'
import { TagsInput, Textarea } from '@mantine/core'
import { NumberField } from '../../../ui/number-field.tsx'
import { type Patch, writeSettings } from './api.ts'
import { MinutesSetting } from './minutes-setting.tsx'
import { SettingRow, SettingSection } from './setting-row.tsx'
import classes from './settings.module.css'
import type { Save } from './use-auto-save.ts'
import { useDraft } from './use-draft.ts'

type Props = { settings: SettingsAnswer; problems: Record<string, string>; save: Save }
const isWritten = () => true

const spans = [
  { value: 10, label: '10 minutos' },
  { value: 60, label: '1 hora' },
  { value: 1_440, label: '1 dia' },
  { value: 7_200, label: '5 dias' },
  { value: 14_400, label: '10 dias' },
]

/** What goes with the switches of closing: how long, what is said, and by which words a customer closes. */
export const ClosingSettings = ({ settings, problems, save }: Props) => {
  const write = (patch: Patch, done: string) =>
    save({ at: Object.keys(patch)[0] ?? '', done, patch, write: writeSettings })
  const [minutes, setMinutes] = useDraft(settings.autoCloseTime, {
    isReady: isWritten,
    onSave: (autoCloseTime) => write({ autoCloseTime }, 'Tempo salvo.'),
  })
  const [message, setMessage] = useDraft(settings.autoCloseMessage, {
    isReady: (text) => text.length <= 2_000,
    onSave: (autoCloseMessage) => write({ autoCloseMessage }, 'Mensagem salva.'),
    delayMs: 1_500,
  })
  const [words, setWords] = useDraft(settings.closeKeywords, {
    isReady: isWritten,
    onSave: (closeKeywords) => write({ closeKeywords }, 'Palavras salvas.'),
  })
  return (
    <>
      <MinutesSetting
        id="setting-autoCloseTime"
        label="Encerrar depois de"
        help="Contado da última mensagem nossa. Quem espera pela nossa resposta nunca é encerrado, nem quem está em pausa."
        presets={spans}
        min={5}
        max={43_200}
        value={minutes}
        problem={problems.autoCloseTime}
        onChange={setMinutes}
      />
      <SettingRow
        id="setting-autoCloseMessage"
        label="Mensagem ao encerrar conversas paradas"
        help="Aceita variáveis como {{primeiro_nome}} e {{protocol}}. Vazia: encerra sem avisar."
        problem={problems.autoCloseMessage ?? unknownIn(message)}
        below
      >
        <Textarea
          id="setting-autoCloseMessage"
          placeholder="Olá, {{primeiro_nome}}! Como não tivemos resposta, encerramos este atendimento. É só escrever para falar com a gente de novo."
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2_000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      </SettingRow>
      <SettingRow
        id="setting-closeKeywords"
        label="Palavras de encerramento"
        help="O cliente encerra quando a mensagem inteira é uma delas, sem importar acentos e maiúsculas."
        problem={problems.closeKeywords}
        below
      >
        <TagsInput
          id="setting-closeKeywords"
          placeholder={words.length ? undefined : 'Digite uma palavra e tecle Enter'}
          maxTags={20}
          splitChars={[',', ';']}
          isDuplicate={(word, now) => now.some((one) => one.toLowerCase() === word.toLowerCase())}
          clearable
          clearButtonProps={{ 'aria-label': 'Remover todas' }}
          value={words}
          onChange={(next) => setWords(next.map((word) => word.trim().slice(0, 40)).filter(Boolean))}
        />
      </SettingRow>
    </>
  )
}

/** What the customer is told with a protocol, and how long its page stays open. */
export const ProtocolSettings = ({ settings, problems, save }: Props) => {
  const write = (patch: Patch, done: string) =>
    save({ at: Object.keys(patch)[0] ?? '', done, patch, write: writeSettings })
  const [message, setMessage] = useDraft(settings.protocolMessage, {
    isReady: (text) => text.length <= 1_000,
    onSave: (protocolMessage) => write({ protocolMessage }, 'Mensagem salva.'),
    delayMs: 1_500,
  })
  const [days, setDays] = useDraft(settings.protocolLinkDays, {
    isReady: isWritten,
    onSave: (protocolLinkDays) => write({ protocolLinkDays }, 'Validade salva.'),
  })
  return (
    <SettingSection title="Protocolo">
      <SettingRow
        id="setting-protocolMessage"
        label="Mensagem com o protocolo"
        help="Enviada pelo botão “Protocolo” da conversa. {{protocol}} é o número; {{link}}, a página em que o cliente acompanha."
        problem={problems.protocolMessage ?? unknownIn(message.replaceAll(/\{\{\s*link\s*\}\}/g, ''))}
        below
      >
        <Textarea
          id="setting-protocolMessage"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1_000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      </SettingRow>
      <SettingRow
        id="setting-protocolLinkDays"
        label="Validade do link"
        help="Depois disso a página do protocolo deixa de abrir. Vale para os links criados daqui em diante."
        problem={problems.protocolLinkDays}
      >
        <NumberField
          id="setting-protocolLinkDays"
          className={classes.days}
          min={1}
          max={365}
          clampBehavior="strict"
          allowDecimal={false}
          suffix={days === 1 ? ' dia' : ' dias'}
          value={days}
          onChange={setDays}
        />
      </SettingRow>
    </SettingSection>
  )
}

export const unknownIn = (text: string) => {
  const [unknown] = unknownVariables(text)
  return unknown && `A variável {{${unknown}}} não existe: o cliente receberia um espaço vazio.`
}
