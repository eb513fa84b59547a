import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import { tell, tellCompany } from './connect.ts'
import { findRow, updateRow } from './connections.queries.ts'
import { getConnection, requireRow } from './connections.service.ts'
import { forgetConnections } from './context.ts'

const toldEveryMs = 1_000
const toldAt = new Map<string, number>()

/** More of the old conversations is stored: on the card within a second, and at the end. */
export const keepImport = async (tx: Tx, id: string, stored: number, percent: number) => {
  const isDone = percent >= 100
  await tx.rows(keep, [tx.tenantId, id, stored, Math.max(0, Math.min(100, Math.round(percent))), isDone])
  const now = Date.now()
  if (!isDone && now - (toldAt.get(id) ?? 0) < toldEveryMs) return
  if (toldAt.size > 1_000) toldAt.clear()
  toldAt.set(id, now)
  const row = await findRow(tx, id)
  if (!row) return
  const { stoppedAt, lostAt } = row
  await tellCompany(tx, {
    ...row,
    stoppedAt: stoppedAt?.toISOString() ?? null,
    lostAt: lostAt?.toISOString() ?? null,
  })
}
const keep: Prepared = {
  name: 'connection_import_keep',
  text: `update connections set imported = jsonb_build_object('state', case when $5 then 'done' else 'running' end, 'percent', $4::int,
      'messages', coalesce((imported->>'messages')::int, 0) + $3::int)
    where tenant_id = $1 and id = $2 and imported->>'state' is distinct from 'cancelled'`,
}

/** What has come stays; no more is taken until a phone is linked anew or the settings of it change. */
export const cancelImport = async (actor: Actor, id: string) => {
  await withTenant(actor.tenantId, async (tx) => {
    const { name, kind, imported } = await requireRow(tx, id, true)
    if (imported?.state !== 'running')
      throw new AppError('ERR_VALIDATION', { message: 'Nenhuma importação em andamento neste canal.' })
    // The version is what the owner of a session reads: it asks for no more.
    const changed = await updateRow(tx, id, { imported: { ...imported, state: 'cancelled' } })
    if (changed) await tell(tx, changed)
    const action = 'connection.importCancelled'
    await writeAudit(tx, actor, { action, entity: 'connection', entityId: id, before: null, after: { name, kind } })
  })
  forgetConnections()
  return getConnection(actor.tenantId, id)
}
