import type { Prepared } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import type { By, Catalogue } from '../../conversations/actions/action.ts'
import { say } from '../../conversations/actions/words.ts'

type Quick = { message: string; file: { id: string; kind: 'image' | 'audio' | 'video' | 'document' } | null }

export const sendQuick: Catalogue['sendQuick'] = {
  check: async ({ quickMessageId }, { tx, by }) => {
    const [found] = await tx.rows(readable, [tx.tenantId, quickMessageId, ...readerOf(by)])
    return found ? undefined : { path: 'quickMessageId', message: 'Mensagem rápida não encontrada.' }
  },
  run: async ({ quickMessageId }, here) => {
    const { tx, by } = here
    const [found] = await tx.rows<Quick>(readable, [tx.tenantId, quickMessageId, ...readerOf(by)])
    if (!found) throw new AppError('ERR_NOT_FOUND')
    await say(here, { body: found.message, file: found.file })
  },
}

/** Somebody's own are nobody else's; who acts by itself has those of everyone. */
const readerOf = ({ actor }: By) => [actor?.userId ?? null, actor?.queueIds ?? []]

const readable: Prepared = {
  name: 'quick_message_to_send',
  text: `select q.message, (select jsonb_build_object('id', f.id, 'kind', f.kind) from files f
      where f.tenant_id = q.tenant_id and f.id = q.media_id) as file
    from quick_messages q where q.tenant_id = $1 and q.id = $2
      and (q.scope = 'everyone' or (q.scope = 'mine' and q.user_id = $3) or (q.scope = 'queue' and q.queue_id = any($4::uuid[])))`,
}
