import type { Page } from '@balcao/contract/common.ts'
import type { FoundMessage, MessageType } from '@balcao/contract/conversations/messages.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export type MessageFilter = {
  searchParam: string
  ticketId?: string
  fromMe: '' | 'true' | 'false'
  type: MessageType[]
  dateFrom: string
  dateTo: string
}

/** A page may be empty and yet not the last: the search goes on where it stopped. */
export const foundMessages = (filter: MessageFilter) =>
  pagedList<Page<FoundMessage>>(['messages', 'found', filter], '/searchMessage', filter)
