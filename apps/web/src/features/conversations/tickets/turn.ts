import type { Ticket } from '@balcao/contract/conversations/tickets.ts'

type Offered = Pick<Ticket, 'status' | 'userId' | 'username'>

/** Whose turn it is to accept this waiting conversation; null: anybody's. Offered is not accepted. */
export const turnOf = ({ status, userId, username }: Offered) =>
  status === 'pending' && userId ? { userId, name: username ?? 'outra pessoa' } : null

/** The person in whose hands it is, as a row says it. */
export const agentText = (ticket: Offered): string | null => {
  const turn = turnOf(ticket)
  return turn ? `Na vez de ${turn.name}` : ticket.username
}
