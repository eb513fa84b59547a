import type { Message } from '@balcao/contract/conversations/messages.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { requireMessage } from '../../conversations/messages/visible.ts'
import { writeTranscript } from '../../conversations/messages/write-transcript.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { transcribers } from './transcripts.loop.ts'

/** Asks for what is said in an audio, or asks again where it failed. Throws ERR_NO_MODEL where nobody could write it down. */
export const wantTranscript = async (actor: Actor, messageId: string): Promise<void> => {
  const { tenantId } = actor
  const directory = await getDirectory(tenantId)
  const { message } = await withTenant(tenantId, (tx) => requireMessage(tx, actor, directory, messageId))
  if (message.type !== 'audio' || !isReady(message.mediaState) || message.isDeleted)
    throw new AppError('ERR_VALIDATION', { message: 'Só um áudio que já chegou pode ser transcrito.' })
  if (!(await transcribers(tenantId)).length)
    throw new AppError('ERR_NO_MODEL', {
      message: 'Nenhuma conta transcreve áudios. Ligue uma em Configurações, Assistentes.',
    })
  await withTenant(tenantId, async (tx) => {
    const [wanted] = await tx.rows(want, [tenantId, messageId, message.ticketId])
    if (wanted) await writeTranscript(tx, directory, messageId, { state: 'waiting' })
  })
}
const isReady = (state: Message['mediaState']) => state === 'ready'

/** What is on its way or written stays as it is. */
const want: Prepared = {
  name: 'transcript_want',
  text: `insert into audio_transcripts as a (tenant_id, id, ticket_id, seq)
    select tenant_id, id, ticket_id, seq from messages where tenant_id = $1 and id = $2 and ticket_id = $3
    on conflict (tenant_id, id) do update set state = 'waiting', attempts = 0, error = null, due_at = now()
      where a.state = 'failed' returning id`,
}
