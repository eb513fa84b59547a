import type { Purpose } from '@balcao/contract/contacts/consent.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Interactive, SendType } from '@balcao/contract/conversations/messages.ts'
import { fillVariables } from '@balcao/contract/variables.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { type Actor, byRule, byUser } from '../../../kit/actor.ts'
import { laneName } from '../../contacts/lanes/lane-name.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { type ReachedTicket, reachedTicketColumns } from '../timeline/ticket-state.ts'
import { writeOutgoing } from './write-outgoing.ts'

/** A conversation as the words around its end need it, locked until the transaction ends. */
export type Conversation = ReachedTicket & {
  protocol: string
  startedAt: Date | null
  farewellMessage: string
  sendEvaluation: boolean
  contact: {
    name: string
    email: string | null
    businessName: string
    kanban: string | null
    number: string | null
    extraInfo: { name: string; value: string }[]
  }
}
export const lockConversation = async (tx: Tx, ticketId: string): Promise<Conversation | undefined> =>
  (await tx.rows<Conversation>(...conversationsAsk(tx.tenantId, [ticketId])))[0]
/** As a part of a trip: answers these conversations, each a `Conversation`. */
export const conversationsAsk = (tenantId: number, ticketIds: readonly string[]) =>
  [lockStatement, [tenantId, ticketIds]] satisfies Ask

/** A text of the company, its variables filled in for this conversation. */
export const filledFor = (
  { contact, protocol }: Conversation,
  { timezone, people }: Directory,
  text: string,
  actor: Pick<Actor, 'userId' | 'name'> | null,
  vars?: Readonly<Record<string, string>>,
) =>
  fillVariables(text, {
    vars,
    name: contact.name,
    email: contact.email,
    phoneNumber: contact.number,
    businessName: contact.businessName,
    kanban: contact.kanban,
    extra: contact.extraInfo,
    protocol,
    user: actor?.name,
    userEmail: actor && people.get(actor.userId)?.email,
    timeZone: timezone,
  }).trim()

export type SystemMessage = {
  body: string
  sendType: SendType
  interactive?: Interactive
}
/** Who says it: whoever of the team, else the company by itself. */
export const saidBy = (actor: Pick<Actor, 'userId' | 'name'> | null, rule: string): Author =>
  actor ? byUser(actor) : byRule(rule)

/** Words for the customer, through the door, and how the ticket stands with them in it. */
export const sendSystemMessage = async <T extends ReachedTicket>(
  tx: Tx,
  directory: Directory,
  ticket: T,
  { body, sendType, interactive }: SystemMessage,
  { author, purpose = 'service' }: { author: Author; purpose?: Purpose },
): Promise<T & { messageId: string | null }> => {
  const { messages, ticket: after } = await writeOutgoing(tx, {
    ticket,
    directory,
    author,
    cause: sendType,
    purpose,
    drafts: [interactive ? { type: 'buttons', body, payload: { interactive } } : { type: 'text', body }],
  })
  return { ...ticket, ...after, messageId: messages[0]?.id ?? null }
}

const lockStatement: Prepared = {
  name: 'closing_conversation',
  text: `select ${reachedTicketColumns}, t.protocol, t.started_at as "startedAt",
      x.farewell_message as "farewellMessage", x.send_evaluation as "sendEvaluation",
      jsonb_build_object('name', c.name, 'email', c.email, 'number', c.number, 'businessName', c.business_name,
        'kanban', ${laneName}, 'extraInfo', c.extra_info) as contact
    from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
      join connections x on x.tenant_id = t.tenant_id and x.id = t.connection_id
    where t.tenant_id = $1 and t.id = any($2::uuid[]) order by t.id for no key update of t`,
}
