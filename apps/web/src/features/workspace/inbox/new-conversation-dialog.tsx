import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { byField, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { ContactPicker } from '../../contacts/contacts/contact-picker.tsx'
import { createContact } from '../../contacts/contacts/queries.ts'
import { StartConversation } from './start-conversation.tsx'

type Props = {
  contact: Contact | null
  /** What to look for first, e.g. the number of a contact card. */
  search?: string
  /** The name a new contact would get. */
  newName?: string
  onClose: () => void
}

/** Whom to talk to, then by which channel. */
export const NewConversationDialog = ({ contact, search = '', newName = '', onClose }: Props) => {
  const [chosen, setChosen] = useState(contact)
  const [adding, setAdding] = useState<{ name: string; number: string } | null>(null)
  const canCreate = useCan('contacts.write')
  if (chosen) return <StartConversation contact={chosen} onClose={onClose} />
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={adding === null}
      size={480}
      title={<Text fw={600}>{adding ? 'Novo contato' : 'Nova conversa'}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {adding ? (
        <NewContact start={adding} onCreated={setChosen} onBack={() => setAdding(null)} />
      ) : (
        <ContactPicker
          height={420}
          initialSearch={search}
          onPick={setChosen}
          whenNone={(text) =>
            canCreate && (
              <Button variant="default" onClick={() => setAdding(startOf(text, newName))}>
                Criar contato
              </Button>
            )
          }
        />
      )}
    </Modal>
  )
}

const startOf = (text: string, newName: string) =>
  /^[\d\s()+.-]+$/.test(text) ? { name: newName, number: text } : { name: newName || text, number: '' }

type NewContactProps = {
  start: { name: string; number: string }
  onCreated: (contact: Contact) => void
  onBack: () => void
}

const NewContact = ({ start, onCreated, onBack }: NewContactProps) => {
  const [name, setName] = useState(start.name)
  const [number, setNumber] = useState(start.number)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setErrors({})
    try {
      onCreated(await createContact({ name: name.trim(), number: number.trim() || null }))
    } catch (error) {
      const problems = problemsOf(error)
      if (problems.length) setErrors(byField(problems))
      else notify.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="sm">
        <TextInput
          label="Nome"
          required
          autoFocus={!start.name}
          maxLength={120}
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Telefone"
          placeholder="(11) 99999-9999"
          autoFocus={start.name !== ''}
          inputMode="tel"
          maxLength={40}
          value={number}
          error={errors.number}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
        <Button type="submit" loading={busy} disabled={!name.trim()}>
          Criar contato
        </Button>
      </Group>
    </form>
  )
}
