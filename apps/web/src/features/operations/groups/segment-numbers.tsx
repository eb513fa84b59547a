import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { mostNumbers } from '@balcao/contract/operations/group-acts.ts'
import { Button, Menu, ScrollArea } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { reasonOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { readAll } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { showPhone } from '../../contacts/contacts/phone.ts'
import { segmentList } from '../../contacts/segments/api.ts'

/** The telephones of a segment, a line each with the name beside it; who has none is told. */
export const SegmentNumbers = ({ onNumbers }: { onNumbers: (lines: string[]) => void }) => {
  const mayRead = useCan('contacts.read')
  const segments = useQuery({ ...segmentList, enabled: mayRead }).data ?? []
  const bring = useMutation({
    mutationFn: (segmentId: string) => readAll<Contact>('/contacts', { segmentId }, undefined, mostNumbers),
    onSuccess: (people) => {
      const lines = people.flatMap(({ name, number }) =>
        number ? `${showPhone(number)}; ${name.replace(/[\n;,]/g, ' ')}` : [],
      )
      onNumbers(lines)
      const left = people.length - lines.length
      notify.success(
        `${plural(lines.length, 'número trazido', 'números trazidos')}${left ? `; ${left} sem telefone` : ''}.`,
      )
    },
    onError: (error) => notify.error(reasonOf(error)),
  })
  if (!segments.length) return null
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          loading={bring.isPending}
          leftSection={<IconUsersGroup size={16} aria-hidden />}
        >
          De um segmento
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={280}>
          {segments.map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => bring.mutate(id)}>
              {name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}
