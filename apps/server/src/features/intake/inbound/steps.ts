import type { InboundMessage } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { Decided } from '../../conversations/timeline/turns.ts'
import { decideTurn } from '../../conversations/turns/owners.ts'
import type { Batch } from './arrivals.ts'
import { logAwakened, takeUpAnswered } from './awaken.ts'
import { answerCalls } from './calls.ts'
import { greet } from './greet.ts'
import { groupWatch } from './group-watch.ts'
import { hearConsent } from './hear-consent.ts'
import { tellHeard } from './heard.ts'
import { letGo } from './let-go.ts'

/** What happens when a customer writes, in this order. */
type Reply = (tx: Tx, batch: Batch) => Promise<NewMessage[]>
type Consequence = (tx: Tx, batch: Batch) => Promise<void>

/** Thanks for a grade, or the question once more; with the ticket as it stands after the customer's word. */
const replyAfterClose: Reply = async (_tx, { afterwords, tickets }) =>
  afterwords
    .flatMap(({ replies }) => replies)
    .map((reply) => ({ ...reply, ticket: tickets.get(reply.ticket.id) ?? reply.ticket }))

/** What belongs to the very word it answers, stored together with it. */
export const replies: Reply[] = [replyAfterClose, hearConsent, greet, answerCalls]

/** Who answers by itself, of each conversation by its last word here; stored together with it, done right after. */
export const decideTurns = ({ directory, arrived, tickets, now }: Batch): Decided[] => {
  const last = new Map(arrived.map((one) => [one.ticket.id, one]))
  return [...last].flatMap(([ticketId, { message, event }]) => {
    const ticket = tickets.get(ticketId)
    return ticket && ticket.status !== 'closed'
      ? [{ ticketId, turn: decideTurn({ directory, ticket, message, phones: phonesOf(event), now }) }]
      : []
  })
}

const phonesOf = ({ from }: InboundMessage) =>
  normalizeIdentities(from.identities).flatMap(({ kind, value }) => (kind === 'phone' ? value : []))

/** What becomes of their tickets once the words are stored, and in groups of who said them. */
export const consequences: Consequence[] = [
  letGo,
  takeUpAnswered,
  tellHeard,
  logAwakened,
  (tx, batch) => groupWatch().heard(tx, batch),
]
