import { type Prepared, platformRows } from '../../../db/database.ts'
import type { Round } from '../../../kit/workers.ts'

/**
 * Sorts what was written since into the search index, of which every search reads the rest one by one. Left to itself
 * PostgreSQL does so in the very transaction that fills its list, while a customer waits. Little and often while there is
 * much: a second's worth of a campaign keeps a processor for 25 ms.
 */
export const sortMessagesIn = async (): Promise<Round> => {
  const [sorted] = await platformRows<{ pages: number }>(statement, [])
  const did = sorted?.pages ?? 0
  return { did, againInMs: did ? soonMs : undefined }
}
const soonMs = 200
const statement: Prepared = { name: 'messages_sort_in', text: 'select sort_messages_in() as pages' }
