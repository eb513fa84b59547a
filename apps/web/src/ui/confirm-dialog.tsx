import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'

type Props = {
  opened: boolean
  title: string
  children?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'normal'
  /** Ask to type this before the button works: for what cannot be undone and hurts. */
  typed?: string
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** A question with two verbs. */
export const ConfirmDialog = (props: Props) => (
  <Modal
    opened={props.opened}
    onClose={props.onClose}
    title={<Text fw={600}>{props.title}</Text>}
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    <Question {...props} />
  </Modal>
)

const Question = ({
  children,
  confirmLabel,
  cancelLabel = 'Cancelar',
  tone = 'normal',
  typed,
  busy,
  onConfirm,
  onClose,
}: Props) => {
  const [text, setText] = useState('')
  const ready = !typed || text.trim() === typed
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (ready) onConfirm()
  }
  return (
    <form onSubmit={handleSubmit}>
      <Text c="dimmed" component="div">
        {children}
      </Text>
      {typed && (
        <TextInput
          mt="md"
          label={`Para confirmar, digite ${typed}`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus={(!typed && tone === 'danger') || undefined}>
          {cancelLabel}
        </Button>
        <Button
          type="submit"
          color={tone === 'danger' ? 'red' : undefined}
          disabled={!ready}
          loading={busy}
          data-autofocus={(!typed && tone !== 'danger') || undefined}
        >
          {confirmLabel}
        </Button>
      </Group>
    </form>
  )
}
