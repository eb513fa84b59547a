import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import { IntegrationError } from '../../../integrations/adapter.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import type { ConsumerKind, Delivery, Outcome } from '../deliveries/consumer-kinds.ts'
import {
  findIntegration,
  findUndelivered,
  type IntegrationRow,
  reviveConsumer,
  reviveDead,
  saveConsumer,
} from './integrations.queries.ts'
import { configOf, contextOf, recordState, requireIntegration } from './integrations.service.ts'

const minute = 60
const hour = 60 * minute

/** An integration that is told of events: a system of the company. */
export const integrationConsumer: ConsumerKind = {
  kind: 'integration',
  pausesS: [10, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour],
  livesS: 72 * hour,
  isKept: true,
  deliver: async (delivery) => {
    const { tenantId, integrationId } = delivery
    const row = integrationId && (await withTenant(tenantId, (tx) => findIntegration(tx, integrationId)))
    return row ? tell(row, delivery) : 'dropped'
  },
  onState: async ({ tenantId, integrationId }, trouble) => {
    const text = trouble ?? 'Os avisos chegam de novo.'
    if (integrationId) await recordState(tenantId, integrationId, { ok: trouble === null, text })
  },
}

const tell = async <K extends IntegrationKind>(
  row: IntegrationRow & { kind: K },
  { id, topic, createdAt, payload }: Delivery,
): Promise<Outcome> => {
  const { hears } = await loadIntegration(row.kind)
  if (!hears) return 'dropped'
  try {
    return await hears.tell({ id, topic, at: createdAt, payload }, contextOf(row))
  } catch (error) {
    if (error instanceof IntegrationError || error instanceof AppError) return { failed: error.message }
    throw error
  }
}

/** One that hears of events is a consumer of those it was saved with. */
export const keepConsumer = async (tx: Tx, id: string) => {
  const row = await findIntegration(tx, id)
  const topics = row && (await topicsOf(row))
  if (topics) await saveConsumer(tx, id, topics)
}
const topicsOf = async <K extends IntegrationKind>(row: IntegrationRow & { kind: K }) =>
  (await loadIntegration(row.kind)).hears?.topics(configOf(row))

export const readDeliveries = async ({ tenantId }: Actor, id: string) => {
  await requireIntegration(tenantId, id)
  return withTenant(tenantId, (tx) => findUndelivered(tx, id))
}

/** What it could not be told is told anew. */
export const retryDeliveries = async (actor: Actor, id: string) => {
  const { name } = await requireIntegration(actor.tenantId, id)
  return withTenant(actor.tenantId, async (tx) => {
    await reviveConsumer(tx, id)
    await reviveDead(tx, id)
    await writeAudit(tx, actor, {
      action: 'integration.retried',
      entity: 'integration',
      entityId: id,
      after: { name },
    })
    return findUndelivered(tx, id)
  })
}
