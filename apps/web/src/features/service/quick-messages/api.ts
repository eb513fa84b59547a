import {
  type QuickFolder,
  type QuickMessage,
  quickFolderResource,
  quickMessageResource,
} from '@balcao/contract/service/quick-messages.ts'
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../../kit/resource-api.ts'

/** The canned replies this person may use, archived ones too; events renew them with the list of their screen. */
export const quickMessages = { ...allRows<QuickMessage>(quickMessageResource), staleTime: 300_000 }
export const quickFolders = { ...allRows<QuickFolder>(quickFolderResource), staleTime: 300_000 }

/** What `/` offers, and in which folder each stands. */
export const useQuickMessages = (enabled: boolean) => {
  const quick = useQuery({ ...quickMessages, enabled })
  const folders = useQuery({ ...quickFolders, enabled }).data ?? []
  return {
    offered: (quick.data ?? []).filter(({ isActive }) => isActive),
    folderOf: ({ folderId }: QuickMessage) => folders.find(({ id }) => id === folderId)?.name,
    isPending: quick.isPending,
  }
}
