import type { Page } from '@balcao/contract/common.ts'
import type { TicketNote, TicketProtocol } from '@balcao/contract/conversations/notes.ts'
import type { QueryValue } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

type Query = Record<string, QueryValue>

export const notesList = (query: Query) =>
  pagedList<Page<TicketNote>>(['notes', query], '/ticketNotes', { ...query, limit: pageSize }, { counts: true })
export const protocolsList = (query: Query) =>
  pagedList<Page<TicketProtocol>>(
    ['protocols', query],
    '/ticketProtocols',
    { ...query, limit: pageSize },
    { counts: true },
  )
