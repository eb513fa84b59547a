import { messageSend } from '@balcao/contract/conversations/messages.ts'
import { fillVariables } from '@balcao/contract/variables.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { sendIn } from '../messages/send-message.ts'
import { lockConversation } from '../messages/system-messages.ts'
import { readVariables } from '../messages/variable-context.ts'
import { emptyText, writeOutgoing } from '../messages/write-outgoing.ts'
import type { Here } from './action.ts'

type Words = { body: string; file?: { id: string; kind: 'image' | 'audio' | 'video' | 'document' } | null }
/** Written as by hand where a person does it; else through the door, as what answers by itself. */
export const say = async (here: Here, { body, file }: Words) => {
  const { tx, by, ticket, directory, stepId } = here
  const text = file && !body ? '' : await filled(here, body)
  const type = file?.kind ?? 'text'
  if (by.actor) {
    const sign = text ? 'preferred' : false
    const input = parsed({ id: stepId, type, body: text, sign, ...(file && { mediaId: file.id }) })
    await sendIn(tx, directory, by.actor, ticket.id, input)
    return
  }
  if (ticket.status === 'closed') throw new AppError('ERR_TICKET_CLOSED')
  if (file) throw new AppError('ERR_INVALID_TRANSITION', { message: 'Só uma pessoa envia arquivos por esta ação.' })
  const conversation = await lockConversation(tx, ticket.id)
  if (!conversation) throw new AppError('ERR_NO_TICKET_FOUND')
  await writeOutgoing(tx, {
    ticket: conversation,
    directory,
    author: by.author,
    cause: 'chat',
    purpose: 'service',
    drafts: [{ id: stepId, type: 'text', body: text }],
  })
}

/** A text with what is known of the conversation in it. */
export const filled = async ({ tx, by, ticket, directory }: Here, body: string): Promise<string> => {
  const who = by.actor ?? { name: by.author.name, email: '' }
  const text = fillVariables(body, await readVariables(tx, who, directory, ticket.id)).trim()
  if (!text) throw fieldErrors({ path: 'body', message: emptyText })
  return text
}

/** A message as somebody would have sent it. */
export const parsed = (given: Record<string, unknown>) => {
  const input = messageSend.safeParse(given)
  if (!input.success)
    throw fieldErrors({ path: 'body', message: 'O texto ficou longo demais com os dados do contato.' })
  return input.data
}
