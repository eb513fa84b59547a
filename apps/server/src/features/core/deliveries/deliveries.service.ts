import type { deliveriesQuery } from '@balcao/contract/core/integrations/deliveries.ts'
import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { deliveries } from '../../../db/schema/core/deliveries.ts'
import { beyondAll, readCursor, toPage } from '../../../kit/cursor.ts'
import {
  countUndelivered,
  findActiveConsumer,
  findDeliveries,
  findDelivery,
  revive,
  reviveConsumer,
} from './kept.queries.ts'
import { presentDelivery, tellTried } from './tell-tried.ts'

export { reviveConsumer } from './kept.queries.ts'

const pageSize = 50

export const listDeliveries = async (
  tx: Tx,
  integrationId: string,
  { cursor, limit = pageSize, state }: z.output<typeof deliveriesQuery>,
) => {
  const [before] = cursor ? readCursor(cursor, z.tuple([z.int()])) : [beyondAll.seq]
  const rows = await findDeliveries(tx, { integrationId, states: state, before, limit: limit + 1 })
  const page = toPage(rows, limit, ({ id }) => [id])
  return { ...page, items: page.items.map(presentDelivery) }
}

/** With what it carries, as it was told. */
export const readDelivery = async (tx: Tx, integrationId: string, seq: number) => {
  const row = await findDelivery(tx, integrationId, seq)
  if (!row) return undefined
  const { payload, url, answer, ...shown } = row
  const told = { id: row.deliveryId, topic: row.topic, at: row.createdAt, payload, url }
  return { shown: presentDelivery(shown), told, answer }
}

/** Tells anew what could not be told, or this one alone; answers how many there are. */
export const tellAnew = async (tx: Tx, integrationId: string, seq: number | null) => {
  await reviveConsumer(tx, integrationId)
  const rows = await revive(tx, integrationId, seq)
  tx.afterCommit(() => tellTried({ tenantId: tx.tenantId, integrationId }, rows))
  return rows.length
}

type Telling = Pick<typeof deliveries.$inferInsert, 'id' | 'topic' | 'lane' | 'payload' | 'url'> & {
  integrationId: string
}
/** Something for one integration that is no event; false where it hears of nothing now. */
export const tellConsumer = async (tx: Tx, { integrationId, ...delivery }: Telling): Promise<boolean> => {
  const consumerId = await findActiveConsumer(tx, integrationId)
  if (!consumerId) return false
  const row = { tenantId: tx.tenantId, consumerId, isLatestOnly: false, dueAt: new Date(), ...delivery }
  await tx.db.insert(deliveries).values(row)
  return true
}

export const undeliveredOf = countUndelivered
