import { type ContactField, valueProblem } from '@balcao/contract/contacts/contact-fields.ts'
import { useEffect, useState } from 'react'
import { FieldInput } from '../../contacts/contacts/field-input.tsx'
import { EditableText } from './editable-text.tsx'

type Props = {
  field: Pick<ContactField, 'name' | 'type'> & { options: readonly string[] }
  value: string
  readOnly: boolean
  /** False: it was not saved. */
  onSave: (value: string) => Promise<boolean>
}

/** A company's own field in place: text is written, the other types are chosen; only what fits is saved. */
export const EditableValue = ({ field, value, readOnly, onSave }: Props) => {
  const [text, setText] = useState(value)
  const [isUnsaved, setUnsaved] = useState(false)
  useEffect(() => {
    setText(value)
    setUnsaved(false)
  }, [value])
  const save = async (next: string) => setUnsaved(!(await onSave(next)))
  if (field.type === 'text')
    return (
      <EditableText
        label={field.name}
        value={value}
        placeholder="Não informado"
        readOnly={readOnly}
        maxLength={500}
        onSave={onSave}
      />
    )
  const isChosen = field.type === 'list' || field.type === 'boolean'
  const handleLeave = () => {
    const next = text.trim()
    if (next !== value && !valueProblem(field, next)) void save(next)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys and the leaving are the field's inside
    <div
      onBlur={isChosen ? undefined : handleLeave}
      onKeyDown={(event) => {
        if (isChosen) return
        if (event.key === 'Enter') handleLeave()
        if (event.key !== 'Escape' || text === value) return
        event.stopPropagation()
        setText(value)
      }}
    >
      <FieldInput
        compact
        field={field}
        value={text}
        disabled={readOnly}
        error={isUnsaved && text !== value ? 'Ainda não foi salvo.' : undefined}
        onChange={(next) => {
          setText(next)
          if (isChosen) void save(next)
        }}
      />
    </div>
  )
}
