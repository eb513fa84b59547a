import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import type { BulkJobKind } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { JobParams } from './bulk-selection.ts'

/** What a job over conversations does to each: an action of the catalogue. */
export const actionOfJob = (
  kind: BulkJobKind,
  { newWhatsappId, destinationQueueId, userId, reasonId, tagIds = [] }: JobParams,
  { tags }: Pick<Directory, 'tags'>,
): Action => {
  switch (kind) {
    case 'moveChannel':
      return { kind: 'channel', connectionId: newWhatsappId ?? '' }
    case 'closeTickets':
      return reasonId === undefined ? { kind: 'forceClose' } : { kind: 'close', reasonId }
    case 'transferQueue':
      return userId
        ? { kind: 'transfer', queueId: destinationQueueId ?? null, userId }
        : { kind: 'queue', queueId: destinationQueueId ?? '' }
    case 'markRead':
      return { kind: 'markRead' }
    case 'tagTickets':
      return { kind: 'addTags', tagIds: tagIds.filter((id) => tags.has(id)) }
    default:
      throw new Error(`${kind} is no work over conversations`)
  }
}
