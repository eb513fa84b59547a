import type { Family } from '@balcao/contract/core/integrations/define.ts'
import {
  type Integration,
  type IntegrationConfig,
  type IntegrationKind,
  integrationKinds,
  integrations,
} from '@balcao/contract/core/integrations/index.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import { type IntegrationContext, IntegrationError } from '../../../integrations/adapter.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { direct } from '../../../kit/egress.ts'
import type { Route } from '../../../kit/egress-dial.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { emit } from '../../../kit/outbox.ts'
import { sealedConfig } from '../../../kit/sealed-config.ts'
import { reviveConsumer } from '../deliveries/deliveries.service.ts'
import { accessTokenOf } from './grants.ts'
import {
  allOfFamily,
  authorizedAmong,
  deleteIntegration,
  findIntegration,
  findOfFamily,
  findOfKinds,
  type IntegrationRow,
  saveState,
} from './integrations.queries.ts'

/** The settings of each kind of integration, by its definition. */
export const integrationConfig = Object.fromEntries(
  integrationKinds.map((kind) => [kind, sealedConfig(integrations[kind].config)]),
) as Record<IntegrationKind, ReturnType<typeof sealedConfig>> // every kind is named

/** Rows as they leave: no secret, and whether their owner has consented. */
export const presentIntegrations = async (tx: Tx, rows: IntegrationRow[]): Promise<Integration[]> => {
  const asks = rows.some(({ kind }) => 'oauth' in integrations[kind])
  const authorized = asks ? await authorizedAmong(tx) : new Set<string>()
  return rows.map(({ tenantId: _, ...row }) => ({
    ...row,
    config: integrationConfig[row.kind].hide(row.config),
    isAuthorized: 'oauth' in integrations[row.kind] ? authorized.has(row.id) : null,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}

/** The "testar" button: tries the account and keeps what came of it. */
export const testIntegration = async (tenantId: number, id: string) => {
  const row = await requireIntegration(tenantId, id)
  const outcome = await tryIntegration(row)
  await recordState(tenantId, id, outcome)
  return outcome
}

type Outcome = { ok: boolean; text: string }
const tryIntegration = async (row: IntegrationRow): Promise<Outcome> => {
  try {
    const { text } = await (await loadIntegration(row.kind)).test(contextOf(row))
    return { ok: true, text }
  } catch (error) {
    if (error instanceof IntegrationError || error instanceof AppError) return { ok: false, text: error.message }
    log.error({ err: error, tenantId: row.tenantId, integrationId: row.id }, 'integration could not be tried')
    return { ok: false, text: 'Não conseguimos falar com este provedor. Confira os dados.' }
  }
}

/** What came of a try. One that works is told of events again. */
export const recordState = (tenantId: number, id: string, { ok, text }: Outcome) =>
  withTenant(tenantId, async (tx) => {
    if (ok) await reviveConsumer(tx, id)
    const saved = await saveState(tx, id, { state: ok ? 'working' : 'broken', stateText: text })
    const [shown] = saved ? await presentIntegrations(tx, [saved]) : []
    if (shown) await emit(tx, 'integration.updated', shown, { kind: 'permission', can: 'integrations.write' })
  })

/** The company's accounts of these kinds, oldest first. */
export const integrationsOfKinds = (tenantId: number, kinds: readonly IntegrationKind[]): Promise<IntegrationRow[]> =>
  withTenant(tenantId, (tx) => findOfKinds(tx, kinds))

export const requireIntegration = async (tenantId: number, id: string): Promise<IntegrationRow> => {
  const row = await withTenant(tenantId, (tx) => findIntegration(tx, id))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

export { findIntegration, type IntegrationRow }
/** All accounts of a family, the oldest first, as they leave. */
export const integrationsOfFamily = async (tx: Tx, family: Family): Promise<Integration[]> =>
  presentIntegrations(tx, await allOfFamily(tx, family))

/** Takes an account away, with its consent: what used it has let go of it before. */
export const dropIntegration = async (tx: Tx, id: string): Promise<void> => {
  await deleteIntegration(tx, id)
  await writeAudit(tx, null, { action: 'integration.deleted', entity: 'integration', entityId: id })
  await emit(tx, 'integration.deleted', { id }, { kind: 'permission', can: 'integrations.write' })
}

export type OpenIntegration = Pick<IntegrationRow, 'id' | 'tenantId' | 'name'> & {
  adapter: Awaited<ReturnType<typeof loadIntegration>>
  context: IntegrationContext<IntegrationKind>
}
/** The account a company uses for something, ready to be asked; undefined when it has none that works. */
export const openIntegration = async (tenantId: number, family: Family): Promise<OpenIntegration | undefined> => {
  const row = await withTenant(tenantId, (tx) => findOfFamily(tx, family))
  return (
    row && { id: row.id, tenantId, name: row.name, adapter: await loadIntegration(row.kind), context: contextOf(row) }
  )
}

/** Its use has shown that it no longer works. */
export const markBroken = (one: OpenIntegration, text: string) => recordState(one.tenantId, one.id, { ok: false, text })

export const contextOf = <K extends IntegrationKind>(row: IntegrationRow & { kind: K }): IntegrationContext<K> => ({
  tenantId: row.tenantId,
  id: row.id,
  config: configOf(row),
  egress: direct,
  accessToken: (refused) => accessTokenOf(row, refused),
})

/** The way out that a proxy of the company offers. Throws rather than go another way. */
export const routeOf = async (tenantId: number, id: string): Promise<Route> => {
  const row = await requireIntegration(tenantId, id)
  const route = await routeBy(row)
  if (!route) throw new Error(`Integration ${id} offers no way out`)
  return route
}
const routeBy = async <K extends IntegrationKind>(row: IntegrationRow & { kind: K }) =>
  (await loadIntegration(row.kind)).route?.(configOf(row))

/** The settings with their secrets open. */
export const configOf = <K extends IntegrationKind>({ kind, id, config }: IntegrationRow & { kind: K }) =>
  integrationConfig[kind].open(id, config) as IntegrationConfig<K> // parsed by the schema of this very kind
