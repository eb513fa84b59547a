import { signatureVariables } from '@balcao/contract/conversations/mail-signature.ts'
import { Button, Group, Input, Textarea } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { UserText } from '../../../ui/user-text.tsx'
import { MarkButtons } from './mark-buttons.tsx'
import { type Mark, marked, marks } from './marks.ts'
import classes from './signature-field.module.css'

type Props = {
  label: string
  description: string
  error?: ReactNode
  value?: string
  onChange: (next: string) => void
}

/** A signature of e-mails: written as e-mails are, and shown as it will look. */
export const SignatureField = ({ label, description, error, value = '', onChange }: Props) => {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const put = (piece: string, at: { start: number; end: number }, selected: { start: number; end: number }) => {
    flushSync(() => onChange(value.slice(0, at.start) + piece + value.slice(at.end)))
    field.current?.focus()
    field.current?.setSelectionRange(selected.start, selected.end)
  }
  const selection = () => ({ start: field.current?.selectionStart ?? 0, end: field.current?.selectionEnd ?? 0 })
  const handleMark = (mark: Mark) => {
    const { piece, selected, ...at } = marked(value, selection(), mark)
    put(piece, at, selected)
  }
  const handleVariable = (name: string) => {
    const at = selection()
    const end = at.start + name.length + 4
    put(`{{${name}}}`, at, { start: end, end })
  }
  const handleKey = (event: KeyboardEvent) => {
    const mark = (event.ctrlKey || event.metaKey) && marks.find(({ key }) => key === event.key.toUpperCase())
    if (!mark) return
    event.preventDefault()
    handleMark(mark.mark)
  }
  return (
    <Input.Wrapper w="100%" id={id} label={label} description={description} error={error}>
      <div className={classes.bar}>
        <MarkButtons onMark={handleMark} />
        <Group gap={4}>
          {signatureVariables.map(({ name, label: meaning }) => (
            <Button
              key={name}
              variant="subtle"
              size="compact-sm"
              title={meaning}
              aria-label={`Inserir ${meaning.toLowerCase()}`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => handleVariable(name)}
            >
              {`{{${name}}}`}
            </Button>
          ))}
        </Group>
      </div>
      <Textarea
        id={id}
        ref={field}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={1_000}
        placeholder={'*{{atendente}}*\n{{fila}} · {{empresa}}'}
        value={value}
        error={Boolean(error)}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      {value.trim() && (
        <div className={classes.preview} role="note" aria-label="Como fica">
          <UserText text={value} />
        </div>
      )}
    </Input.Wrapper>
  )
}
