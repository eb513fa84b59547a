import { channels } from '@balcao/contract/channels/index.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { connectionList } from '../../channels/connections/api.ts'
import { contactQuery } from '../../contacts/contacts/queries.ts'
import { unreachableBecause } from '../../contacts/contacts/reach.ts'
import { changeChannel } from '../../conversations/tickets/handling.ts'
import classes from './channel-dialog.module.css'
import { OtherTicketDialog } from './other-ticket-dialog.tsx'
import { useTicketCall } from './use-ticket-call.ts'

type Props = { ticket: Ticket; onGo: (ticketId: string) => void; onClose: () => void }

/** The conversation goes on over another connection on which the customer can be reached. */
export const ChannelDialog = ({ ticket, onGo, onClose }: Props) => {
  const connections = useQuery(connectionList)
  const contact = useQuery(contactQuery(ticket.contactId)).data
  const [id, setId] = useState<string | null>(null)
  const { busy, run, problemOf, other, dismissOther } = useTicketCall()
  const options = (connections.data ?? [])
    .filter((one) => one.id !== ticket.whatsappId)
    .map((one) => ({
      value: one.id,
      label: `${one.name} · ${channels[one.kind].label}`,
      obstacle: contact && !ticket.isGroup ? unreachableBecause(contact, one.kind, one.abilities) : null,
    }))
  const chosen = connections.data?.find((one) => one.id === id)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (id && (await run(() => changeChannel(ticket.id, id)))) onClose()
  }
  if (other) return <OtherTicketDialog other={other} onClose={dismissOther} onGo={onGo} />
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Mudar de canal</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            Hoje a conversa é por {ticket.whatsapp.name}. As mensagens já trocadas ficam onde estão.
          </Text>
          <Select
            label="Novo canal"
            placeholder="Escolha o canal"
            nothingFoundMessage="Não há outro canal."
            data-autofocus
            openOnFocus={false}
            searchable
            classNames={{ option: classes.option }}
            data={options.map(({ value, label, obstacle }) => ({ value, label, disabled: obstacle !== null }))}
            renderOption={({ option }) => {
              const obstacle = options.find((one) => one.value === option.value)?.obstacle
              return (
                <span>
                  {option.label}
                  {obstacle && (
                    <Text span size="xs" c="dimmed" display="block">
                      {obstacle}
                    </Text>
                  )}
                </span>
              )
            }}
            value={id}
            onChange={setId}
            error={problemOf('whatsappId')}
            description={
              chosen?.abilities.windowHours
                ? 'Neste canal, só se escreve livremente se o contato tiver escrito por ele nas últimas 24 horas.'
                : undefined
            }
          />
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={busy} disabled={!id}>
            Mudar de canal
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
