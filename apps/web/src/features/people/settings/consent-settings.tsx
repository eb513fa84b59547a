import { plainWord, wordOfBoth } from '@balcao/contract/contacts/consent.ts'
import type { SettingsAnswer } from '@balcao/contract/people/settings.ts'
import { TagsInput, Textarea } from '@mantine/core'
import { type Patch, writeSettings } from './api.ts'
import { unknownIn } from './closing-settings.tsx'
import { SettingRow, SettingSection } from './setting-row.tsx'
import type { Save } from './use-auto-save.ts'
import { useDraft } from './use-draft.ts'

type Props = { settings: SettingsAnswer; problems: Record<string, string>; save: Save }
type Words = 'stopWords' | 'startWords'
type Answer = 'stopAnswer' | 'startAnswer'

/** By which words a customer stops and starts receiving campaigns, and what each is answered. */
export const ConsentSettings = (props: Props) => (
  <>
    <SettingSection title="Para sair">
      <WordsSetting
        {...props}
        name="stopWords"
        label="Palavras para sair"
        help="O pedido vale quando a mensagem inteira é uma delas, sem importar acentos, maiúsculas e pontuação. O botão “Parar promoções” do WhatsApp também conta."
      />
      <AnswerSetting
        {...props}
        name="stopAnswer"
        label="Resposta a quem sai"
        help="Enviada uma vez. Aceita variáveis como {{primeiro_nome}}. Vazia: anota o pedido e não responde."
      />
    </SettingSection>
    <SettingSection title="Para voltar">
      <WordsSetting
        {...props}
        name="startWords"
        label="Palavras para voltar"
        help="Com uma delas o cliente volta a receber campanhas e pesquisas."
      />
      <AnswerSetting
        {...props}
        name="startAnswer"
        label="Resposta a quem volta"
        help="Enviada uma vez. Vazia: não responde."
      />
    </SettingSection>
  </>
)

type Named<Name> = Props & { name: Name; label: string; help: string }

const WordsSetting = ({ settings, problems, save, name, label, help }: Named<Words>) => {
  const write = (patch: Patch) => save({ at: name, done: 'Palavras salvas.', patch, write: writeSettings })
  const both = (words: string[]) => wordOfBoth({ ...settings, [name]: words })
  const isRight = (words: string[]) =>
    (name === 'startWords' || words.length > 0) && words.every(plainWord) && both(words) === undefined
  const [words, setWords] = useDraft(settings[name], { isReady: isRight, onSave: (next) => write({ [name]: next }) })
  const closing = settings.closeKeywords.map(plainWord)
  const taken = words.find((word) => closing.includes(plainWord(word)))
  return (
    <SettingRow
      id={`setting-${name}`}
      label={label}
      help={
        taken
          ? `${help} “${taken}” também encerra a conversa: ali ela só encerra, e o pedido para sair não conta.`
          : help
      }
      problem={problems[name] ?? problemOf(words, name, both(words))}
      below
    >
      <TagsInput
        id={`setting-${name}`}
        placeholder={words.length ? undefined : 'Digite uma palavra e tecle Enter'}
        maxTags={50}
        splitChars={[',', ';']}
        isDuplicate={(word, now) => now.some((one) => plainWord(one) === plainWord(word))}
        value={words}
        onChange={(next) => setWords(next.map((word) => word.trim().slice(0, 40)).filter(Boolean))}
      />
    </SettingRow>
  )
}
const problemOf = (words: string[], name: Words, both: string | undefined) => {
  if (name === 'stopWords' && !words.length) return 'Deixe ao menos uma palavra para sair.'
  const odd = words.find((word) => !plainWord(word))
  if (odd) return `“${odd}” não tem letras nem números.`
  return both && `“${both}” está nas duas listas. Tire de uma delas.`
}

const AnswerSetting = ({ settings, problems, save, name, label, help }: Named<Answer>) => {
  const [text, setText] = useDraft(settings[name], {
    isReady: (now) => now.length <= 1_000,
    onSave: (next) => save({ at: name, done: 'Resposta salva.', patch: { [name]: next }, write: writeSettings }),
    delayMs: 1_500,
  })
  return (
    <SettingRow id={`setting-${name}`} label={label} help={help} problem={problems[name] ?? unknownIn(text)} below>
      <Textarea
        id={`setting-${name}`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </SettingRow>
  )
}
