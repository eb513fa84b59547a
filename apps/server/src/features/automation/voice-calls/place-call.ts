import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { writeLines } from '../../conversations/timeline/lines.ts'
import type { VoiceAccountOpen } from './accounts.ts'
import { insertCall } from './voice-calls.rows.ts'

export type Calling = {
  id: string
  account: VoiceAccountOpen
  assistantId?: string
  phoneNumberId?: string
}

/** Queues a call to the contact of a locked conversation, and says so in it. Asked for twice under one id, it is one call. */
export const queueTicketCall = async (
  tx: Tx,
  calling: Calling,
  { ticket, author, userId }: { ticket: Ticket; author: Author; userId: string | null },
): Promise<void> => {
  const [contact] = await tx.rows<{ number: string | null }>(phoneOf, [tx.tenantId, ticket.contactId])
  const digits = (contact?.number ?? '').replace(/\D/g, '')
  if (!/^\d{8,15}$/.test(digits))
    throw new AppError('ERR_INVALID_TRANSITION', { message: 'O contato não tem telefone no cadastro para ligar.' })
  const number = `+${digits}`
  const isNew = await queueCall(tx, calling, { number, name: ticket.name, ticketId: ticket.id, userId })
  if (!isNew) return
  const line = {
    type: 'system' as const,
    body: `${author.name} pediu uma ligação do assistente de voz para ${number}.`,
  }
  await writeLines(tx, author, [{ ticket, lines: [line] }])
}

type Whom = { number: string; name: string; ticketId: string | null; userId: string | null }
export const queueCall = async (tx: Tx, { id, account, ...chosen }: Calling, whom: Whom): Promise<boolean> => {
  const usual = account.door.usual(account.context)
  const assistantId = chosen.assistantId ?? usual?.assistantId ?? account.context.config.assistantId
  const phoneNumberId = chosen.phoneNumberId ?? usual?.phoneNumberId
  if (!phoneNumberId)
    throw fieldErrors({
      path: 'phoneNumberId',
      message: 'Esta conta não tem um número que liga. Escolha-o em Configurações, Vapi.',
    })
  const isNew = await insertCall(tx, { id, integrationId: account.id, assistantId, phoneNumberId, ...whom })
  if (isNew) tx.afterCommit(() => announce('voiceCalls.waiting'))
  return isNew
}

const phoneOf: Prepared = {
  name: 'voice_phone_of_contact',
  text: 'select case when is_group then null else number end as number from contacts where tenant_id = $1 and id = $2',
}
