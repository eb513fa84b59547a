import type { Family } from '@balcao/contract/core/integrations/define.ts'
import type { EventName } from '@balcao/contract/events.ts'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
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

/** It is told of these from now on. */
export const saveConsumer = async (tx: Tx, integrationId: string, topics: EventName[]) => {
  const fresh = { topics, state: 'active' as const, failures: 0, restsUntil: new Date(), error: null }
  await tx.db
    .insert(consumers)
    .values({ tenantId: tx.tenantId, kind: 'integration', integrationId, ...fresh })
    .onConflictDoUpdate({ target: [consumers.tenantId, consumers.integrationId], set: fresh })
}
