import type { TicketSort } from '@balcao/contract/conversations/tickets.ts'
import type { Priority } from '@balcao/contract/conversations/urgency.ts'
import type { UserConfigs } from '@balcao/contract/people/users.ts'
import type { QueryValue } from '../../../kit/api-client.ts'
import { type View, viewOf, views } from './views.ts'

/** What the list shows: a view, its order, and the attendance filter. */
export type TicketFilter = {
  view: View
  sort: TicketSort
  searchParam: string
  showAll: boolean
  queuesIds: string[]
  whatsappIds: string[]
  selectedUser: string[]
  tagIds: string[]
  priority: Priority[]
  /** Days, as `2026-03-03`; empty: any. */
  dateFrom: string
  dateTo: string
  withUnreadMessages: boolean
  isNotAssignedUser: boolean
  includeNotQueueDefined: boolean
}
/** A list as the cache keeps it: those that are pinned stand apart. */
export type ListFilter = TicketFilter & { isPinned?: boolean }
export type IdFilter = 'queuesIds' | 'whatsappIds' | 'selectedUser' | 'tagIds'
export type FlagFilter = 'showAll' | 'withUnreadMessages' | 'isNotAssignedUser' | 'includeNotQueueDefined'
type DayFilter = 'dateFrom' | 'dateTo'

/** Who waits is served in the order of waiting; elsewhere the last word comes first. */
export const defaultSort = (view: View): TicketSort => (view === 'pending' ? 'waiting' : 'recent')

export const emptyFilter: TicketFilter = {
  view: 'open',
  sort: 'recent',
  searchParam: '',
  showAll: false,
  queuesIds: [],
  whatsappIds: [],
  selectedUser: [],
  tagIds: [],
  priority: [],
  dateFrom: '',
  dateTo: '',
  withUnreadMessages: false,
  isNotAssignedUser: false,
  includeNotQueueDefined: true,
}

const idNames: Record<IdFilter, string> = {
  queuesIds: 'fila',
  whatsappIds: 'conexao',
  selectedUser: 'usuario',
  tagIds: 'etiqueta',
}
const flagNames: Record<FlagFilter, string> = {
  showAll: 'todos',
  withUnreadMessages: 'naoLidas',
  isNotAssignedUser: 'semAtendente',
  includeNotQueueDefined: 'semFila',
}
const dayNames: Record<DayFilter, string> = { dateFrom: 'de', dateTo: 'ate' }
const sortNames: Record<TicketSort, string> = { recent: 'recentes', waiting: 'espera', sla: 'prazo' }
const priorityNames: Record<Priority, string> = { low: 'baixa', normal: 'normal', high: 'alta', urgent: 'urgente' }
const sorts = Object.keys(sortNames) as TicketSort[]
const priorities = Object.keys(priorityNames) as Priority[]
export const idFilters = Object.keys(idNames) as IdFilter[]
export const flagFilters = Object.keys(flagNames) as FlagFilter[]
const dayFilters = Object.keys(dayNames) as DayFilter[]
const narrowing = [
  ...Object.values(idNames),
  ...Object.values(flagNames),
  ...Object.values(dayNames),
  'prioridade',
  'ordem',
]

/** The address says what is listed. */
export const filterFromParams = (params: URLSearchParams): TicketFilter => {
  const filter = { ...emptyFilter, searchParam: params.get('busca') ?? '' }
  filter.view = views.find((view) => viewOf[view].path === params.get('aba')) ?? emptyFilter.view
  filter.sort = sorts.find((sort) => sortNames[sort] === params.get('ordem')) ?? defaultSort(filter.view)
  filter.priority = priorities.filter((one) => params.getAll('prioridade').includes(priorityNames[one]))
  for (const name of idFilters) filter[name] = params.getAll(idNames[name])
  for (const name of dayFilters) filter[name] = asDay(params.get(dayNames[name]))
  for (const name of flagFilters) {
    const told = params.get(flagNames[name])
    if (told !== null) filter[name] = told === '1'
  }
  return filter
}
const asDay = (text: string | null) =>
  text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

