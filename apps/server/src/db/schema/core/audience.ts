import type { Permission } from '@balcao/contract/permissions.ts'

/** What a policy needs to know of a ticket to decide who may see it. */
export type TicketFacts = {
  id: string
  status: 'open' | 'pending' | 'closed'
  userId: string | null
  queueId: string | null
  chatFlowId: string | null
  isGroup: boolean
  wallets: string[]
  /** Colleagues it was shared with. */
  sharedWith: string[]
}

/**
 * Who may receive an event; `realtime/` turns it into rooms.
 * - ticket: whoever may read the ticket now; who could before and no longer can gets `ticket.hidden`
 * - platform: people of the platform, whichever company it is about
 * - visitor: also the web chat window of that contact
 */
export type Audience =
  | { kind: 'ticket'; facts: TicketFacts; before?: TicketFacts; visitor?: { connectionId: string; contactId: string } }
  | { kind: 'permission'; can: Permission /** This person too. */; userId?: string }
  | { kind: 'platform'; can: Permission }
  | { kind: 'user'; userId: string }
  | { kind: 'users'; userIds: string[] }
  | { kind: 'queue'; queueId: string }
