import type { TemplateDraft } from '@balcao/contract/channels/template-draft.ts'
import type { MessageTemplate } from '@balcao/contract/channels/templates.ts'
import type { Page } from '@balcao/contract/common.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

type Filter = { searchParam: string; connectionId: string[]; status: string[]; category: string[] }
/** Every template of the company, whatever Meta thinks of it. */
export const templatesOf = (filter: Filter) =>
  pagedList<Page<MessageTemplate>>(['templates', 'all', filter], '/templates', { ...filter, limit: pageSize })

export type WrittenTemplate = MessageTemplate & { draft: TemplateDraft | null }
export const writtenTemplate = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'one', id],
    queryFn: ({ signal }) => api.get<WrittenTemplate>(`/templates/${id}`, { signal }),
  })

/** An example may be a film of some megabytes, which goes on to Meta. */
const timeoutMs = 120_000
type Writing = { id: string | null; connectionId: string; draft: TemplateDraft }
export const useWriteTemplate = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, connectionId, draft }: Writing) =>
      id
        ? api.put<MessageTemplate>(`/templates/${id}`, { draft }, { timeoutMs, quiet: true })
        : api.post<MessageTemplate>('/templates', { connectionId, draft }, { timeoutMs, quiet: true }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['templates'] }),
  })
}
export const useDeleteTemplate = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`/templates/${id}`, undefined, { timeoutMs }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['templates'] }),
  })
}
