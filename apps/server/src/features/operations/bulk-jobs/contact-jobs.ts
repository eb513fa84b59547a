import { describeAction } from '@balcao/contract/conversations/actions/index.ts'
import {
  type BulkJob,
  type ChangeContacts,
  changeContactsBody,
  contactAction,
} from '@balcao/contract/operations/bulk-jobs.ts'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { lanes } from '../../../db/schema/contacts/lanes.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { readPage } from '../../contacts/contacts/contacts.service.ts'
import { emitContactsChanged } from '../../contacts/imports/import-rows.ts'
import { withRules } from '../../contacts/membership/members.ts'
import { problemOf } from '../../conversations/actions/check-actions.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { defineJob } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { keepForUndo, nextKept } from '../../core/jobs/undo-parts.ts'
import { type Changed, changeContacts, lockContacts, restoreContacts } from './contact-changes.queries.ts'

const stepSize = 500
/** Lists are told after so many steps, and at the end. */
const tellEverySteps = 8
/** The cursor once the last page is done. */
const over = 'over'

/** The contacts of a list, or those chosen one by one, changed by one action of the catalogue. */
export const changeContactsJob = defineJob({
  kind: 'changeContacts',
  can: 'contacts.write',
  params: changeContactsBody,
  stepSize,
  undoneBy: 'undoContactsChange',
  next: async ({ tx, job, params, actor }, limit) => {
    if (job.cursor === over) return []
    if (params.contactIds.length) {
      const from = Number(job.cursor ?? 0)
      return params.contactIds.slice(from, from + limit).map((id, n) => ({ id, cursor: String(from + n + 1) }))
    }
    // Who came after it was asked for is not its business; what it changes moves nobody in this order.
    const cursor = job.cursor ?? undefined
    const page = await readPage(tx, actor, { ...inOrder(params), cursor, limit, count: false })
    const known = page.items.filter(({ createdAt }) => createdAt <= job.createdAt.toISOString())
    const next = known.length < page.items.length ? over : (page.nextCursor ?? over)
    return known.map(({ id }) => ({ id, cursor: next }))
  },
  act: async ({ tx, job, params, actor }, items) => {
    const asked = items.map(({ id }) => id)
    const ids = await lockContacts(tx, asked, await visibleContacts(actor))
    await keepForUndo({ tx, job }, await changeContacts(tx, params.action, ids))
    if (Math.floor(job.done / stepSize) % tellEverySteps === 0) await emitContactsChanged(tx)
    const there = new Set(ids)
    return asked.filter((id) => !there.has(id)).map((item) => ({ item, reason: 'Contato não encontrado.' }))
  },
  finish: async ({ tx, job }) => {
    await emitContactsChanged(tx)
    return { hasResult: job.hasResult }
  },
})

/** Takes it back for those it changed; what somebody changed since stays. */
export const undoContactsChangeJob = defineJob({
  kind: 'undoContactsChange',
  can: 'contacts.write',
  params: z.object({ action: contactAction }),
  stepSize,
  isWhole: true,
  next: async ({ tx, job }) => {
    const kept = await nextKept(tx, job)
    if (!kept) return []
    return (kept.changed as Changed[]).map((one) => ({ ...one, id: one.contactId, cursor: String(kept.place) })) // as `changeContactsJob` kept them
  },
  act: async ({ tx, params }, changed) => {
    await lockContacts(
      tx,
      changed.map(({ contactId }) => contactId),
      undefined,
    )
    await restoreContacts(tx, params.action, changed)
    return []
  },
  finish: async ({ tx }) => {
    await emitContactsChanged(tx)
    return undefined
  },
})

const inOrder = (params: ChangeContacts) => ({
  ...params,
  ...{ sort: 'createdAt' as const, direction: 'asc' as const, pageNumber: 1 },
})

/** Puts it on the list of jobs. A whole list is for who may also bring one in. */
export const enqueueContactsChange = async (actor: Actor, asked: ChangeContacts): Promise<BulkJob> => {
  if (!asked.contactIds.length && !actor.permissions.has('contacts.import')) throw new AppError('ERR_NO_PERMISSION')
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const problem = await problemOf(asked.action, { tx, directory, by: { author: byUser(actor), actor } })
    if (problem) throw fieldErrors({ ...problem, path: `action.${problem.path}` })
    const contactIds = [...new Set(asked.contactIds)]
    const total = contactIds.length || (await countListed(tx, actor, asked))
    const laneName = asked.action.kind === 'lane' ? await nameOfLane(tx, asked.action.laneId) : undefined
    const subject = describeAction(
      asked.action,
      (id) => directory.tags.get(id)?.name ?? directory.people.get(id)?.name ?? laneName,
    )
    const { segmentId } = asked
    return enqueueJob(tx, actor, {
      ...{ kind: 'changeContacts', params: { ...(await withRules(tx, actor, asked)), contactIds }, total, subject },
      audit: {
        action: 'bulk.changeContacts',
        entity: 'contact',
        entityId: 'all',
        after: { total, change: subject, ...(segmentId && { segmentId }) },
      },
    })
  })
}

const countListed = async (tx: Tx, actor: Actor, asked: ChangeContacts) => {
  const { count = 0 } = await readPage(tx, actor, { ...inOrder(asked), limit: 1, count: true })
  return count
}
const nameOfLane = async (tx: Tx, id: string) => {
  const [lane] = await tx.db
    .select({ name: lanes.name })
    .from(lanes)
    .where(and(eq(lanes.tenantId, tx.tenantId), eq(lanes.id, id)))
  return lane?.name
}
