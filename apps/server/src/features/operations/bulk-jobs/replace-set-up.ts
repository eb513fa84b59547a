import { type Action, withReplaced } from '@balcao/contract/conversations/actions/index.ts'
import { and, count, eq, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { savedFilters } from '../../../db/schema/conversations/lists.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { macros, quickMessages } from '../../../db/schema/service/library.ts'
import { markDeadlinesStale } from '../../conversations/deadlines/mark-stale.ts'
import { handOverQueueTexts } from '../../service/queues/hand-over-texts.ts'

type Change = { id: string; replacementId: string | null }

/** What people set up names the row too: their macros, their kept filters and the company's deadlines. */
export const replaceInSetUp = async (tx: Tx, change: Change) => {
  await replaceInMacros(tx, change)
  await replaceInFilters(tx, change)
  await replaceInDeadlines(tx, change)
}

/** What people set up names the row so often. */
export const countInSetUp = async (tx: Tx, id: string) => {
  const [quick] = await tx.db
    .select({ count: count() })
    .from(quickMessages)
    .where(and(eq(quickMessages.tenantId, tx.tenantId), eq(quickMessages.queueId, id)))
  const using = await tx.db
    .select({ actions: macros.actions })
    .from(macros)
    .where(and(eq(macros.tenantId, tx.tenantId), or(eq(macros.queueId, id), naming(id))))
  const isEmptied = (actions: Action[]) => actions.every((action) => !withReplaced(action, { id, replacementId: null }))
  return {
    quickMessages: quick?.count ?? 0,
    macros: using.length,
    emptiedMacros: using.filter(({ actions }) => isEmptied(actions)).length,
  }
}

const naming = (id: string) => sql`${macros.actions}::text like ${`%${id}%`}`

const replaceInMacros = async (tx: Tx, { id, replacementId }: Change) => {
  await handOverQueueTexts(tx, id, replacementId)
  const rows = await tx.db
    .select({ id: macros.id, actions: macros.actions })
    .from(macros)
    .where(and(eq(macros.tenantId, tx.tenantId), naming(id)))
    .for('update')
  for (const row of rows) {
    const actions = row.actions.flatMap((action) => withReplaced(action, { id, replacementId }) ?? [])
    const self = and(eq(macros.tenantId, tx.tenantId), eq(macros.id, row.id))
    if (actions.length)
      await tx.db
        .update(macros)
        .set({ actions, version: sql`${macros.version} + 1` })
        .where(self)
    else await tx.db.delete(macros).where(self) // it did nothing else
  }
}

const replaceInFilters = (tx: Tx, { id, replacementId }: Change) =>
  tx.db
    .update(savedFilters)
    .set({
      query: replacementId
        ? sql`replace(${savedFilters.query}, ${id}, ${replacementId})`
        : sql`trim(both '&' from regexp_replace(${savedFilters.query}, ${`(^|&)[^&=]*=${id}(?=&|$)`}, '', 'g'))`,
      version: sql`${savedFilters.version} + 1`,
    })
    .where(and(eq(savedFilters.tenantId, tx.tenantId), sql`${savedFilters.query} like ${`%${id}%`}`))

const replaceInDeadlines = async (tx: Tx, { id, replacementId }: Change) => {
  const [tenant] = await tx.db
    .select({ settings: tenants.settings })
    .from(tenants)
    .where(eq(tenants.id, tx.tenantId))
    .for('update')
  const targets = tenant?.settings.slaTargets ?? []
  if (!tenant || !targets.some((target) => target.queueId === id)) return
  // Where the other queue promises something itself, that stays.
  const isPromised = (priority: string | null) =>
    targets.some((target) => target.queueId === replacementId && target.priority === priority)
  const slaTargets = targets.flatMap((target) => {
    if (target.queueId !== id) return [target]
    return replacementId && !isPromised(target.priority) ? [{ ...target, queueId: replacementId }] : []
  })
  await tx.db
    .update(tenants)
    .set({ settings: { ...tenant.settings, slaTargets } })
    .where(eq(tenants.id, tx.tenantId))
  await markDeadlinesStale(tx)
}
