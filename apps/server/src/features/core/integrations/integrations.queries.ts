import type { Family } from '@balcao/contract/core/integrations/define.ts'
import type { EventName } from '@balcao/contract/events.ts'
import { and, asc, eq, ne } from 'drizzle-orm'
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
export const reviveConsumer = async (tx: Tx, integrationId: string) => {
  await tx.rows(revive, [tx.tenantId, integrationId])
}
const revive: Prepared = {
  name: 'consumer_revive',
  text: `update consumers set state = 'active', failures = 0, error = null, rests_until = now()
    where tenant_id = $1 and integration_id = $2`,
}

/** Nobody counts further. */
const mostCounted = 1_000
const shown = 20
type Dead = { id: string; topic: string; attempts: number; error: string | null; createdAt: string }
type Undelivered = { waiting: number; waitsSince: string | null; dead: number; items: Dead[] }
export const findUndelivered = async (tx: Tx, integrationId: string): Promise<Undelivered> => {
  const [row] = await tx.rows<Undelivered>(undelivered, [tx.tenantId, integrationId])
  return row ?? { waiting: 0, waitsSince: null, dead: 0, items: [] }
}
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const undelivered: Prepared = {
  name: 'integration_undelivered',
  text: `with one as (select id from consumers where tenant_id = $1 and integration_id = $2),
    waiting as (select d.created_at from deliveries d, one where d.tenant_id = $1 and d.consumer_id = one.id
      and d.state = 'waiting' order by d.seq limit ${mostCounted}),
    dead as (select d.* from deliveries d, one where d.tenant_id = $1 and d.consumer_id = one.id
      and d.state = 'dead' order by d.seq desc limit ${mostCounted})
    select (select count(*)::int from waiting) as waiting, (select ${iso('min(created_at)')} from waiting) as "waitsSince",
      (select count(*)::int from dead) as dead,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'topic', topic, 'attempts', attempts, 'error', error,
          'createdAt', ${iso('created_at')}) order by seq desc), '[]')
        from (select * from dead order by seq desc limit ${shown}) newest) as items`,
}

/** From the first attempt on, in their old order. */
export const reviveDead = async (tx: Tx, integrationId: string) => {
  await tx.rows(reviveAll, [tx.tenantId, integrationId])
}
const reviveAll: Prepared = {
  name: 'integration_revive_dead',
  text: `update deliveries d set state = 'waiting', attempts = 0, due_at = now(), created_at = now()
    from consumers c where c.tenant_id = $1 and c.integration_id = $2 and d.tenant_id = $1 and d.consumer_id = c.id
      and d.state = 'dead'`,
}
