import { Input, Textarea } from '@mantine/core'
import { formatNumber } from '../../../kit/format.ts'
import classes from './absence-message.module.css'
import { writeMessage } from './api.ts'
import { SettingSection } from './setting-row.tsx'
import type { Save } from './use-auto-save.ts'
import { useDraft } from './use-draft.ts'

type Props = { value: string; problem?: string; save: Save }

const most = 2_000

/** What a customer reads who writes while the company is closed. */
export const AbsenceMessage = ({ value, problem, save }: Props) => {
  const [text, setText] = useDraft(value, {
    isReady: (typed) => typed.length <= most,
    onSave: (typed) =>
      save({
        at: 'messageBusinessHours',
        done: typed ? 'Mensagem salva.' : 'Mensagem desligada.',
        patch: { messageBusinessHours: typed },
        write: writeMessage,
      }),
    delayMs: 1_500,
  })
  return (
    <SettingSection
      title="Mensagem fora do horário"
      note="Enviada uma vez por conversa a cada período fechado. O atendimento entra na fila do mesmo jeito."
    >
      <div className={classes.message}>
        <Textarea
          aria-label="Mensagem fora do horário"
          placeholder="Olá! Nosso atendimento é de segunda a sexta, das 8h às 18h. Respondemos assim que abrirmos."
          autosize
          minRows={3}
          maxRows={10}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={text.length > most && `Use no máximo ${formatNumber(most)} caracteres.`}
        />
        <p className={classes.foot}>
          <span>{text.trim() ? '' : 'Vazia: fora do horário o cliente não recebe resposta automática.'}</span>
          <span className="tabular">
            {formatNumber(text.length)} de {formatNumber(most)}
          </span>
        </p>
        {problem && <Input.Error role="alert">{problem}</Input.Error>}
      </div>
    </SettingSection>
  )
}
