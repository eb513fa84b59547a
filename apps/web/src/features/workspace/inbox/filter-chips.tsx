import { priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { connectionList } from '../../channels/connections/api.ts'
import {
  emptyFilter,
  type FlagFilter,
  flagFilters,
  type IdFilter,
  idFilters,
  type TicketFilter,
} from '../../conversations/tickets/filter.ts'
import { queueOptions, tagOptions } from '../../core/pickers/options.ts'
import { userOptions } from '../../people/users/api.ts'
import classes from './filter-chips.module.css'

const flagLabels: Record<FlagFilter, string> = {
  showAll: 'Ver todos',
  withUnreadMessages: 'Não lidas',
  isNotAssignedUser: 'Sem atendente',
  includeNotQueueDefined: 'Só com fila',
}

type Props = { filter: TicketFilter; onFilter: (change: Partial<TicketFilter>) => void }

/** What narrows the list, each with its way out. */
export const FilterChips = ({ filter, onFilter }: Props) => {
  const needs = (name: IdFilter) => filter[name].length > 0
  const named: Record<IdFilter, { label: string; items: readonly { id: string; name: string }[] }> = {
    queuesIds: { label: 'Fila', items: useQuery({ ...queueOptions, enabled: needs('queuesIds') }).data ?? [] },
    whatsappIds: {
      label: 'Canal',
      items: useQuery({ ...connectionList, enabled: needs('whatsappIds') }).data ?? [],
    },
    selectedUser: {
      label: 'Atendente',
      items: useQuery({ ...userOptions, enabled: needs('selectedUser') }).data ?? [],
    },
    tagIds: { label: 'Etiqueta', items: useQuery({ ...tagOptions, enabled: needs('tagIds') }).data ?? [] },
  }
  const chips = [
    ...idFilters.filter(needs).map((name) => {
      const { label, items } = named[name]
      const names = filter[name].map((id) => items.find((item) => item.id === id)?.name ?? '…')
      return { name, text: `${label}: ${names.join(', ')}`, clear: () => onFilter({ [name]: [] }) }
    }),
    ...(filter.priority.length
      ? [
          {
            name: 'priority',
            text: `Prioridade: ${filter.priority.map((one) => priorityLabels[one].toLowerCase()).join(', ')}`,
            clear: () => onFilter({ priority: [] }),
          },
        ]
      : []),
    ...(filter.dateFrom || filter.dateTo
      ? [{ name: 'days', text: daysText(filter), clear: () => onFilter({ dateFrom: '', dateTo: '' }) }]
      : []),
    ...flagFilters
      .filter((name) => filter[name] !== emptyFilter[name])
      .map((name) => ({ name, text: flagLabels[name], clear: () => onFilter({ [name]: emptyFilter[name] }) })),
  ]
  return (
    <ul className={classes.chips} aria-label="Filtros em uso">
      {chips.map((chip) => (
        <li key={chip.name} className={classes.chip}>
          <span className="truncate" title={chip.text}>
            {chip.text}
          </span>
          <CloseButton size={22} iconSize={13} aria-label={`Remover filtro ${chip.text}`} onClick={chip.clear} />
        </li>
      ))}
    </ul>
  )
}

const daysText = ({ dateFrom, dateTo }: TicketFilter) => {
  const day = (date: string) => date.split('-').reverse().join('/')
  if (dateFrom && dateTo) return dateFrom === dateTo ? `Em ${day(dateFrom)}` : `De ${day(dateFrom)} a ${day(dateTo)}`
  return dateFrom ? `Desde ${day(dateFrom)}` : `Até ${day(dateTo)}`
}
