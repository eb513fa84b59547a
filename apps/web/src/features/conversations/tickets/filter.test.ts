import { expect, test } from 'vitest'
import {
  clearedFilter,
  countFilters,
  emptyFilter,
  filterFromParams,
  filterFromSaved,
  paramsWithFilter,
  queryOfFilter,
  savedFromFilter,
  type TicketFilter,
} from './filter.ts'
import { viewOf, views } from './views.ts'

const filter = (more: Partial<TicketFilter> = {}): TicketFilter => ({ ...emptyFilter, ...more })

test('an address and its filter say the same, and what is not ours stays in the address', () => {
  const chosen = filter({
    view: 'mentions',
    sort: 'waiting',
    searchParam: 'ação & reação',
    showAll: true,
    queuesIds: ['a', 'b'],
    selectedUser: ['u'],
    priority: ['high', 'urgent'],
    dateFrom: '2026-03-01',
    dateTo: '2026-03-31',
    includeNotQueueDefined: false,
  })
  const params = paramsWithFilter(new URLSearchParams('mensagem=1&fila=velha'), chosen)
  expect(filterFromParams(params)).toEqual(chosen)
  expect(params.get('mensagem')).toBe('1')
  expect(paramsWithFilter(params, emptyFilter).toString()).toBe('mensagem=1')
})

test('every view has an address of its own, and what nobody knows is the first view', () => {
  expect(new Set(views.map((view) => viewOf[view].path)).size).toBe(views.length)
  for (const view of views)
    expect(filterFromParams(paramsWithFilter(new URLSearchParams(), filter({ view })))).toEqual(filter({ view }))
  expect(filterFromParams(new URLSearchParams('aba=x&ordem=x&prioridade=x&de=ontem&ate=2026-99-99'))).toEqual(
    emptyFilter,
  )
})

test('Pendentes opens with who waits longest; an order that was chosen is said', () => {
  const of = (address: string) => filterFromParams(new URLSearchParams(address))
  expect(of('aba=pendentes').sort).toBe('waiting')
  expect(of('aba=fechados').sort).toBe('recent')
  expect(of('aba=pendentes&ordem=recentes').sort).toBe('recent')
  const said = (view: 'open' | 'pending', sort: 'recent' | 'waiting') =>
    paramsWithFilter(new URLSearchParams(), filter({ view, sort })).get('ordem')
  expect([
    said('pending', 'waiting'),
    said('pending', 'recent'),
    said('open', 'recent'),
    said('open', 'waiting'),
  ]).toEqual([null, 'recentes', null, 'espera'])
})

test('Abertos and Pendentes leave out what is paused', () => {
  expect(queryOfFilter(filter())).toMatchObject({ status: ['open'], isPaused: false, dateFrom: undefined })
  expect(queryOfFilter(filter({ view: 'paused' }))).toMatchObject({ status: ['open', 'pending'], isPaused: true })
  expect(queryOfFilter(filter({ view: 'closed' }))).not.toHaveProperty('isPaused')
})

test('what is kept for the next visit leaves out the search and the view', () => {
  const chosen = filter({
    view: 'closed',
    searchParam: 'x',
    sort: 'sla',
    withUnreadMessages: true,
    whatsappIds: ['w'],
    dateFrom: '2026-03-01',
  })
  const kept = filter({ sort: 'sla', withUnreadMessages: true, whatsappIds: ['w'] })
  expect(filterFromSaved(savedFromFilter(chosen))).toEqual(kept)
})

test('filters in use are counted once each, and cleared without leaving the view', () => {
  expect(countFilters(emptyFilter)).toBe(0)
  const chosen = filter({
    view: 'paused',
    sort: 'sla',
    queuesIds: ['a', 'b'],
    includeNotQueueDefined: false,
    priority: ['low'],
    dateFrom: '2026-03-01',
    dateTo: '2026-03-01',
    searchParam: 'x',
  })
  expect(countFilters(chosen)).toBe(4)
  expect(clearedFilter(chosen)).toEqual(filter({ view: 'paused', sort: 'sla', searchParam: 'x' }))
})
