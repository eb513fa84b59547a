import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type PreChatAnswers, type PreChatField } from '../api.ts'
import type { Chat } from '../chat.ts'
import { say } from '../words.ts'
import { useChat } from './app.tsx'
import { hasKeyboard } from './composer.tsx'
import { OfflineNotice } from './message-list.tsx'
import { RichText } from './rich-text.tsx'

export const PreChatForm = ({ chat }: { chat: Chat }) => {
  const { config, offer, isOpen } = useChat(chat)
  const form = useRef<HTMLFormElement>(null)
  const fields = config?.preChat.fields ?? []
  const [answers, setAnswers] = useState<PreChatAnswers>({})
  const [problems, setProblems] = useState<PreChatAnswers>({})
  const [failure, setFailure] = useState('')
  const [isSaving, setSaving] = useState(false)

  useEffect(() => {
    const [field] = form.current?.elements ?? []
    const target = hasKeyboard() ? field : form.current?.closest('.chat')
    if (isOpen && !chat.isPreview && target instanceof HTMLElement) target.focus()
  }, [chat, isOpen])

  const handleSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const found: PreChatAnswers = {}
    for (const field of fields) {
      const problem = findProblem(field, answers[field.key] ?? '')
      if (problem) found[field.key] = problem
    }
    setProblems(found)
    setFailure('')
    const first = fields.findIndex(({ key }) => found[key])
    if (first >= 0) {
      document.getElementById(`field-${first}`)?.focus()
      return
    }
    setSaving(true)
    try {
      await chat.submitPreChat(answers)
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : say('saveFailed'))
      setSaving(false)
    }
  }

  return (
    <form ref={form} class="prechat" noValidate onSubmit={(event) => void handleSubmit(event)}>
      {config && !config.isOnline && <OfflineNotice text={config.offlineText} />}
      <p class="prechat-welcome">
        <RichText text={offer?.text || config?.welcome || say('introduce')} />
      </p>
      {fields.map((field, index) => (
        <Field
          key={field.key}
          id={`field-${index}`}
          field={field}
          answer={answers[field.key] ?? ''}
          problem={problems[field.key]}
          onChange={(answer) => setAnswers({ ...answers, [field.key]: answer })}
        />
      ))}
      {failure && (
        <p class="problem" role="alert">
          {failure}
        </p>
      )}
      <button type="submit" class="primary" disabled={isSaving}>
        {say(isSaving ? 'moment' : 'begin')}
      </button>
    </form>
  )
}

type FieldProps = {
  id: string
  field: PreChatField
  answer: string
  problem: string | undefined
  onChange: (answer: string) => void
}
const Field = ({ id, field, answer, problem, onChange }: FieldProps) => {
  const { type, label, required, options } = field
  const shared = {
    id,
    required,
    'aria-invalid': Boolean(problem),
    'aria-describedby': problem ? `${id}-problem` : undefined,
  }
  const optional = !required && <span class="optional"> {say('optional')}</span>
  const told = problem && (
    <p class="problem" id={`${id}-problem`}>
      {problem}
    </p>
  )
  if (type === 'consent')
    return (
      <div class="field">
        <label class="consent">
          <input
            {...shared}
            type="checkbox"
            checked={answer === 'true'}
            onChange={(event) => onChange(String(event.currentTarget.checked))}
          />
          <span>
            <RichText text={label} />
            {optional}
          </span>
        </label>
        {told}
      </div>
    )
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional}
      </label>
      {type === 'select' ? (
        <select {...shared} value={answer} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{say('choose')}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          {...INPUTS[type]}
          autocomplete={AUTOCOMPLETE[field.target]}
          maxLength={type === 'text' ? 500 : 200}
          value={answer}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {told}
    </div>
  )
}

const INPUTS = {
  text: { type: 'text', inputMode: 'text' },
  email: { type: 'email', inputMode: 'email' },
  phone: { type: 'tel', inputMode: 'tel' },
} as const
const AUTOCOMPLETE = { name: 'name', email: 'email', phone: 'tel', extra: undefined } as const

const findProblem = ({ type, required }: PreChatField, answer: string): string | undefined => {
  const text = answer.trim()
  if (type === 'consent') return required && text !== 'true' ? say('badConsent') : undefined
  if (!text) return required ? say('missing') : undefined
  if (type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return say('badEmail')
  const digits = text.replace(/\D/g, '').length
  return type === 'phone' && (digits < 10 || digits > 15) ? say('badPhone') : undefined
}
