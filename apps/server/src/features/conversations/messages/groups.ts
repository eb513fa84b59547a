import { channels } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { findConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { MessageRow } from '../timeline/messages.present.ts'
import { presentMessage } from '../timeline/messages.present.ts'
import { type ReachedTicket, reachedTicketColumns, type TicketState } from '../timeline/ticket-state.ts'
import { identitiesOf, messageById } from './messages.queries.ts'
import { requireSupport } from './reach.ts'
import { requireVisible } from './visible.ts'
import { writeOutgoing } from './write-outgoing.ts'

/** Who is in the group of a conversation. */
export const listParticipants = async (actor: Actor, ticketId: string) => {
  const directory = await getDirectory(actor.tenantId)
  const { ticket, to } = await withTenant(actor.tenantId, async (tx) => {
    const ticket = await requireVisible(tx, actor, directory, ticketId)
    requireGroup(ticket)
    return { ticket, to: await tx.rows<Identity>(identitiesOf, [tx.tenantId, ticket.contactId]) }
  })
  const connection = await findConnection(ticket.connectionId)
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  if (!connection.adapter.participants) throw unsupported(ticket)
  try {
    return await connection.adapter.participants({ to }, connection.context)
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_SENDING_WAPP_MSG', { message: error.textForCaller })
    throw error
  }
}

/** Who has spoken in the group of a conversation, of its newest messages; by name. */
export const listSpeakers = async (actor: Actor, ticketId: string) => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await requireVisible(tx, actor, directory, ticketId)
    return { items: await tx.rows<{ id: string; name: string }>(speakers, [tx.tenantId, ticketId]) }
  })
}
const speakers: Prepared = {
  name: 'group_speakers',
  text: `select id, max(name) as name from (
      select author->>'id' as id, author->>'name' as name, author->>'kind' as kind from messages
      where tenant_id = $1 and ticket_id = $2 order by seq desc limit 5000) said
    where kind = 'contact' and id is not null group by id order by name, id limit 200`,
}

type Mention = { ticketId: string; id: string; body: string } & (
  | { mentions: string[] }
  /** Everybody: named in the text, or only called (`ghost`). */
  | { everybody: 'named' | 'ghost' }
)

/** A message to a group that calls its participants. */
export const mentionInGroup = async (actor: Actor, input: Mention): Promise<Message> => {
  const participants = await listParticipants(actor, input.ticketId)
  const known = new Set(participants.map(({ id }) => id))
  const called = 'mentions' in input ? input.mentions : [...known]
  if (called.some((id) => !known.has(id)))
    throw fieldErrors({ path: 'mentions', message: 'Um dos mencionados não está mais no grupo.' })
  const isNamed = 'mentions' in input || input.everybody === 'named'
  const unnamed = isNamed ? called.filter((id) => !input.body.includes(`@${id}`)) : []
  const body = [input.body, unnamed.map((id) => `@${id}`).join(' ')].filter(Boolean).join('\n')

  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await requireVisible(tx, actor, directory, input.ticketId)
    const [ticket] = await tx.rows<ReachedTicket>(lock, [tx.tenantId, input.ticketId])
    if (ticket?.status !== 'open')
      throw new AppError(ticket?.status === 'closed' ? 'ERR_TICKET_CLOSED' : 'ERR_INVALID_TRANSITION')
    const [sent] = await tx.rows<MessageRow>(messageById, [tx.tenantId, input.id])
    if (sent) {
      if (sent.ticketId !== ticket.id || sent.userId !== actor.userId) throw new AppError('ERR_DUPLICATED')
      return presentMessage(sent, tx.tenantId, directory.people)
    }
    const drafts = [{ id: input.id, type: 'text' as const, body, payload: { groupMentions: called } }]
    const author = byUser(actor)
    const {
      messages: [message],
    } = await writeOutgoing(tx, { ticket, directory, author, cause: 'chat', purpose: 'service', drafts })
    if (!message) throw new AppError('ERR_CREATING_MESSAGE')
    return message
  })
}

const requireGroup = (ticket: TicketState) => {
  try {
    requireSupport(ticket, 'groups')
  } catch {
    throw unsupported(ticket)
  }
  if (!ticket.isGroup) throw fieldErrors({ path: 'ticketId', message: 'Este atendimento não é de um grupo.' })
}
const unsupported = ({ kind }: TicketState) =>
  new AppError('ERR_CHANNEL_UNSUPPORTED', {
    message: `${channels[kind].label} não dá acesso aos participantes de grupos.`,
  })

const lock = {
  name: 'group_ticket_lock',
  text: `select ${reachedTicketColumns} from tickets t where t.tenant_id = $1 and t.id = $2 for no key update of t`,
}
