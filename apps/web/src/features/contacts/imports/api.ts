import type { Page } from '@balcao/contract/common.ts'
import type {
  ContactImport,
  ContactImportMapping,
  ContactImportOptions,
  groupsSynced,
  ImportOutcome,
  ImportRowView,
} from '@balcao/contract/contacts/imports.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, upload } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { downloadFile } from '../../../kit/download.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export const importsKey = ['contactImports'] as const
export const importList = pagedList<Page<ContactImport>>([...importsKey, 'list'], '/contacts/imports')
/** The latest by their names, for pickers. */
export const importNames = queryOptions({
  queryKey: [...importsKey, 'names'],
  queryFn: async ({ signal }) =>
    (await api.get<Page<ContactImport>>('/contacts/imports', { query: { limit: 200 }, signal })).items,
})
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: [...importsKey, 'one', id],
    queryFn: ({ signal }) => api.get<ContactImport>(`/contacts/imports/${id}`, { signal, quiet: true }),
  })

export type RowsShown = ImportOutcome | 'partial'
/** The first rows, as they came or of one outcome. */
export const importRows = (id: string, outcome: RowsShown | null, limit: number) =>
  queryOptions({
    queryKey: [...importsKey, 'rows', id, outcome, limit],
    queryFn: ({ signal }) =>
      api.get<{ items: ImportRowView[]; hasMore: boolean }>(`/contacts/imports/${id}/rows`, {
        query: { ...(outcome && { outcome }), limit },
        signal,
        quiet: true,
      }),
  })

export type HowToRead = { encoding?: string; delimiter?: string; sheet?: string; hasHeadings?: boolean }
export const uploadContacts = (
  file: File,
  how: HowToRead,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => {
  const query = new URLSearchParams(Object.entries(how).map(([key, value]) => [key, String(value)]))
  return upload<ContactImport>({ path: `/contacts/upload?${query}`, file, onProgress, signal })
}
export const checkImport = (id: string, body: { mapping: ContactImportMapping; options: ContactImportOptions }) =>
  api.post<ContactImport>(`/contacts/imports/${id}/check`, body)
/** What the phone of a channel knows: its people as an import, its groups at once. */
export const syncPeople = (whatsappId: string) =>
  api.post<ContactImport>('/contacts/sync', { whatsappId }, { timeoutMs: longTimeoutMs })
export const syncGroups = (whatsappId: string) =>
  api.post<z.output<typeof groupsSynced>>('/groups/sync', { whatsappId }, { timeoutMs: longTimeoutMs })
export const runImport = (id: string) => api.post<ContactImport>(`/contacts/imports/${id}/run`)
export const undoImport = (id: string) => api.post<ContactImport>(`/contacts/imports/${id}/undo`)
export const discardImport = (id: string) => api.delete(`/contacts/imports/${id}`)
export const downloadProblems = (id: string) => downloadFile({ path: `/contacts/imports/${id}/problems.csv` })
