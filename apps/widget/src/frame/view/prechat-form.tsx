import { useState } from 'preact/hooks'
import { ApiError, type PreChatAnswers, type PreChatField } from '../api.ts'
import type { Chat } from '../chat.ts'
import { useChat } from './app.tsx'
import { OfflineNotice } from './message-list.tsx'
import { RichText } from './rich-text.tsx'

const INPUTS = {
  name: { type: 'text', autocomplete: 'name', inputMode: 'text' },
  email: { type: 'email', autocomplete: 'email', inputMode: 'email' },
  phone: { type: 'tel', autocomplete: 'tel', inputMode: 'tel' },
} as const

export const PreChatForm = ({ chat }: { chat: Chat }) => {
  const { config } = useChat(chat)
  const fields = chat.missingPreChatFields()
  const [answers, setAnswers] = useState<PreChatAnswers>({})
  const [problems, setProblems] = useState<PreChatAnswers>({})
  const [failure, setFailure] = useState('')
  const [isSaving, setSaving] = useState(false)

  const handleSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const found: PreChatAnswers = {}
    for (const field of fields) {
      const problem = findProblem(field, answers[field.key] ?? '')
      if (problem) found[field.key] = problem
    }
    setProblems(found)
    setFailure('')
    const first = fields.find((field) => found[field.key])
    if (first) {
      document.getElementById(`field-${first.key}`)?.focus()
      return
    }
    setSaving(true)
    try {
      await chat.submitPreChat(trimmed(answers))
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : 'Não conseguimos salvar. Tente de novo.')
      setSaving(false)
    }
  }

  return (
    <form class="prechat" noValidate onSubmit={(event) => void handleSubmit(event)}>
      {config && !config.isOnline && <OfflineNotice text={config.offlineText} />}
      <p class="prechat-welcome">
        <RichText text={config?.welcome || 'Antes de começar, conte quem é você.'} />
      </p>
      {fields.map(({ key, label, required }) => (
        <div class="field" key={key}>
          <label for={`field-${key}`}>
            {label}
            {!required && <span class="optional"> (opcional)</span>}
          </label>
          <input
            {...INPUTS[key]}
            id={`field-${key}`}
            required={required}
            maxLength={200}
            value={answers[key] ?? ''}
            aria-invalid={Boolean(problems[key])}
            aria-describedby={problems[key] ? `problem-${key}` : undefined}
            onInput={(event) => setAnswers({ ...answers, [key]: event.currentTarget.value })}
          />
          {problems[key] && (
            <p class="problem" id={`problem-${key}`}>
              {problems[key]}
            </p>
          )}
        </div>
      ))}
      {failure && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      <button type="submit" class="primary" disabled={isSaving}>
        {isSaving ? 'Um instante…' : 'Começar conversa'}
      </button>
    </form>
  )
}

const findProblem = ({ key, required }: PreChatField, answer: string): string | undefined => {
  const text = answer.trim()
  if (!text) return required ? 'Preencha este campo.' : undefined
  if (key === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    return 'Confira o e-mail. Exemplo: ana@empresa.com.br'
  const digits = text.replace(/\D/g, '').length
  if (key === 'phone' && (digits < 10 || digits > 15)) return 'Confira o telefone com DDD. Exemplo: (11) 91234-5678'
  return undefined
}

const trimmed = ({ name, email, phone }: PreChatAnswers): PreChatAnswers => ({
  name: name?.trim() || undefined,
  email: email?.trim() || undefined,
  phone: phone?.trim() || undefined,
})
