import type { Page } from '@balcao/contract/common.ts'
import type { ContactStory } from '@balcao/contract/contacts/contacts.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { dropCard, renewCard } from '../board/api.ts'
import { contactQuery } from './queries.ts'

/** What belongs to a contact and is read apart from it. */
const renewParts = (cache: QueryClient, contactId: string) => {
  for (const part of ['story', 'media', 'merges', 'consents'])
    void cache.invalidateQueries({ queryKey: ['contacts', part, contactId] })
}

const storyKey = (contactId: string) => ['contacts', 'story', contactId]

/** What was sent over, once its file is here. */
const renewGallery = (cache: QueryClient, { contactId, mediaState, body }: Message) => {
  if (mediaState === 'ready' || /https?:/i.test(body))
    void cache.invalidateQueries({ queryKey: ['contacts', 'media', contactId] })
}

/** What was said last stands in the list of conversations; what else it shows comes with `ticket.updated`. */
const showLastMessage = (cache: QueryClient, contactId: string, { id, lastMessage, status }: TicketDelta) =>
  cache.setQueryData<InfiniteData<Page<ContactStory>>>(
    storyKey(contactId),
    (now) =>
      now && {
        ...now,
        pages: now.pages.map((page) => ({
          ...page,
          items: page.items.map((one) => (one.id === id ? { ...one, lastMessage, status } : one)),
        })),
      },
  )

/** An event carries only the name and the picture; the rest of a contact on screen is read anew. */
export const contactLive: Live = {
  'message.created': (cache, { message, ticket }) => {
    renewGallery(cache, message)
    showLastMessage(cache, message.contactId, ticket)
  },
  'message.updated': renewGallery,
  'contact.updated': (cache, told) => {
    renewCard(cache, told.id)
    const key = contactQuery(told.id).queryKey
    const now = cache.getQueryData(key)
    if (now && now.version >= told.version) return
    cache.setQueryData(key, now && { ...now, name: told.name, profilePicUrl: told.profilePicUrl })
    void cache.invalidateQueries({ queryKey: key })
  },
  'contact.consented': (cache, { id }) => void cache.invalidateQueries({ queryKey: ['contacts', 'consents', id] }),
  'contact.merged': (cache, { id, keptId }) => {
    dropCard(cache, id)
    for (const contactId of [id, keptId]) {
      void cache.invalidateQueries({ queryKey: contactQuery(contactId).queryKey })
      renewParts(cache, contactId)
    }
  },
  'ticket.created': (cache, { contactId }) => void cache.invalidateQueries({ queryKey: storyKey(contactId) }),
  'ticket.updated': (cache, { contactId }) => void cache.invalidateQueries({ queryKey: storyKey(contactId) }),
  'contact.deleted': (cache, { id }) => {
    dropCard(cache, id)
    void cache.invalidateQueries({ queryKey: contactQuery(id).queryKey })
  },
}
