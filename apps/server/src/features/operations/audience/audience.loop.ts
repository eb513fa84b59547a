import { platformRows, withTenant } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { paces } from '../../conversations/messages/pace.ts'
import { emitAudience } from './audience.events.ts'
import { feedable, postpone } from './audience.queries.ts'
import { type Fed, writeFed } from './write-fed.ts'

/** Transactions at one time: people's requests need the database too. */
const inTurn = createLimit(4)

/** Each connection gets what it can send in the next seconds, as far as its day and its hours allow. */
export const feedAudience = async (): Promise<Round> => {
  const rows = await platformRows<Fed>(feedable, [paces])
  const done = (await Promise.all(rows.map((row) => inTurn(() => attempt(row))))).flatMap((one) => one ?? [])
  for (const [tenantId, fed] of Map.groupBy(done, (one) => one.tenantId)) {
    const rules = [...new Set(fed.flatMap(({ rule }) => rule ?? []))]
    if (rules.length) await withTenant(tenantId, (tx) => emitAudience(tx, rules))
  }
  return { did: done.length }
}

/** A slip of ours must not hold up the others nor lose anybody: tried again, ever less often. */
const attempt = async (row: Fed): Promise<{ tenantId: number; rule?: string } | undefined> => {
  const { tenantId } = row
  try {
    const rule = await writeFed(row)
    return rule === undefined ? undefined : { tenantId, rule }
  } catch (error) {
    log.error({ err: error, tenantId, audienceId: row.id }, 'audience not fed')
    await platformRows(postpone, [tenantId, row.id])
    return { tenantId }
  }
}
