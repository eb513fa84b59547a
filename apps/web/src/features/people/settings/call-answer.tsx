import { Textarea } from '@mantine/core'
import { writeSettings } from './api.ts'
import { unknownIn } from './closing-settings.tsx'
import { SettingRow } from './setting-row.tsx'
import type { Save } from './use-auto-save.ts'
import { useDraft } from './use-draft.ts'

type Props = { value: string; problem?: string; save: Save }

/** What whoever calls a number of the company, and is not answered, is told by every channel without words of its own. */
export const CallAnswer = ({ value, problem, save }: Props) => {
  const [text, setText] = useDraft(value, {
    isReady: (typed) => typed.length <= 1_000,
    onSave: (callRejectMessage) =>
      save({
        at: 'callRejectMessage',
        done: callRejectMessage ? 'Resposta salva.' : 'Resposta desligada.',
        patch: { callRejectMessage },
        write: writeSettings,
      }),
    delayMs: 1_500,
  })
  return (
    <SettingRow
      id="setting-callRejectMessage"
      label="Resposta a ligações"
      help="Enviada a quem liga e não é atendido. Aceita variáveis como {{primeiro_nome}}. Vazia: nada é enviado."
      problem={problem ?? unknownIn(text)}
      below
    >
      <Textarea
        id="setting-callRejectMessage"
        placeholder="Olá, {{primeiro_nome}}! Não atendemos ligações por aqui. Escreva a sua mensagem que respondemos."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </SettingRow>
  )
}
