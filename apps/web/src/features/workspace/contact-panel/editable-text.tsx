import { type KeyboardEvent, useEffect, useState } from 'react'
import classes from './editable-text.module.css'

type Props = {
  label: string
  value: string
  onSave: (value: string) => void | Promise<void>
  placeholder?: string
  className?: string
  readOnly?: boolean
  required?: boolean
  /** Several lines; `wraps` shows a long single line whole. */
  multiline?: boolean
  wraps?: boolean
  maxLength?: number
}

/** Text that is its own field: click, change, leave. Escape brings back what was there. */
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
  const [isEditing, setEditing] = useState(false)
  useEffect(() => {
    if (!isEditing) setText(value)
  }, [value, isEditing])

  const handleBlur = () => {
    setEditing(false)
    const next = text.trim()
    if (next === value || (required && !next)) return setText(value)
    void onSave(next)
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
    placeholder,
    readOnly,
    maxLength,
    value: text,
    onFocus: () => setEditing(true),
    onBlur: handleBlur,
    onKeyDown: handleKey,
  }
  return multiline || wraps ? (
    <textarea {...shared} rows={multiline ? 2 : 1} onChange={(event) => setText(event.currentTarget.value)} />
  ) : (
    <input {...shared} type="text" onChange={(event) => setText(event.currentTarget.value)} />
  )
}
