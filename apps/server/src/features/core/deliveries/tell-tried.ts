import type { Delivery as Shown } from '@balcao/contract/core/integrations/deliveries.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { Delivery } from './consumer-kinds.ts'
import type { DeliveryRow } from './deliveries.queries.ts'

/** Whoever looks is told of many at once; what is left out shows when the list is read again. */
const everyMs = 500
const most = 12

export const presentDelivery = ({ triedAt, dueAt, createdAt, ...row }: DeliveryRow): Shown => ({
  ...row,
  triedAt: triedAt?.toISOString() ?? null,
  dueAt: row.state === 'waiting' ? dueAt.toISOString() : null,
  createdAt: createdAt.toISOString(),
})

let tried = new Map<string, { tenantId: number; integrationId: string; items: Map<number, Shown> }>()

/** Says to the people who look at a system's deliveries what became of these. */
export const tellTried = (of: Pick<Delivery, 'tenantId' | 'integrationId'>, rows: DeliveryRow[]) => {
  const { tenantId, integrationId } = of
  if (!integrationId || !rows.length) return
  if (!tried.size) setTimeout(tellAll, everyMs).unref()
  const told = tried.get(integrationId) ?? { tenantId, integrationId, items: new Map<number, Shown>() }
  tried.set(integrationId, told)
  for (const row of rows) told.items.set(row.id, { ...presentDelivery(row), error: row.error?.slice(0, 200) ?? null })
}

const tellAll = () => {
  const all = tried
  tried = new Map()
  for (const { items, ...of } of all.values())
    announce('deliveries.tried', { ...of, items: [...items.values()].slice(-most) })
}
