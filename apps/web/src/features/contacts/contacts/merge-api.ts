import type { Page } from '@balcao/contract/common.ts'
import type { Contact, ContactMerge, MergeConflict, MergePreview } from '@balcao/contract/contacts/contacts.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

export const mergesQuery = (contactId: string) =>
  queryOptions({
    queryKey: ['contacts', 'merges', contactId],
    queryFn: ({ signal }) => api.get<Page<ContactMerge>>(`/contacts/${contactId}/merges`, { signal, quiet: true }),
  })

export const mergePreviewQuery = (keptId: string, otherId: string) =>
  queryOptions({
    queryKey: ['contacts', 'merge', keptId, otherId],
    queryFn: ({ signal }) => api.get<MergePreview>(`/contacts/${keptId}/merge/${otherId}`, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

export const mergeContacts = (keptId: string, otherId: string, take: string[]) =>
  api.post<Contact>(`/contacts/${keptId}/merge`, { otherId, take })
export const undoMerge = (mergeId: string) => api.post<Contact>(`/contact-merges/${mergeId}/undo`)

/** After a merge or its undo: whoever shows a contact, a list of them or what belongs to one reads again. */
export const renewContacts = (cache: QueryClient) => {
  void cache.invalidateQueries({ queryKey: ['contacts'] })
  void cache.invalidateQueries({ queryKey: ['resource', 'contact'] })
}

/** Conversations that keep two contacts apart. */
export const conflictsIn = (details: unknown): MergeConflict[] => {
  const found: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, 'conflicts') : null
  return Array.isArray(found) ? found : [] // the server's own list, as the preview has it
}
