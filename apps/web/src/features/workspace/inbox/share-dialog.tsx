import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, Button, Group, Modal, MultiSelect, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useCurrentSession } from '../../../kit/session.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { shareTicket, unshareTicket } from '../../conversations/tickets/handling.ts'
import { PersonOption } from '../../people/presence/person-option.tsx'
import { userOptions } from '../../people/users/api.ts'
import { useTicketCall } from './use-ticket-call.ts'

const most = 20

/** Colleagues who take part in a conversation, whatever its queue. */
export const ShareDialog = ({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) => {
  const { userId } = useCurrentSession()
  const people = useQuery(userOptions)
  const [chosen, setChosen] = useState<string[]>([])
  const [isListOpen, setListOpen] = useState(false)
  const { busy, run, problemOf } = useTicketCall()
  const nameOf = (id: string) => people.data?.find((person) => person.id === id)?.name ?? '…'
  const others = (people.data ?? [])
    .filter((person) => person.id !== ticket.userId && !ticket.sharedWith.includes(person.id))
    .toSorted((a, b) => Number(b.isOnline) - Number(a.isOnline))

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (chosen.length && (await run(() => shareTicket(ticket.id, chosen)))) setChosen([])
  }
  const handleRemove = (id: string) =>
    void run(async () => {
      await unshareTicket(ticket.id, id)
      return undefined // the event brings the ticket as it is now, or takes it away
    })
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Compartilhar atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="md">
          <MultiSelect
            label="Convidar colegas"
            description="Quem participa vê a conversa e escreve nela, qualquer que seja a fila."
            placeholder={chosen.length ? undefined : 'Escolha as pessoas'}
            nothingFoundMessage="Ninguém com este nome."
            searchable
            hidePickedOptions
            data-autofocus
            openOnFocus={false}
            maxValues={most - ticket.sharedWith.length}
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            renderOption={({ option }) => (
              <PersonOption person={others.find(({ id }) => id === option.value)} name={option.label} />
            )}
            dropdownOpened={isListOpen}
            onDropdownOpen={() => setListOpen(true)}
            onDropdownClose={() => setListOpen(false)}
            value={chosen}
            onChange={(ids) => {
              setChosen(ids)
              setListOpen(false) // the list lies over "Convidar"
            }}
            error={problemOf('userIds')}
          />
          {ticket.sharedWith.length > 0 && (
            <Stack gap={4} component="ul" m={0} p={0} aria-label="Quem participa">
              {ticket.sharedWith.map((id) => (
                <Group key={id} component="li" gap={10} wrap="nowrap" mih={40}>
                  <Avatar name={nameOf(id)} size={28} />
                  <Text className="truncate" flex={1}>
                    {nameOf(id)}
                    {id === userId && ' (você)'}
                  </Text>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={id === userId ? 'Sair do atendimento' : `Retirar ${nameOf(id)}`}
                    disabled={busy}
                    onClick={() => handleRemove(id)}
                  >
                    <IconX size={17} stroke={1.75} />
                  </ActionIcon>
                </Group>
              ))}
            </Stack>
          )}
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Fechar
          </Button>
          <Button type="submit" loading={busy} disabled={!chosen.length}>
            Convidar
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
