import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import { IntegrationError } from '../../../integrations/adapter.ts'
import { loadIntegration } from '../../../integrations/index.ts'
import { AppError } from '../../../kit/errors.ts'
import type { ConsumerKind, Delivery, Outcome } from '../deliveries/consumer-kinds.ts'
import { findIntegration, type IntegrationRow, saveConsumer } from './integrations.queries.ts'
import { configOf, contextOf, recordState } from './integrations.service.ts'

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
    return row ? tell(row, delivery) : { is: 'dropped' }
  },
  onState: async ({ tenantId, integrationId }, trouble) => {
    const text = trouble ?? 'Os avisos chegam de novo.'
    if (integrationId) await recordState(tenantId, integrationId, { ok: trouble === null, text })
  },
}

const tell = async <K extends IntegrationKind>(
  row: IntegrationRow & { kind: K },
  { id, topic, createdAt, payload, url }: Delivery,
): Promise<Outcome> => {
  const { hears } = await loadIntegration(row.kind)
  if (!hears) return { is: 'dropped' }
  try {
    return await hears.tell({ id, topic, at: createdAt, payload, url }, contextOf(row))
  } catch (error) {
    if (error instanceof IntegrationError || error instanceof AppError) return { is: 'failed', error: error.message }
    throw error
  }
}

/** Whether it can be told anything at all. */
export const isConsumer = async (tx: Tx, id: string): Promise<boolean> => {
  const row = await findIntegration(tx, id)
  return row !== undefined && (await loadIntegration(row.kind)).hears !== undefined
}

/** One that hears of events is a consumer of those it was saved with. */
export const keepConsumer = async (tx: Tx, id: string) => {
  const row = await findIntegration(tx, id)
  const topics = row && (await topicsOf(row))
  if (topics) await saveConsumer(tx, id, topics)
}
const topicsOf = async <K extends IntegrationKind>(row: IntegrationRow & { kind: K }) =>
  (await loadIntegration(row.kind)).hears?.topics(configOf(row))
