import { hasPhoneBook } from '@balcao/contract/channels/index.ts'
import { Button, Menu } from '@mantine/core'
import { IconAddressBook } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { importQuery, syncGroups, syncPeople } from '../../../features/contacts/imports/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'

/** Whom the phone of a channel knows, as an import; and its groups. Nothing where no channel tells. */
export const PhoneBookMenu = ({ onOpen }: { onOpen: (id: string) => void }) => {
  const cache = useQueryClient()
  const channels = (useQuery(connectionList).data ?? []).filter(({ kind }) => hasPhoneBook(kind))
  const onError = (error: unknown) => notify.error(reasonOf(error))
  const people = useMutation({
    mutationFn: syncPeople,
    onSuccess: (made) => {
      cache.setQueryData(importQuery(made.id).queryKey, made)
      onOpen(made.id)
    },
    onError,
  })
  const groups = useMutation({
    mutationFn: syncGroups,
    onSuccess: ({ created, known }) =>
      notify.success(
        [
          created ? plural(created, 'grupo novo', 'grupos novos') : 'Nenhum grupo novo',
          ...(known ? [plural(known, 'já conhecido', 'já conhecidos')] : []),
        ]
          .join(', ')
          .concat('.'),
      ),
    onError,
  })
  if (!channels.length) return null
  return (
    <Menu width={280}>
      <Menu.Target>
        <Button
          variant="default"
          loading={people.isPending || groups.isPending}
          leftSection={<IconAddressBook size={18} aria-hidden />}
        >
          Agenda de um canal
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Contatos da agenda</Menu.Label>
        {channels.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => people.mutate(id)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Label>Grupos</Menu.Label>
        {channels.map(({ id, name }) => (
          <Menu.Item key={id} aria-label={`Grupos de ${name}`} onClick={() => groups.mutate(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
