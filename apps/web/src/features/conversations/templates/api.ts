import type { MessageTemplate, templatesSynced } from '@balcao/contract/channels/templates.ts'
import type { Page } from '@balcao/contract/common.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'
import { readAll } from '../../../kit/resource-api.ts'

type Wanted = { connectionId: string; searchParam: string; category: string | null }

/** Approved templates of a connection, by name. */
export const templateList = ({ connectionId, searchParam, category }: Wanted) =>
  pagedList<Page<MessageTemplate>>(['templates', connectionId, searchParam, category], '/templates', {
    connectionId,
    searchParam,
    category: category ?? undefined,
    status: 'APPROVED',
  })

const mostTemplates = 2_000
/** Every approved one of a connection, for whoever chooses among all of them. */
export const approvedTemplates = (connectionId: string) =>
  queryOptions({
    queryKey: ['templates', connectionId, 'approved'],
    queryFn: ({ signal }) =>
      readAll<MessageTemplate>('/templates', { connectionId, status: 'APPROVED' }, signal, mostTemplates),
  })

const syncTimeoutMs = 60_000

/** Asks the provider for the templates of a connection now. */
export const useSyncTemplates = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (connectionId: string) =>
      api.post<z.output<typeof templatesSynced>>('/templates/sync', { connectionId }, { timeoutMs: syncTimeoutMs }),
    onSuccess: (_, connectionId) => cache.invalidateQueries({ queryKey: ['templates', connectionId] }),
  })
}

/** "7 modelos aprovados de 9." */
export const syncedText = ({ total, approved }: z.output<typeof templatesSynced>) =>
  total === 0 ? 'Ainda não há modelos nesta conta da Meta.' : `Modelos atualizados: ${approved} aprovados de ${total}.`
