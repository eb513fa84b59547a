import { v5 } from 'uuid'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { findConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { type Addressed, addressedColumns, type Outcome, writeTo } from '../schedules/write-due.ts'

export type Fed = { tenantId: number; id: string; connectionId: string }

/**
 * One of many becomes a message of its conversation, once: its lock, its state and the message are one transaction, and
 * the message's id follows from the row. Who was made part of another contact meanwhile is reached as that one. Answers
 * the rule it was for; undefined: somebody else had it.
 */
export const writeFed = async ({ tenantId, id, connectionId }: Fed): Promise<string | undefined> => {
  const directory = await getDirectory(tenantId)
  const connection = await findConnection(connectionId)
  return withTenant(tenantId, async (tx) => {
    const [row] = await tx.rows<Addressed & { rule: string; isOver: boolean }>(lockFed, [tenantId, id])
    if (!row) return undefined
    const way = { messageId: v5('audiencia', id), cause: 'campaign' as const, rule: row.rule }
    const outcome: Outcome = row.isOver
      ? { error: 'Não saiu a tempo: o canal estava parado, em silêncio ou no máximo do dia.' }
      : connection
        ? await writeTo(tx, { connection, directory, row, way })
        : { error: 'O canal desta mensagem foi excluído.' }
    if (outcome === 'held') await tx.rows(hold, [tenantId, id])
    else await tx.rows(settle, [tenantId, id, outcome.messageId ?? null, outcome.error ?? null])
    return row.rule
  })
}

const lockFed: Prepared = {
  name: 'audience_lock',
  text: `select s.id, c.id as "contactId", s.connection_id as "connectionId", s.body, s.purpose, s.media_id as "mediaId",
      s.template, s.rule, coalesce(s.expires_at <= now(), false) as "isOver", s.created_by as "createdBy", s.created_at as "dueAt", ${addressedColumns}
    from audience s join contacts o on o.tenant_id = s.tenant_id and o.id = s.contact_id
      join contacts c on c.tenant_id = s.tenant_id and c.id = case when o.merged_into_id is null then o.id else o.merged_into_id end
    where s.tenant_id = $1 and s.id = $2 and s.state = 'waiting' and s.attempt_at <= now() for update of s skip locked`,
}
const settle: Prepared = {
  name: 'audience_settle',
  text: `update audience set state = case when $3::uuid is null then 'failed' else 'written' end, message_id = $3, error = $4, done_at = now()
    where tenant_id = $1 and id = $2`,
}
/** The next minute looks again. */
const hold: Prepared = {
  name: 'audience_hold',
  text: `update audience set attempt_at = now() + interval '1 minute' where tenant_id = $1 and id = $2`,
}
