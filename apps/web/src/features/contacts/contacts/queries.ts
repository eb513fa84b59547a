import type { Page } from '@balcao/contract/common.ts'
import type {
  Contact,
  ContactStory,
  ContactWrite,
  GalleryItem,
  GalleryKind,
} from '@balcao/contract/contacts/contacts.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: ({ signal }) => api.get<Contact>(`/contacts/${id}`, { signal, quiet: true }),
  })

export const contactSearch = (searchParam: string) =>
  infiniteQueryOptions({
    queryKey: ['contacts', 'search', searchParam],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Contact>>('/contacts', { query: { searchParam, cursor: pageParam, limit: 40 }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : null),
  })

export const saveContact = (contact: Contact, change: Partial<ContactWrite>) =>
  api.put<Contact>(`/contacts/${contact.id}`, change)
export const saveContactWallets = (id: string, wallets: string[]) =>
  api.put<Contact>(`/contact-wallet/${id}`, { wallets })
export const saveContactTags = (id: string, tags: string[]) => api.put<Contact>(`/contact-tags/${id}`, { tags })
export const createContact = (given: { name: string; number: string | null }) => api.post<Contact>('/contacts', given)

/** Every conversation with the contact, over whatever channel, newest first. */
export const storyQuery = (contactId: string) =>
  infiniteQueryOptions({
    queryKey: ['contacts', 'story', contactId],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<ContactStory>>(`/contacts/${contactId}/story`, {
        query: { cursor: pageParam },
        signal,
        quiet: true,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : null),
  })

export const galleryQuery = (contactId: string, kind: GalleryKind) =>
  infiniteQueryOptions({
    queryKey: ['contacts', 'media', contactId, kind],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<GalleryItem>>(`/contacts/${contactId}/media`, {
        query: { kind, cursor: pageParam },
        signal,
        quiet: true,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : null),
    // The links to files live for half an hour.
    staleTime: 60_000,
  })
