import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAvailability } from './availability.ts'

/** Why one steps away, where the company named no reasons. */
export const PauseDialog = ({ onClose }: { onClose: () => void }) => {
  const { choose } = useAvailability()
  const [reason, setReason] = useState('')
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    choose({ state: 'away', reason: reason.trim() })
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Entrar em pausa</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="md">
          <TextInput
            label="Motivo"
            description="Seus colegas veem. Enquanto durar, você não recebe conversas novas."
            placeholder="Almoço"
            maxLength={40}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit">Entrar em pausa</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
