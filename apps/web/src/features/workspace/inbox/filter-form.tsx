import { priorities, priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { Button, Group, MultiSelect, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../../../kit/use-can.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { connectionList } from '../../channels/connections/api.ts'
import { clearedFilter, countFilters, type TicketFilter } from '../../conversations/tickets/filter.ts'
import { queueOptions, tagOptions } from '../../core/pickers/options.ts'
import { userOptions } from '../../people/users/api.ts'

type Props = { filter: TicketFilter; onFilter: (change: Partial<TicketFilter>) => void }

/** Every filter of the list; each takes effect at once. */
export const FilterForm = ({ filter, onFilter }: Props) => {
  const canShowAll = useCan('tickets.showAll')
  const queues = useQuery(queueOptions)
  const connections = useQuery(connectionList)
  const people = useQuery(userOptions)
  const tags = useQuery(tagOptions)
  const select = {
    searchable: true,
    clearable: true,
    size: 'sm',
    hidePickedOptions: true,
    comboboxProps: { withinPortal: false },
  } as const
  return (
    <Stack gap="sm">
      {canShowAll && (
        <Switch
          label="Ver todos"
          description="Inclui o que as regras da empresa deixam fora da sua lista."
          checked={filter.showAll}
          onChange={(event) => onFilter({ showAll: event.currentTarget.checked })}
        />
      )}
      <Switch
        label="Só com mensagens não lidas"
        checked={filter.withUnreadMessages}
        onChange={(event) => onFilter({ withUnreadMessages: event.currentTarget.checked })}
      />
      <Switch
        label="Só sem atendente"
        checked={filter.isNotAssignedUser}
        onChange={(event) => onFilter({ isNotAssignedUser: event.currentTarget.checked })}
      />
      <Switch
        label="Incluir os sem fila"
        checked={filter.includeNotQueueDefined}
        onChange={(event) => onFilter({ includeNotQueueDefined: event.currentTarget.checked })}
      />
      <MultiSelect
        {...select}
        label="Filas"
        placeholder={filter.queuesIds.length ? undefined : 'Todas'}
        data={options(queues.data)}
        value={filter.queuesIds}
        onChange={(queuesIds) => onFilter({ queuesIds })}
      />
      <MultiSelect
        {...select}
        label="Canais"
        placeholder={filter.whatsappIds.length ? undefined : 'Todos'}
        data={options(connections.data)}
        value={filter.whatsappIds}
        onChange={(whatsappIds) => onFilter({ whatsappIds })}
      />
      <MultiSelect
        {...select}
        label="Atendentes"
        placeholder={filter.selectedUser.length ? undefined : 'Todos'}
        data={options(people.data)}
        value={filter.selectedUser}
        onChange={(selectedUser) => onFilter({ selectedUser })}
      />
      <MultiSelect
        {...select}
        label="Etiquetas"
        placeholder={filter.tagIds.length ? undefined : 'Todas'}
        data={options(tags.data)}
        value={filter.tagIds}
        onChange={(tagIds) => onFilter({ tagIds })}
      />
      <MultiSelect
        {...select}
        searchable={false}
        label="Prioridade"
        placeholder={filter.priority.length ? undefined : 'Todas'}
        data={priorities.map((value) => ({ value, label: priorityLabels[value] }))}
        value={filter.priority}
        onChange={(chosen) => onFilter({ priority: priorities.filter((one) => chosen.includes(one)) })}
      />
      <Group grow gap="xs">
        <DateField
          size="sm"
          label="Criados de"
          popoverProps={{ withinPortal: false }}
          value={filter.dateFrom}
          maxDate={filter.dateTo || undefined}
          onChange={(dateFrom) => onFilter({ dateFrom })}
        />
        <DateField
          size="sm"
          label="até"
          popoverProps={{ withinPortal: false }}
          value={filter.dateTo}
          minDate={filter.dateFrom || undefined}
          onChange={(dateTo) => onFilter({ dateTo })}
        />
      </Group>
      <Button
        variant="default"
        size="xs"
        disabled={countFilters(filter) === 0}
        onClick={() => onFilter(clearedFilter(filter))}
      >
        Limpar filtros
      </Button>
    </Stack>
  )
}

const options = (items: readonly { id: string; name: string }[] | undefined) =>
  (items ?? []).map((item) => ({ value: item.id, label: item.name }))
