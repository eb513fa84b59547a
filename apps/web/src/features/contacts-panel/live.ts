import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../kit/live.ts'
import { contactQuery } from './api.ts'

/** An event carries only the name and the picture; the rest of a contact on screen is read anew. */
/** What belongs to a contact and is read apart from it. */
const renewParts = (cache: QueryClient, contactId: string) => {
  for (const part of ['story', 'media', 'merges'])
    void cache.invalidateQueries({ queryKey: ['contacts', part, contactId] })
}

const storyKey = (contactId: string) => ['contacts', 'story', contactId]

export const contactLive: Live = {
  'contact.updated': (cache, told) => {
    const key = contactQuery(told.id).queryKey
    const now = cache.getQueryData(key)
    if (now && now.version >= told.version) return
    cache.setQueryData(key, now && { ...now, name: told.name, profilePicUrl: told.profilePicUrl })
    void cache.invalidateQueries({ queryKey: key })
  },
  'contact.merged': (cache, { id, keptId }) => {
    for (const contactId of [id, keptId]) {
      void cache.invalidateQueries({ queryKey: contactQuery(contactId).queryKey })
      renewParts(cache, contactId)
    }
  },
  'ticket.created': (cache, { contactId }) => void cache.invalidateQueries({ queryKey: storyKey(contactId) }),
  'ticket.updated': (cache, { contactId }) => void cache.invalidateQueries({ queryKey: storyKey(contactId) }),
  'contact.deleted': (cache, { id }) => void cache.invalidateQueries({ queryKey: contactQuery(id).queryKey }),
}
