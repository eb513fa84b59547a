import { type GatewayKind, lentKinds } from '@balcao/contract/channels/hosts.ts'
import { installationId, type TenantHost } from '@balcao/contract/platform/hosts.ts'
import { eq } from 'drizzle-orm'
import { type Tx, withPlatform } from '../../../db/database.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import {
  deleteGateway,
  type GatewayRow,
  gatewaysOf,
  gatewayUses,
  saveGateway,
} from '../../core/integrations/gateways.ts'
import { integrationConfig, testIntegration } from '../../core/integrations/integrations.service.ts'
import { inTenant, writePlatformAudit } from '../../core/platform-audit/platform-audit.ts'

export const listHosts = async (tenantId: number): Promise<TenantHost[]> => {
  const rows = await gatewaysOf(tenantId)
  return withPlatform('hosts', (tx) => present(inTenant(tx, tenantId), rows))
}

/** A new one, or what is left out of the config stays. */
export const saveHost = (actor: Actor, tenantId: number, kind: GatewayKind, config: Record<string, unknown>) =>
  withPlatform('hosts', async (tx) => {
    if (tenantId === installationId && !lentKinds.includes(kind))
      throw fieldErrors({ path: 'kind', message: 'Esta conta é de cada empresa, e não da instalação.' })
    const there = await lockCompany(tx, tenantId)
    const { before, after } = await saveGateway(there, kind, config)
    await writePlatformAudit(tx, {
      userId: actor.userId,
      tenantId,
      action: 'host.updated',
      details: { kind, before: before && shownConfig(before), after: shownConfig(after) },
    })
    const [shown] = await present(there, [after])
    if (!shown) throw new AppError('ERR_NOT_FOUND')
    return shown
  })

export const removeHost = (actor: Actor, tenantId: number, kind: GatewayKind) =>
  withPlatform('hosts', async (tx) => {
    const there = await lockCompany(tx, tenantId)
    const before = await deleteGateway(there, kind)
    const details = { kind, before: shownConfig(before) }
    await writePlatformAudit(tx, { userId: actor.userId, tenantId, action: 'host.deleted', details })
  })

export const testHost = async (tenantId: number, kind: GatewayKind) => {
  const row = (await gatewaysOf(tenantId)).find((one) => one.kind === kind)
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return testIntegration(tenantId, row.id)
}

/** Two who set up the same server do it one after the other. */
const lockCompany = async (tx: Tx, tenantId: number): Promise<Tx> => {
  const [company] = await tx.db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for('update')
  if (!company) throw new AppError('ERR_NOT_FOUND')
  return inTenant(tx, tenantId)
}

const shownConfig = ({ kind, config }: GatewayRow) => integrationConfig[kind].hide(config)
const present = async (tx: Tx, rows: GatewayRow[]): Promise<TenantHost[]> => {
  const uses = await gatewayUses(tx)
  return rows.map((row) => ({
    kind: row.kind,
    config: shownConfig(row),
    state: row.state,
    stateText: row.stateText,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    connections: uses.get(row.kind) ?? 0,
  }))
}
