import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Abilities } from './abilities.ts'
import { sideOf } from './rows.ts'

type Asking = { status: Ticket['status']; abilities: Abilities; userId: string; isAdmin: boolean }

/** What may be done with a message: only what its channel and its author allow. */
export const allowedOn = (message: Message, { status, abilities, userId, isAdmin }: Asking) => {
  const isNote = sideOf(message) === 'note'
  const isOpen = status === 'open'
  const hasLeft = !['queued', 'sending', 'failed', 'uncertain'].includes(message.status)
  const isOwn = message.fromMe && (message.user?.id === userId || isAdmin)
  return {
    canReply: abilities.canReply && isOpen && !isNote && hasLeft,
    canReact: abilities.canReact && isOpen && !isNote && hasLeft,
    canEdit: isOwn && (isNote || (abilities.canEdit && message.type === 'text' && hasLeft && isOpen)),
    canDelete: isOwn && (isNote || (abilities.canDelete && hasLeft)),
  }
}
