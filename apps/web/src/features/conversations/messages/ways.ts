import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { ChosenWay, TicketWay } from '@balcao/contract/conversations/ways.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { api } from '../../../kit/api.ts'
import { waysKey } from '../tickets/api.ts'
import { createDrawer, onOwnerChange } from './drawer.ts'

const drawer = createDrawer('canal')
const kept = new Map<string, TicketWay | null>()
const listeners = new Set<() => void>()

/** By what else the contact of a conversation can be answered. */
export const waysQuery = ({ id, whatsappId }: Pick<Ticket, 'id' | 'whatsappId'>) =>
  queryOptions({
    queryKey: [...waysKey, id, whatsappId],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: TicketWay[] }>(`/tickets/${id}/ways`, { signal, quiet: true })).items,
    staleTime: 60_000,
  })
export const renewWays = (cache: QueryClient, ticketId: string) =>
  cache.invalidateQueries({ queryKey: [...waysKey, ticketId] })

/** By one of the ways that are known nothing reached the contact. */
export const hasDeafWay = (cache: QueryClient, ticketId: string) =>
  cache
    .getQueriesData<TicketWay[]>({ queryKey: [...waysKey, ticketId] })
    .some(([, ways]) => ways?.some((one) => one.problem !== null))

/** By which way one answers next: kept on this device until the conversation goes so. */
export const chooseWay = (ticketId: string, way: TicketWay | null) => {
  kept.set(ticketId, way)
  if (way) drawer.write(ticketId, way)
  else drawer.remove(ticketId)
  changed()
}
const wayOf = (ticketId: string): TicketWay | null => {
  const known = kept.get(ticketId)
  if (known !== undefined) return known
  const stored = drawer.read(ticketId) as TicketWay | null // written by `chooseWay`
  kept.set(ticketId, stored)
  return stored
}

/** As a message names it; nothing where the conversation goes on as it is. */
export const chosenWay = (ticketId: string): ChosenWay | undefined => {
  const way = wayOf(ticketId)
  return way ? { whatsappId: way.whatsapp.id, ...(way.address && { address: way.address }) } : undefined
}

/** The ways of a conversation and the one that was chosen: null where it goes on as it is. */
export const useWays = (ticket: Ticket, isAsked: boolean) => {
  const { data: ways } = useQuery({ ...waysQuery(ticket), enabled: isAsked && !ticket.isGroup })
  const stored = useSyncExternalStore(subscribe, () => wayOf(ticket.id))
  const found = stored && ways ? (ways.find((one) => isSame(one, stored)) ?? null) : stored
  // It went so, or it cannot any more.
  const isOver = stored !== null && ways !== undefined && (!found || found.isCurrent || found.takes === 'nothing')
  useEffect(() => {
    if (isOver) chooseWay(ticket.id, null)
  }, [isOver, ticket.id])
  return { ways: ways ?? [], chosen: isOver || !isAsked ? null : found }
}

/** The conversation as it will be once it is answered so. */
export const goingBy = (ticket: Ticket, way: TicketWay | null): Ticket =>
  way ? { ...ticket, channel: way.channel, whatsapp: way.whatsapp, whatsappId: way.whatsapp.id } : ticket

export const isSame = (one: TicketWay, other: TicketWay) =>
  one.whatsapp.id === other.whatsapp.id &&
  one.address?.kind === other.address?.kind &&
  one.address?.value === other.address?.value

const changed = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

onOwnerChange(() => {
  kept.clear()
  changed()
})
drawer.onChange((ticketId) => {
  kept.delete(ticketId)
  changed()
})
