import { type KeyboardEvent, useEffect, useState } from 'react'
import classes from './editable-text.module.css'

type Props = {
  label: string
  value: string
  /** False: it was not saved, and what was typed stays. */
  onSave: (value: string) => Promise<boolean>
  placeholder?: string
  className?: string
  readOnly?: boolean
  required?: boolean
  /** Several lines; `wraps` shows a long single line whole. */
  multiline?: boolean
  wraps?: boolean
  maxLength?: number
}

/** Text that is its own field: click, change, leave. Escape brings back what was there; what is not saved stays, marked. */
export const EditableText = ({
  label,
  value,
  onSave,
  placeholder,
  className,
  readOnly,
  required,
  multiline,
  wraps,
  maxLength,
}: Props) => {
  const [text, setText] = useState(value)
  const [state, setState] = useState<'rest' | 'editing' | 'saving' | 'unsaved'>('rest')
  useEffect(() => {
    if (state === 'rest') setText(value)
  }, [value, state])

  const handleBlur = async () => {
    const next = text.trim()
    if (next === value || (required && !next)) return setState('rest')
    setState('saving')
    const isSaved = await onSave(next)
    setState((now) => (now === 'saving' ? (isSaved ? 'rest' : 'unsaved') : now))
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      const field = event.currentTarget
      setText(value)
      requestAnimationFrame(() => field.blur())
    } else if (event.key === 'Enter' && !multiline) {
      event.preventDefault()
      event.currentTarget.blur()
    }
  }
  const shared = {
    className: [classes.field, className].filter(Boolean).join(' '),
    'aria-label': label,
    'aria-invalid': state === 'unsaved' || undefined,
    title: state === 'unsaved' ? 'Ainda não foi salvo.' : undefined,
    placeholder,
    readOnly,
    maxLength,
    value: text,
    onFocus: () => setState('editing'),
    onBlur: () => void handleBlur(),
    onKeyDown: handleKey,
  }
  return multiline || wraps ? (
    <textarea {...shared} rows={multiline ? 2 : 1} onChange={(event) => setText(event.currentTarget.value)} />
  ) : (
    <input {...shared} type="text" onChange={(event) => setText(event.currentTarget.value)} />
  )
}
