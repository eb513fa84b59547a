import type { MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Tx } from '../../../db/database.ts'

/**
 * Pictures of one album come one call after the other: those that are here wait for the rest, so that they leave together.
 * Who never sends the rest (a file too large, a closed browser) has those that are here sent after a while. Call it after
 * the message was stored.
 */
export const holdAlbum = (tx: Tx, ticketId: string, { id, of }: NonNullable<MessageSend['album']>) =>
  tx.late(hold, [tx.tenantId, ticketId, id, of])

const hold: Prepared = {
  name: 'album_hold',
  text: `with members as (
      select id from messages where tenant_id = $1 and ticket_id = $2 and status = 'queued' and payload #>> '{album,id}' = $3)
    update messages m set next_attempt_at = case when (select count(*) from members) < $4 then now() + interval '15 seconds' end
    from members where m.tenant_id = $1 and m.id = members.id`,
}
