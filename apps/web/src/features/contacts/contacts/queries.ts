import type { Page } from '@balcao/contract/common.ts'
import type {
  Contact,
  ContactStory,
  ContactWrite,
  GalleryItem,
  GalleryKind,
} from '@balcao/contract/contacts/contacts.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: ({ signal }) => api.get<Contact>(`/contacts/${id}`, { signal, quiet: true }),
  })

export const contactSearch = (searchParam: string) =>
  pagedList<Page<Contact>>(['contacts', 'search', searchParam], '/contacts', { searchParam, limit: 40 })

export const saveContact = (contact: Contact, change: Partial<ContactWrite>) =>
  api.put<Contact>(`/contacts/${contact.id}`, change)
export const saveContactWallets = (id: string, wallets: string[]) =>
  api.put<Contact>(`/contact-wallet/${id}`, { wallets })
export const saveContactTags = (id: string, tags: string[]) => api.put<Contact>(`/contact-tags/${id}`, { tags })
/** The whole CPF or CNPJ; that it was read is recorded. */
export const revealDocument = (contactId: string) =>
  api.get<{ document: string | null }>(`/contacts/${contactId}/document`)
export const createContact = (given: { name: string; number: string | null }) => api.post<Contact>('/contacts', given)

/** Every conversation with the contact, over whatever channel, newest first. */
export const storyQuery = (contactId: string) =>
  pagedList<Page<ContactStory>>(['contacts', 'story', contactId], `/contacts/${contactId}/story`, {}, { quiet: true })

export const galleryQuery = (contactId: string, kind: GalleryKind) => ({
  ...pagedList<Page<GalleryItem>>(
    ['contacts', 'media', contactId, kind],
    `/contacts/${contactId}/media`,
    { kind },
    { quiet: true },
  ),
  // The links to files live for half an hour.
  staleTime: 60_000,
})
