import { asSingle, type QuickMessage, quickMessage } from '@balcao/contract/service/quick-messages.ts'
import type { Tx } from '../../../db/database.ts'
import type { quickMessages } from '../../../db/schema/service/library.ts'
import { withTextDates } from '../../../kit/crud-fields.ts'
import { showParts } from '../../conversations/parts/parts.ts'
import { partsOf, usesOf } from './quick-messages.queries.ts'

/** Quick messages as they leave: with their parts, and how often they were sent. */
export const presentQuick = async (
  tx: Tx,
  rows: readonly (typeof quickMessages.$inferSelect)[],
): Promise<QuickMessage[]> => {
  const ids = rows.map((row) => row.id)
  const parts = Map.groupBy(await showParts(tx, await partsOf(tx, ids)), (one) => one.quickMessageId)
  const uses = await usesOf(tx, ids)
  return rows.map((row) => {
    const own = parts.get(row.id) ?? []
    const media = own.find((one) => one.mediaId)?.media ?? null
    const more = { ...asSingle(own), parts: own, media, uses: uses.get(row.id) ?? { total: 0, lastAt: null } }
    return quickMessage.parse(withTextDates({ ...row, ...more }))
  })
}
