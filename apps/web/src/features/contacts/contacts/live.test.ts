import type { Page } from '@balcao/contract/common.ts'
import type { ContactStory } from '@balcao/contract/contacts/contacts.ts'
import { type InfiniteData, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { sampleMessage } from '../../conversations/messages/test-message.ts'
import { sampleTicket } from '../../conversations/tickets/test-ticket.ts'
import { contactLive } from './live.ts'
import { storyQuery } from './queries.ts'

const told = (id: string, lastMessage: string): ContactStory => ({
  id,
  protocol: '20261120000001',
  status: 'open',
  channel: 'waba',
  whatsapp: { id: 'w1', name: 'Loja' },
  queue: null,
  user: null,
  reason: null,
  lastMessage,
  value: null,
  grade: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  closedAt: null,
})

test('the conversations with a contact show what was said last, as it is said', () => {
  const cache = new QueryClient()
  const key = storyQuery('c1').queryKey
  cache.setQueryData<InfiniteData<Page<ContactStory>, string | null>>(key, {
    pages: [{ items: [told('t1', 'Oi'), told('t0', 'Obrigada')], hasMore: false, nextCursor: null }],
    pageParams: [null],
  })
  const ticket = sampleTicket({ id: 't1', lastMessage: 'Chegou?', version: 2 })
  contactLive['message.created']?.(cache, { message: sampleMessage({ contactId: 'c1' }), ticket })
  const items = cache.getQueryData(key)?.pages.flatMap((page) => page.items)
  expect(items?.map(({ lastMessage }) => lastMessage)).toEqual(['Chegou?', 'Obrigada'])
})
