import { replayBody } from '@balcao/contract/intake/journal.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import { encodeCursor, readCursor } from '../../../kit/cursor.ts'
import { defineJob } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { countEntries, countWaiting, findChannel, nextToReplay, receiveAnew } from './journal.queries.ts'
import { auditOfReplay, entryKey, keyOf, replayed, wakeInbound, within } from './journal.service.ts'

const stepSize = 500
/** No more of a company wait at one time: what comes in meanwhile is rescued in its turn. */
const mostWaiting = 2_000

const params = z.object({ connectionId: z.uuid(), filter: replayBody })

/** Events of a connection are handled once more, the oldest first, as fast as they are. */
export const replayEventsJob = defineJob({
  kind: 'replayEvents',
  can: 'connections.write',
  params,
  stepSize,
  isWhole: true,
  next: async ({ tx, directory, job, params: { connectionId, filter } }, limit) => {
    if (!(await findChannel(tx, connectionId))) return []
    if ((await countWaiting(tx, mostWaiting)) >= mostWaiting) return 'later'
    const asked = { ...replayed(connectionId, filter, directory.timezone), until: job.createdAt }
    const rows = await nextToReplay(tx, asked, job.cursor ? readCursor(job.cursor, entryKey) : undefined, limit)
    return rows.map((row) => ({ id: row.id, cursor: encodeCursor(keyOf(row)) }))
  },
  act: async ({ tx }, items) => {
    await receiveAnew(
      tx,
      items.map(({ id }) => id),
    )
    tx.afterCommit(wakeInbound)
    return []
  },
  finish: async ({ tx, params: { connectionId } }) =>
    (await findChannel(tx, connectionId)) ? undefined : { state: 'failed', error: 'O canal foi excluído.' },
})

export const enqueueReplay = (
  actor: Actor,
  connectionId: string,
  filter: z.output<typeof replayBody>,
): Promise<BulkJob> =>
  within(actor, connectionId, async (tx, { name, timezone }) => {
    const count = await countEntries(tx, replayed(connectionId, filter, timezone), null)
    return enqueueJob(tx, actor, {
      kind: 'replayEvents',
      params: { connectionId, filter },
      total: count,
      subject: name,
      audit: auditOfReplay(connectionId, { name, ...filter, count }),
    })
  })
