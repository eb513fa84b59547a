import type { Tx } from '../../../db/database.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import { closeForCustomer, endedByCustomer } from '../../service/closing/closing-words.ts'
import { absenceMessages } from './absence.ts'
import type { Batch } from './arrivals.ts'
import { logAwakened, takeUpAnswered } from './awaken.ts'
import { hearConsent } from './hear-consent.ts'

/** What happens when a customer writes, in this order. */
type Reply = (tx: Tx, batch: Batch) => Promise<NewMessage[]>
type Consequence = (tx: Tx, batch: Batch) => Promise<void>

/** Thanks for a grade, or the question once more; with the ticket as it stands after the customer's word. */
const replyAfterClose: Reply = async (_tx, { afterwords, tickets }) =>
  afterwords
    .flatMap(({ replies }) => replies)
    .map((reply) => ({ ...reply, ticket: tickets.get(reply.ticket.id) ?? reply.ticket }))

const replyWhileAbsent: Reply = (tx, { directory, arrived, now }) =>
  absenceMessages(tx, directory, arrived.filter(isGoingOn), now)

const closeWhatTheyEnd: Consequence = async (tx, { directory, arrived }) => {
  for (const ticketId of endedByCustomer(directory, arrived.filter(isGoingOn))) await closeForCustomer(tx, ticketId)
}

const isGoingOn = ({ ticket }: NewMessage) => ticket.status !== 'closed'

/** What is said at once, stored together with the words it answers. */
export const replies: Reply[] = [replyAfterClose, hearConsent, replyWhileAbsent]
/** What becomes of their tickets once the words are stored. */
export const consequences: Consequence[] = [closeWhatTheyEnd, takeUpAnswered, logAwakened]
