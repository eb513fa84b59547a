import type { Family } from '@balcao/contract/core/integrations/define.ts'
import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import type { EventName } from '@balcao/contract/events.ts'
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { consumers } from '../../../db/schema/core/deliveries.ts'
import { integrations, oauthGrants } from '../../../db/schema/core/integrations.ts'

export type IntegrationRow = typeof integrations.$inferSelect

export const findIntegration = async (tx: Tx, id: string): Promise<IntegrationRow | undefined> => {
  const [row] = await tx.db
    .select()
    .from(integrations)
    .where(and(eq(integrations.tenantId, tx.tenantId), eq(integrations.id, id)))
  return row
}

/** The oldest of a family that is not known to be broken. */
export const findOfFamily = async (tx: Tx, family: Family): Promise<IntegrationRow | undefined> => {
  const [row] = await tx.db
    .select()
    .from(integrations)
    .where(
      and(eq(integrations.tenantId, tx.tenantId), eq(integrations.family, family), ne(integrations.state, 'broken')),
    )
    .orderBy(asc(integrations.createdAt), asc(integrations.id))
    .limit(1)
  return row
}

/** All of these kinds, oldest first. */
export const findOfKinds = (tx: Tx, kinds: readonly IntegrationKind[]): Promise<IntegrationRow[]> =>
  tx.db
    .select()
    .from(integrations)
    .where(and(eq(integrations.tenantId, tx.tenantId), inArray(integrations.kind, [...kinds])))
    .orderBy(asc(integrations.createdAt), asc(integrations.id))

export const allOfFamily = (tx: Tx, family: Family): Promise<IntegrationRow[]> =>
  tx.db
    .select()
    .from(integrations)
    .where(and(eq(integrations.tenantId, tx.tenantId), eq(integrations.family, family)))
    .orderBy(asc(integrations.createdAt), asc(integrations.id))

export const findGateways = (tx: Tx): Promise<IntegrationRow[]> =>
  tx.db
    .select()
    .from(integrations)
    .where(and(eq(integrations.tenantId, tx.tenantId), eq(integrations.family, 'gateway')))
    .orderBy(asc(integrations.kind))

export const insertIntegration = async (tx: Tx, row: Omit<typeof integrations.$inferInsert, 'tenantId'>) => {
  const [saved] = await tx.db
    .insert(integrations)
    .values({ ...row, tenantId: tx.tenantId })
    .returning()
  return saved
}
export const updateIntegration = async (tx: Tx, id: string, patch: Partial<IntegrationRow>) => {
  const [saved] = await tx.db
    .update(integrations)
    .set({ ...patch, version: sql`${integrations.version} + 1`, updatedAt: new Date() })
    .where(and(eq(integrations.tenantId, tx.tenantId), eq(integrations.id, id)))
    .returning()
  return saved
}
export const deleteIntegration = (tx: Tx, id: string) =>
  tx.db.delete(integrations).where(and(eq(integrations.tenantId, tx.tenantId), eq(integrations.id, id)))

/** What came of a check; the version stays, because nobody wrote. */
export const saveState = async (
  tx: Tx,
  id: string,
  state: Pick<IntegrationRow, 'state' | 'stateText'>,
): Promise<IntegrationRow | undefined> => {
  const [row] = await tx.db
    .update(integrations)
    .set({ ...state, checkedAt: new Date() })
    .where(and(eq(integrations.tenantId, tx.tenantId), eq(integrations.id, id)))
    .returning()
  return row
}

/** Whose consent is here and has not been taken back. */
export const authorizedAmong = async (tx: Tx): Promise<Set<string>> => {
  const rows = await tx.db
    .select({ id: oauthGrants.integrationId, revokedAt: oauthGrants.revokedAt })
    .from(oauthGrants)
    .where(eq(oauthGrants.tenantId, tx.tenantId))
  return new Set(rows.flatMap(({ id, revokedAt }) => (revokedAt ? [] : [id])))
}

/** Channels that go out by it or are entered with it: what they know of it is another now. */
export const renewUsers = (tx: Tx, id: string) => tx.rows(usersRenewed, [tx.tenantId, id])
const usersRenewed: Prepared = {
  name: 'integration_renew_users',
  text: `with calendars as (
      update calendar_syncs set due_at = date_trunc('milliseconds', now()), attempts = 0, problem = null
      where tenant_id = $1 and integration_id = $2)
    update connections set version = version + 1 where tenant_id = $1 and $2 in (proxy_id, mail_account_id)`,
}

/** What passages mean is to be asked of another model. */
export const readKnowledgeAgain = (tx: Tx, id: string) => tx.rows(knowledgeRead, [tx.tenantId, id])
const knowledgeRead: Prepared = {
  name: 'integration_knowledge_read_again',
  text: `update knowledge_sources s set due_at = now() from knowledge_bases b
    where b.tenant_id = $1 and b.integration_id = $2 and s.tenant_id = $1 and s.base_id = b.id`,
}

/** It is told of these from now on. */
export const saveConsumer = async (tx: Tx, integrationId: string, topics: EventName[]) => {
  const fresh = { topics, state: 'active' as const, failures: 0, restsUntil: new Date(), error: null }
  await tx.db
    .insert(consumers)
    .values({ tenantId: tx.tenantId, kind: 'integration', integrationId, ...fresh })
    .onConflictDoUpdate({ target: [consumers.tenantId, consumers.integrationId], set: fresh })
}
