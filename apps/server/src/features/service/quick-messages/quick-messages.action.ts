import type { Part } from '@balcao/contract/conversations/parts.ts'
import type { Prepared } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { sayParts } from '../../conversations/actions/words.ts'
import type { By, Catalogue } from '../../conversations/tickets/action-catalogue.ts'

export const sendQuick: Catalogue['sendQuick'] = {
  check: async ({ quickMessageId }, { tx, by }) => {
    const found = await tx.rows(readable, [tx.tenantId, quickMessageId, ...readerOf(by)])
    return found.length ? undefined : { path: 'quickMessageId', message: 'Mensagem rápida não encontrada.' }
  },
  run: async ({ quickMessageId }, here) => {
    const { tx, by } = here
    const parts = await tx.rows<Part>(readable, [tx.tenantId, quickMessageId, ...readerOf(by)])
    if (!parts.length) throw new AppError('ERR_NOT_FOUND')
    await sayParts(here, parts, { quickMessageId })
  },
}

/** Somebody's own are nobody else's; who acts by itself has those of everyone. */
const readerOf = ({ actor }: By) => [actor?.userId ?? null, actor?.queueIds ?? []]

const readable: Prepared = {
  name: 'quick_message_to_send',
  text: `select p.kind, p.body, p.media_id as "mediaId", p.interactive from quick_messages q
    join quick_message_parts p on p.tenant_id = q.tenant_id and p.quick_message_id = q.id
    where q.tenant_id = $1 and q.id = $2
      and (q.scope = 'everyone' or (q.scope = 'mine' and q.user_id = $3) or (q.scope = 'queue' and q.queue_id = any($4::uuid[])))
    order by p.position`,
}
