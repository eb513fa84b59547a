import { type Action, withReplaced } from '@balcao/contract/conversations/actions/index.ts'
import { and, count, eq, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { segments } from '../../../db/schema/contacts/segments.ts'
import { savedFilters } from '../../../db/schema/conversations/lists.ts'
import { pipelineActions, ticketActions } from '../../../db/schema/operations/funnel-actions.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import { autoReplies } from '../../../db/schema/service/auto-replies.ts'
import { macros, quickMessages } from '../../../db/schema/service/library.ts'
import { findFlowsNaming } from '../../automation/flows/flows-naming.ts'
import { replaceInFlows } from '../../automation/flows/named-rows.ts'
import { markDeadlinesStale } from '../../conversations/deadlines/mark-stale.ts'
import { handOverQueueTexts } from '../../service/queues/hand-over-texts.ts'

type Change = { id: string; replacementId: string | null }
type By = { userId: string; name: string }

/** What people set up names the row too: macros, automatic answers, flows, segments, kept filters and the company's deadlines. */
export const replaceInSetUp = async (tx: Tx, change: Change, by: By) => {
  await replaceInMacros(tx, change)
  await replaceInAutoReplies(tx, change)
  for (const table of [pipelineActions, ticketActions]) await replaceInFunnelActions(tx, table, change)
  await replaceNamedByFlows(tx, change, by)
  await replaceInSegments(tx, change)
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
    flows: await findFlowsNaming(tx, id),
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

/** What has no step left still says its answer. */
const replaceInAutoReplies = async (tx: Tx, { id, replacementId }: Change) => {
  const rows = await tx.db
    .select({ id: autoReplies.id, actions: autoReplies.actions })
    .from(autoReplies)
    .where(and(eq(autoReplies.tenantId, tx.tenantId), sql`${autoReplies.actions}::text like ${`%${id}%`}`))
    .for('update')
  for (const row of rows) {
    const actions = row.actions.flatMap((action) => withReplaced(action, { id, replacementId }) ?? [])
    await tx.db
      .update(autoReplies)
      .set({ actions, version: sql`${autoReplies.version} + 1` })
      .where(and(eq(autoReplies.tenantId, tx.tenantId), eq(autoReplies.id, row.id)))
  }
}

/** What has nothing left to do is turned off, and says so where it is set up. */
const replaceInFunnelActions = async (
  tx: Tx,
  table: typeof pipelineActions | typeof ticketActions,
  { id, replacementId }: Change,
) => {
  const rows = await tx.db
    .select({ id: table.id, active: table.active, actions: table.actions })
    .from(table)
    .where(and(eq(table.tenantId, tx.tenantId), sql`${table.actions}::text like ${`%${id}%`}`))
    .for('update')
  for (const row of rows) {
    const actions = row.actions.flatMap((action) => withReplaced(action, { id, replacementId }) ?? [])
    await tx.db
      .update(table)
      .set({ actions, active: row.active && actions.length > 0, version: sql`${table.version} + 1` })
      .where(and(eq(table.tenantId, tx.tenantId), eq(table.id, row.id)))
  }
}

/** Without a replacement a flow goes on naming what is gone: its checks say so, and what runs passes it over. */
const replaceNamedByFlows = async (tx: Tx, { id, replacementId }: Change, { userId, name }: By) => {
  if (!replacementId) return
  const by = { userId, impersonatorId: null }
  await replaceInFlows(tx, by, { id, replacementId, note: `“${name}” deu lugar a outro cadastro.` })
}

/** Without a replacement a segment goes on naming what is gone, and says so. */
const replaceInSegments = async (tx: Tx, { id, replacementId }: Change) => {
  if (!replacementId) return
  await tx.db
    .update(segments)
    .set({
      rules: sql`replace(${segments.rules}::text, ${id}, ${replacementId})::jsonb`,
      version: sql`${segments.version} + 1`,
    })
    .where(and(eq(segments.tenantId, tx.tenantId), sql`${segments.rules}::text like ${`%${id}%`}`))
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
