import { type SavedFilter, savedFilterResource } from '@balcao/contract/conversations/saved-filters.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'

export const savedFilterList = allRows<SavedFilter>(savedFilterResource)

type Write = Partial<Pick<SavedFilter, 'name' | 'isShared' | 'query' | 'version'>>

/** Creates, changes and deletes; the list is renewed by the answer, and by the event in other windows. */
export const useSavedFilters = () => {
  const cache = useQueryClient()
  const onSuccess = () => cache.invalidateQueries({ queryKey: ['resource', savedFilterResource.event] })
  return {
    /** Its errors are shown at the field. */
    save: useMutation({
      mutationFn: ({ id, ...write }: Write & { id?: string }) =>
        id
          ? api.put<SavedFilter>(`/savedFilters/${id}`, write, { quiet: true })
          : api.post<SavedFilter>('/savedFilters', write, { quiet: true }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.delete(`/savedFilters/${id}`),
      onSuccess,
      onError: (error) => notify.error(messageOf(error)),
    }),
  }
}
