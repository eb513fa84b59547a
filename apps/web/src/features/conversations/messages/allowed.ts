import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Abilities } from './abilities.ts'
import { sideOf } from './rows.ts'

type Asking = { status: Ticket['status']; abilities: Abilities; userId: string; mayModerate: boolean }

/** Null: it can be done. A text: why not. Left out: it makes no sense of this message. */
export type Allowed = {
  reply?: string | null
  react?: string | null
  reactions?: readonly string[]
  edit?: string | null
  delete?: string | null
}

/** What may be done with a message, by its channel, its author and the conversation's state. */
export const allowedOn = (message: Message, { status, abilities, userId, mayModerate }: Asking): Allowed => {
  const isOwn = message.user?.id === userId || mayModerate
  const ofAuthor = (verb: string) => (isOwn ? null : `Só quem escreveu pode ${verb}.`)
  if (sideOf(message) === 'note') return isOwn ? { edit: null, delete: null } : {}

  const hasLeft = !['queued', 'sending', 'failed', 'uncertain'].includes(message.status)
  const left = hasLeft ? null : 'Esta mensagem ainda não saiu.'
  const inHand = (verb: string) => {
    if (status === 'open') return null
    return status === 'pending' ? `Aceite a conversa para ${verb}.` : `Reabra a conversa para ${verb}.`
  }
  return {
    reply: abilities.why('reply') ?? inHand('responder') ?? left,
    react: abilities.why('reaction') ?? inHand('reagir') ?? left,
    ...(abilities.reactions && { reactions: abilities.reactions }),
    ...(message.fromMe && {
      ...(message.type === 'text' && {
        edit: abilities.why('edit') ?? ofAuthor('editar') ?? inHand('editar') ?? left,
      }),
      delete: abilities.why('delete') ?? ofAuthor('apagar') ?? left,
    }),
  }
}
