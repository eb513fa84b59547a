import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { replaceKinds } from '@balcao/contract/operations/replace-kinds.ts'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { markDeadlinesStale } from '../../conversations/deadlines/mark-stale.ts'
import { commitTicketChanges } from '../../conversations/tickets/commit-ticket-changes.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import { wakeDistribution } from '../../conversations/tickets/wake-distribution.ts'
import { getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { defineJob, type JobRow } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { deleteReplaced } from './delete-replaced.ts'
import { replaceInSetUp } from './replace-set-up.ts'
import { countUses, nextUses, type ReplaceKind, replaceable, replaceUses } from './replaceable.ts'

const replaceParams = z.object({ id: z.uuid(), name: z.string(), replacementId: z.uuid().nullable() })

export const readUses = (actor: Actor, kind: ReplaceKind, id: string) =>
  withTenant(actor.tenantId, async (tx) => {
    await lockRow(tx, kind, id)
    return countUses(tx, kind, id)
  })

/** Puts the replacement on the list of jobs. Meanwhile the row is inactive: nobody chooses it anew. */
export const enqueueReplacement = (
  actor: Actor,
  kind: ReplaceKind,
  { id, replacementId }: { id: string; replacementId: string | null },
): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const { table, resource } = replaceable[kind]
    const { name } = await lockRow(tx, kind, id)
    if (replacementId === id) throw fieldErrors({ path: 'replacementId', message: 'Escolha outra.' })
    if (replacementId && !(await lockRow(tx, kind, replacementId)).isActive)
      throw fieldErrors({ path: 'replacementId', message: 'Escolha uma que esteja ativa.' })
    await tx.db
      .update(table)
      .set({ isActive: false, version: sql`${table.version} + 1`, updatedAt: new Date() })
      .where(and(eq(table.tenantId, tx.tenantId), eq(table.id, id)))
    const uses = await countUses(tx, kind, id)
    const params = { id, name, replacementId }
    tx.afterCommit(() => invalidateDirectory(tx.tenantId))
    return enqueueJob(tx, actor, {
      kind,
      params,
      total: uses.contacts + uses.tickets + uses.connections,
      audit: {
        action: `bulk.${kind}`,
        entity: resource.event,
        entityId: id,
        before: { name },
        after: { ...uses, replacementId },
      },
    })
  })

/** The next uses of one reference are given to the other row; when there are none left, the row itself goes. */
export const replaceJobs = replaceKinds.map((kind) =>
  defineJob({
    kind,
    can: replaceable[kind].resource.can.write,
    params: replaceParams,
    stepSize: 100,
    isWhole: true,
    next: async ({ tx, params }, limit) => {
      for (const reference of replaceable[kind].references) {
        const uses = await nextUses(tx, reference, params.id, limit)
        if (uses.length) return uses.map((id) => ({ id, reference }))
      }
      return []
    },
    act: async ({ tx, job, params }, items) => {
      const ids = items.map(({ id }) => id)
      const reference = items[0]?.reference
      if (!reference) return []
      await replaceUses(tx, reference, { ...params, uses: ids })
      if (reference.place === 'tickets' && kind !== 'replaceReason') await tellTickets(tx, job, params, ids)
      return []
    },
    finish: async ({ tx, job, params }) => {
      await replaceInSetUp(tx, params, { userId: job.userId, name: params.name })
      await deleteReplaced(tx, replaceable[kind], params.id, job.userId)
      return undefined
    },
  }),
)

/** Those that are being attended or wait change before the eyes of whoever has them on screen. */
const tellTickets = async (
  tx: Tx,
  job: JobRow,
  { id, replacementId }: z.output<typeof replaceParams>,
  ids: string[],
) => {
  const active = (await findTickets(tx, ids)).filter((ticket) => ticket.status !== 'closed')
  if (!active.length) return
  const isQueue = job.kind === 'replaceQueue'
  const person = (await getDirectory(tx.tenantId)).people.get(job.userId)
  await commitTicketChanges(
    tx,
    active.map((ticket) => ({
      before: isQueue ? { ...ticket, queueId: id } : ticket,
      cause: { kind: 'replacement', id },
      ...(isQueue && {
        logs: [{ type: 'queue', userId: job.userId, queueId: replacementId, note: 'A fila anterior foi excluída.' }],
      }),
    })),
    byUser({ userId: job.userId, name: person?.name ?? 'Usuário removido' }),
  )
  if (!isQueue) return
  await markDeadlinesStale(tx)
  wakeDistribution(tx)
}

const lockRow = async (tx: Tx, kind: ReplaceKind, id: string) => {
  const { table } = replaceable[kind]
  const [row] = await tx.db
    .select({ name: table.name, isActive: table.isActive })
    .from(table)
    .where(and(eq(table.tenantId, tx.tenantId), eq(table.id, id)))
    .for('no key update')
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}