/** The same filter written into an address; what is as always is left out, foreign parameters stay. */
export const paramsWithFilter = (now: URLSearchParams, filter: TicketFilter): URLSearchParams => {
  const next = new URLSearchParams(now)
  for (const name of ['aba', 'busca', ...narrowing]) next.delete(name)
  if (filter.view !== emptyFilter.view) next.set('aba', viewOf[filter.view].path)
  if (filter.sort !== defaultSort(filter.view)) next.set('ordem', sortNames[filter.sort])
  if (filter.searchParam) next.set('busca', filter.searchParam)
  for (const one of filter.priority) next.append('prioridade', priorityNames[one])
  for (const name of idFilters) for (const value of filter[name]) next.append(idNames[name], value)
  for (const name of dayFilters) if (filter[name]) next.set(dayNames[name], filter[name])
  for (const name of flagFilters)
    if (filter[name] !== emptyFilter[name]) next.set(flagNames[name], filter[name] ? '1' : '0')
  return next
}

/** What is kept under a name: the whole filter, view and order included; what is looked for as well. */
export const textOfFilter = (filter: TicketFilter): string => paramsWithFilter(new URLSearchParams(), filter).toString()
export const filterOfText = (text: string): TicketFilter => filterFromParams(new URLSearchParams(text))

/** Does the address choose anything? When not, the person's last filter does. */
export const hasFilterParams = (params: URLSearchParams) => narrowing.some((name) => params.has(name))

type Saved = UserConfigs['filtrosAtendimento']
export const filterFromSaved = (saved: Saved): TicketFilter => ({
  ...emptyFilter,
  sort: saved.sort ?? 'recent',
  showAll: saved.showAll ?? false,
  queuesIds: saved.queuesIds ?? [],
  whatsappIds: saved.whatsappIds ?? [],
  selectedUser: saved.selectedUser ?? [],
  tagIds: saved.tagIds ?? [],
  priority: saved.priority ?? [],
  withUnreadMessages: saved.withUnreadMessages ?? false,
  isNotAssignedUser: saved.isNotAssignedUser ?? false,
  includeNotQueueDefined: saved.includeNotQueueDefined ?? true,
})
/** Of the moment: the view, what is looked for and days are not kept for the next visit. */
export const savedFromFilter = ({
  view: _view,
  searchParam: _search,
  dateFrom: _from,
  dateTo: _to,
  ...rest
}: TicketFilter): Saved => rest
export const isOfTheMoment = (name: string) => ['view', 'searchParam', 'dateFrom', 'dateTo'].includes(name)

/** What narrows every view alike; what is looked for is not counted. */
export type Narrowing = Omit<TicketFilter, 'view' | 'sort' | 'searchParam'>
export const narrowingOf = ({ view: _view, sort: _sort, searchParam: _search, ...rest }: TicketFilter): Narrowing =>
  rest
export const queryOfNarrowing = ({ dateFrom, dateTo, ...rest }: Narrowing): Record<string, QueryValue> => ({
  ...rest,
  dateFrom: dateFrom || undefined,
  dateTo: dateTo || undefined,
})

export const queryOfFilter = ({ view, dateFrom, dateTo, ...rest }: ListFilter): Record<string, QueryValue> => ({
  ...rest,
  ...viewOf[view].query,
  status: viewOf[view].status,
  dateFrom: dateFrom || undefined,
  dateTo: dateTo || undefined,
})

export const countFilters = (filter: TicketFilter): number =>
  idFilters.filter((name) => filter[name].length > 0).length +
  flagFilters.filter((name) => filter[name] !== emptyFilter[name]).length +
  Number(filter.priority.length > 0) +
  Number(Boolean(filter.dateFrom || filter.dateTo))

/** Nothing narrowed; where one is and how it is ordered stay. */
export const clearedFilter = ({ view, sort, searchParam }: TicketFilter): TicketFilter => ({
  ...emptyFilter,
  view,
  sort,
  searchParam,
})
