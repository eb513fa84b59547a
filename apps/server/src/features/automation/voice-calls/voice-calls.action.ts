import { AppError } from '../../../kit/errors.ts'
import type { Catalogue } from '../../conversations/tickets/action-catalogue.ts'
import { findVoiceAccount } from './accounts.ts'
import { queueTicketCall } from './place-call.ts'

export const voiceCall: Catalogue['voiceCall'] = {
  check: async ({ integrationId }, { tx }) => {
    const account = await findVoiceAccount(tx, integrationId)
    if (!account) return { path: 'integrationId', message: 'Escolha uma conta da Vapi.' }
    return account.door.usual(account.context)
      ? undefined
      : { path: 'integrationId', message: 'Esta conta não tem um número que liga.' }
  },
  run: async ({ integrationId }, { tx, by, ticket, stepId }) => {
    const account = await findVoiceAccount(tx, integrationId)
    if (!account) throw new AppError('ERR_NO_VOICE_ACCOUNT')
    const userId = by.actor?.userId ?? null
    await queueTicketCall(tx, { id: stepId, account }, { ticket, author: by.author, userId })
  },
}
