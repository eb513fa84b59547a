import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useCurrentSession } from '../../kit/session.ts'
import { queueOptions } from '../contacts-panel/api.ts'
import { PersonOption } from '../presence/person-option.tsx'
import { userOptions } from '../users/api.ts'

type Props = {
  busy: boolean
  currentUserId: string | null
  onTransfer: (to: { userId?: string; queueId?: string; note: string }) => void
  onClose: () => void
}

/** To a queue, to somebody, or to both; with a word for whoever takes over. */
export const TransferDialog = ({ busy, currentUserId, onTransfer, onClose }: Props) => {
  const self = useCurrentSession()
  const [queueId, setQueueId] = useState<string | null>(null)
  const [userId, setUserId] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const queues = useQuery(queueOptions)
  const people = useQuery(userOptions)
  const others = (people.data ?? [])
    .filter((person) => person.id !== currentUserId || person.id !== self.userId)
    .filter((person) => !queueId || person.queueIds.includes(queueId) || person.id === userId)
    .toSorted((a, b) => Number(b.isOnline) - Number(a.isOnline))

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onTransfer({ ...(userId && { userId }), ...(queueId && { queueId }), note: note.trim() })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Transferir atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="sm">
          <Select
            label="Fila"
            placeholder="Manter a fila atual"
            data-autofocus
            openOnFocus={false}
            searchable
            clearable
            data={(queues.data ?? [])
              .filter((queue) => queue.isActive)
              .map(({ id, name }) => ({ value: id, label: name }))}
            value={queueId}
            onChange={(id) => {
              setQueueId(id)
              const person = people.data?.find((one) => one.id === userId)
              if (id && person && !person.queueIds.includes(id)) setUserId(null)
            }}
          />
          <Select
            label="Atendente"
            description="Sem um atendente, o atendimento volta a esperar na fila."
            placeholder="Qualquer pessoa da fila"
            searchable
            clearable
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            renderOption={({ option }) => (
              <PersonOption person={others.find(({ id }) => id === option.value)} name={option.label} />
            )}
            value={userId}
            onChange={setUserId}
          />
          <Textarea
            label="Recado"
            description="Só a equipe vê."
            rows={3}
            maxLength={2_000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" disabled={!queueId && !userId} loading={busy}>
            Transferir
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
