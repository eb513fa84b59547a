import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { connectionList } from '../../channels/connections/api.ts'
import { type Channel, channelsQuery } from './abilities.ts'

/** What the connection of this conversation can do; of one that is gone, what its kind of channel can. */
export const useChannel = ({ channel, whatsapp }: Pick<Ticket, 'channel' | 'whatsapp'>): Channel | undefined => {
  const ofKind = useQuery(channelsQuery).data?.[channel]
  const own = useQuery(connectionList).data?.find(({ id }) => id === whatsapp.id)?.abilities
  return useMemo(() => ofKind && { ...ofKind, ...own }, [ofKind, own])
}
