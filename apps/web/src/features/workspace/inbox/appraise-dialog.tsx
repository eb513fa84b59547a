import { type Ticket, ticket as ticketRow } from '@balcao/contract/conversations/tickets.ts'
import { priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { MoneyInput } from '../../../ui/money-input.tsx'
import { putTicket } from '../../conversations/tickets/api.ts'
import { useTicketCall } from './use-ticket-call.ts'

const mostReais = 999_999_999.99

/** How urgent a conversation is, and what was negotiated in it. */
export const AppraiseDialog = ({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) => {
  const [priority, setPriority] = useState(ticket.priority)
  const [value, setValue] = useState<number | string>(ticket.value === null ? '' : ticket.value / 100)
  const { busy, run, problemOf } = useTicketCall()
  const cents = value === '' ? null : Math.round(Number(value) * 100)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const patch = {
      ...(priority !== ticket.priority && { priority }),
      ...(cents !== ticket.value && { value: cents }),
    }
    if (!Object.keys(patch).length || (await run(() => putTicket(ticket.id, patch)))) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Prioridade e valor</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="md">
          <div>
            <Text size="sm" fw={500} mb={6} id="prioridade">
              Prioridade
            </Text>
            <SegmentedControl
              fullWidth
              aria-labelledby="prioridade"
              data={Object.entries(priorityLabels).map(([key, label]) => ({ value: key, label }))}
              value={priority}
              onChange={(next) => setPriority(ticketRow.shape.priority.parse(next))}
            />
          </div>
          <MoneyInput
            label="Valor negociado"
            description="Deixe em branco quando não houver."
            clampBehavior="strict"
            max={mostReais}
            value={value}
            onChange={setValue}
            error={problemOf('value')}
          />
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={busy}>
            Salvar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
