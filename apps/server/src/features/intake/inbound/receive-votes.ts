import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { InboundEvent } from '../../../channels/adapter.ts'
import { placesOf } from '../../../channels/content.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { changeMessage } from '../../conversations/messages/change-message.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { takeUpForCustomer } from './open-ticket.ts'
import { findSpeakers } from './speakers.ts'
import { TargetMissing } from './target-missing.ts'

type Vote = Extract<InboundEvent, { kind: 'vote' }>
type Poll = {
  id: string
  ticketId: string
  contactId: string
  isGroup: boolean
  fromMe: boolean
  titles: string[]
}

/** A vote belongs to its poll: told to whoever sees it, and no message of its own. An older one changes nothing. */
export const receiveVote = async (tx: Tx, connection: OpenConnection, directory: Directory, vote: Vote) => {
  const [poll] = await tx.rows<Poll>(findPoll, [
    tx.tenantId,
    connection.id,
    'providerId' in vote.poll ? vote.poll.providerId : null,
    'key' in vote.poll ? vote.poll.key : null,
  ])
  if (!poll) throw new TargetMissing()
  const { fromMe, at = new Date() } = vote
  const isOfMember = poll.isGroup && !fromMe
  const member = isOfMember ? await memberOf(tx, vote) : undefined
  if (isOfMember && !member) return
  const chosen = placesOf(vote.chosen, poll.titles)
  const [kept] = await tx.rows<{ isFirst: boolean }>(keepVote, [
    tx.tenantId,
    poll.id,
    fromMe,
    member?.id ?? null,
    chosen,
    at,
  ])
  if (!kept) return
  await changeMessage(tx, directory.people, poll.id, {})
  if (kept.isFirst && chosen.length && poll.fromMe && !fromMe && !poll.isGroup)
    await countAsAnswer(tx, connection, directory, poll)
}

const memberOf = async (tx: Tx, { voter }: Vote): Promise<Author | undefined> =>
  voter && (await findSpeakers(tx, [voter]))(voter)

/** Whoever votes in what we asked has answered, as whoever presses a button has: once, however often they change it. */
const countAsAnswer = async (tx: Tx, connection: OpenConnection, directory: Directory, { ticketId }: Poll) => {
  const before = await lockTicket(tx, ticketId)
  if (!before || before.status === 'closed') return
  const { id, queueId, contactId, name, pausedAt, pausedUntil, wakesOnReply } = before
  const isResumed = pausedAt !== null && wakesOnReply
  await commitTicketChange(
    tx,
    {
      before,
      set: {
        unreadMessages: before.unreadMessages + 1,
        answered: false,
        waitingSince: before.waitingSince ?? 'now',
      },
      isNews: true,
      isResumed,
      cause: { kind: 'reply' },
      logs: isResumed
        ? [{ type: 'resume', queueId, note: 'O cliente respondeu', from: { pausedUntil }, to: { pausedUntil: null } }]
        : [],
    },
    { kind: 'contact', id: contactId, name },
  )
  await takeUpForCustomer(tx, connection, directory, id)
}

const findPoll: Prepared = {
  name: 'inbound_poll',
  text: `select m.id, m.ticket_id as "ticketId", m.contact_id as "contactId", m.from_me as "fromMe", t.is_group as "isGroup",
      array(select o->>'title' from jsonb_array_elements(m.payload #> '{interactive,options}') o) as titles
    from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = $1 and m.connection_id = $2 and m.type = 'poll' and (m.provider_id = $3 or m.poll_key = $4)`,
}
/** Of one moment, the later notice wins; the same again is no news. A first look and then nothing is none either. */
const keepVote: Prepared = {
  name: 'inbound_keep_vote',
  text: `insert into poll_votes as v (tenant_id, message_id, from_me, contact_id, chosen, voted_at)
    values ($1, $2, $3, $4, $5::int[], $6)
    on conflict (tenant_id, message_id, from_me, contact_id) do update set chosen = excluded.chosen, voted_at = excluded.voted_at
      where v.voted_at <= excluded.voted_at and v.chosen <> excluded.chosen
    returning xmax = 0 as "isFirst"`,
}
