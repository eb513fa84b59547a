import { type Flow, flowResource } from '@balcao/contract/automation/flows/flows.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Anchor, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { allRows } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { handToFlow } from '../../conversations/tickets/handling.ts'
import { useTicketCall } from './use-ticket-call.ts'

/** A flow answers from its beginning, and nobody of the team until it hands over. */
export const FlowDialog = ({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) => {
  const flows = useQuery(allRows<Flow>(flowResource))
  const mayMake = useCan('flows.write')
  const [id, setId] = useState<string | null>(null)
  const { busy, run, problemOf } = useTicketCall()
  const offered = (flows.data ?? []).filter(({ isActive, published }) => isActive && published)
  const isEmpty = flows.data !== undefined && !offered.length

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (id && (await run(() => handToFlow(ticket.id, id)))) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Devolver ao robô</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {isEmpty
              ? 'A empresa ainda não tem um fluxo ativo e publicado.'
              : 'O fluxo começa do início, e o atendimento volta para a espera até ele terminar.'}
          </Text>
          {isEmpty && mayMake && (
            <Anchor component={Link} to="/chat-flow" size="sm">
              Criar um fluxo
            </Anchor>
          )}
          {!isEmpty && (
            <Select
              label="Fluxo"
              placeholder="Escolha o fluxo"
              nothingFoundMessage="Nenhum fluxo com esse nome."
              data-autofocus
              openOnFocus={false}
              searchable
              data={offered.map(({ id: value, name }) => ({ value, label: name }))}
              value={id}
              onChange={setId}
              error={problemOf('chatFlowId')}
            />
          )}
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={busy} disabled={!id}>
            Passar para o fluxo
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
