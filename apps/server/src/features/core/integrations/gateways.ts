import { type IntegrationConfig, type IntegrationKind, integrations } from '@balcao/contract/core/integrations/index.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { findGateways, type IntegrationRow } from './integrations.queries.ts'
import { configOf } from './integrations.service.ts'
import { deleteSingle, findSingle, saveSingle } from './single.ts'

/** The platform itself is company 0: what it has set up is everybody's. */
export const platformTenant = 0

/** Kinds that are servers of WhatsApp gateways: a company has one of each at most. */
type Gateway = {
  [K in IntegrationKind]: (typeof integrations)[K]['family'] extends 'gateway' ? K : never
}[IntegrationKind]
export type GatewayRow = IntegrationRow

/** What a company's server lends to those who stand on it, secrets open; undefined where it has none. */
export const gatewayOf = async <K extends Gateway>(
  tenantId: number,
  kind: K,
): Promise<IntegrationConfig<K> | undefined> => {
  const row = await withTenant(tenantId, (tx) => findSingle(tx, kind))
  return row && configOf(row as IntegrationRow & { kind: K }) // found by this very kind
}

/** Every server of a company. */
export const gatewaysOf = (tenantId: number): Promise<IntegrationRow[]> => withTenant(tenantId, findGateways)

/** Sets up the company's server, or changes it. */
export const saveGateway = (tx: Tx, kind: Gateway, given: Record<string, unknown>) =>
  saveSingle(
    tx,
    {
      ...{ kind, name: `Servidor ${integrations[kind].label}` },
      beforeChange: (before, config) => gatewayChanged(tx, before, config),
    },
    given,
  )

export const deleteGateway = async (tx: Tx, kind: Gateway): Promise<IntegrationRow> => {
  const row = await findSingle(tx, kind)
  if (!row) throw new AppError('ERR_NOT_FOUND')
  await refuseUsedGateway(tx, kind)
  await deleteSingle(tx, row)
  return row
}

/** Those who stand on a server that is changed or taken away; a feature above knows them. */
type Users = {
  count: (tx: Tx) => Promise<ReadonlyMap<string, number>>
  /** It has other data now, or is another server altogether. */
  renew: (tx: Tx, kind: IntegrationKind, isElsewhere: boolean) => Promise<void>
}
let users: Users = { count: async () => new Map(), renew: async () => {} }
export const registerGatewayUsers = (given: Users) => {
  users = given
}
/** How many stand on each server of this company. */
export const gatewayUses = (tx: Tx) => users.count(tx)

/** Told before it is written. */
export const gatewayChanged = (tx: Tx, { kind, config }: IntegrationRow, next: Record<string, unknown>) =>
  users.renew(tx, kind, config.baseUrl !== next.baseUrl)

/** Nobody is left without a server. */
export const refuseUsedGateway = async (tx: Tx, kind: IntegrationKind) => {
  const uses = (await users.count(tx)).get(kind) ?? 0
  if (uses === 0) return
  const message =
    uses === 1
      ? 'Um canal usa este servidor. Troque nele antes.'
      : `${uses} canais usam este servidor. Troque neles antes.`
  throw new AppError('ERR_IN_USE', { message })
}
