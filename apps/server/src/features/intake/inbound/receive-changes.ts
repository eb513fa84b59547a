import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { InboundEvent } from '../../../channels/adapter.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { StoredReaction } from '../../../db/schema/conversations/messages.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { cleanText } from '../../../kit/text.ts'
import { keepAlert } from '../../channels/connections/alerts.ts'
import { markConnection } from '../../channels/connections/connections.service.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { requestTemplateSync } from '../../channels/templates/templates.loop.ts'
import { recordConsent } from '../../contacts/consent/consent.ts'
import { emitContact } from '../../contacts/contacts/contacts.events.ts'
import { learnPhone, normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { changeMessage } from '../../conversations/messages/change-message.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { receiveCall, rejectRinging } from './calls.ts'
import { groupWatch } from './group-watch.ts'
import { identitiesMet } from './identities-met.ts'
import { findActive } from './lines-once.ts'
import { boundEdit } from './long-text.ts'
import { withNames } from './mentions.ts'
import { receiveGroupChange } from './receive-group-changes.ts'
import { receiveHistory } from './receive-history.ts'
import { receiveReadUntil } from './receive-statuses.ts'
import { receiveVote } from './receive-votes.ts'
import { findSpeakers } from './speakers.ts'
import { TargetMissing } from './target-missing.ts'

export type ChangeEvent = Exclude<InboundEvent, { kind: 'message' } | { kind: 'status' }>

/** Everything that is neither a message nor a status, one at a time. */
export const receiveChange = async (connection: OpenConnection, event: ChangeEvent): Promise<void> => {
  if (event.kind === 'nothing') return
  if (event.kind === 'templates') return requestTemplateSync(connection)
  if (event.kind === 'readUntil') return receiveReadUntil(connection, event)
  if (event.kind === 'standing') return askHealth(connection)
  if (event.kind === 'alert') return keepAlert(connection, event)
  if (event.kind === 'call' && event.state === 'ringing') return rejectRinging(connection, event)
  if (event.kind === 'connection')
    return markConnection(connection.tenantId, connection.id, event.status, event.text, event.at)
  const directory = await getDirectory(connection.tenantId)
  return withTenant(connection.tenantId, async (tx) => {
    switch (event.kind) {
      case 'call':
        return receiveCall(tx, connection, event)
      case 'group':
        return receiveGroupChange(tx, connection, event)
      case 'history':
        return receiveHistory(tx, connection, event)
      case 'typing':
        return showTyping(tx, connection, event)
      case 'consent':
        return hearChoice(tx, connection, event)
      case 'identity':
        return moveIdentity(tx, event)
      case 'unreachable': {
        const [who] = normalizeIdentities([event.who])
        const told = [tx.tenantId, who?.kind, who?.value, event.reason, event.at]
        const [contact] = await tx.rows<Parameters<typeof emitContact>[1]>(unreachable, told)
        if (contact) await emitContact(tx, contact)
        return
      }
      case 'reaction':
        return react(tx, connection, directory, event)
      case 'vote':
        return receiveVote(tx, connection, directory, event)
      case 'edit': {
        const now = await change(tx, connection, event.providerId, directory.people, (before) => edited(before, event))
        if (now?.body) await groupWatch().edited(tx, connection, { messageId: now.id, body: now.body, at: event.at })
        return
      }
      case 'delete': {
        const takeBack = (providerId: string) =>
          change(tx, connection, providerId, directory.people, ({ isDeleted }) =>
            isDeleted ? undefined : { isDeleted: true },
          )
        await takeBack(event.providerId)
        if (!event.parts) return
        const parts = await tx.rows<{ id: string }>(partsAmong, [tx.tenantId, connection.id, event.parts])
        for (const { id } of parts) await takeBack(id)
        return
      }
    }
  })
}

type Before = {
  id: string
  body: string
  reactions: StoredReaction[] | null
  isDeleted: boolean
  called: NonNullable<MessagePayload['called']> | undefined
  /** When its words became what they are. */
  writtenAt: Date
}
type Patch = Parameters<typeof changeMessage>[3]

const change = async (
  tx: Tx,
  connection: OpenConnection,
  providerId: string,
  people: Parameters<typeof changeMessage>[1],
  patchOf: (before: Before) => Patch | undefined,
) => {
  const [before] = await tx.rows<Before>(lockTarget, [tx.tenantId, connection.id, providerId])
  if (!before) throw new TargetMissing()
  const patch = patchOf(before)
  if (patch) await changeMessage(tx, people, before.id, patch)
  return patch && { id: before.id, ...patch }
}

/** Providers count in seconds: of one second, the later notice wins. */
const edited = (
  { body: now, writtenAt, called }: Before,
  event: Extract<ChangeEvent, { kind: 'edit' }>,
): Patch | undefined => {
  const body = withNames(cleanText(boundEdit(event)), called)
  if (event.at < writtenAt || (event.at.getTime() === writtenAt.getTime() && body === now)) return undefined
  return { body, editedAt: event.at }
}

type Reaction = Extract<ChangeEvent, { kind: 'reaction' }>
const react = async (tx: Tx, connection: OpenConnection, { people }: Directory, event: Reaction) => {
  const speakers = await findSpeakers(tx, event.author ? [event.author] : [])
  const author = event.author && speakers(event.author)
  await change(tx, connection, event.targetProviderId, people, (before) => {
    const reactions = reacted(before, event, author)
    return reactions && { reactions }
  })
}

/**
 * Everybody has one reaction per message; a new one takes the place of the old. One taken back leaves its time behind,
 * so that an older notice changes nothing.
 */
const reacted = ({ reactions }: Before, { emoji, fromMe, at }: Reaction, author: Author | undefined) => {
  const isTheirs = (one: StoredReaction) =>
    one.fromMe === fromMe && one.userId === null && (one.author?.id ?? null) === (author?.id ?? null)
  const [old] = (reactions ?? []).filter(isTheirs)
  const mine = { emoji: emoji ? cutText(cleanText(emoji), 16) : '', fromMe, userId: null, author, at: at.toISOString() }
  if (old?.at && (old.at > mine.at || (old.at === mine.at && old.emoji === mine.emoji))) return undefined
  const others = (reactions ?? []).filter((one) => !isTheirs(one))
  return [...others, mine]
}

/** The customer changed the number or got a new id: the same person is known by both, and whom both were known as are one. */
const moveIdentity = async (tx: Tx, event: Extract<ChangeEvent, { kind: 'identity' }>) => {
  const [from] = normalizeIdentities([event.from])
  const [to] = normalizeIdentities([event.to])
  if (!from || !to) return // of a phone without a digit nobody is known
  const both = [tx.tenantId, from.kind, from.value, to.kind, to.value]
  await tx.rows(linkIdentity, both)
  const [two] = await tx.rows<{ keptId: string; otherId: string }>(whoTheyAre, both)
  if (two) return identitiesMet(tx, two)
  if (to.kind === 'phone') await learnPhone(tx, to.value)
}

const showTyping = async (tx: Tx, connection: OpenConnection, event: Extract<ChangeEvent, { kind: 'typing' }>) => {
  const ticketId = (await findActive(tx, connection, event.from))?.ticketId
  if (ticketId) announce('contact.typing', { tenantId: tx.tenantId, ticketId, isTyping: event.isTyping })
}

/** Entered with its own time, so that an older choice told again changes nothing. */
const hearChoice = async (tx: Tx, { kind }: OpenConnection, event: Extract<ChangeEvent, { kind: 'consent' }>) => {
  const { who, purpose, isGiven, proof, at } = event
  const identities = normalizeIdentities(who)
  const [known] = await tx.rows(choiceAt, [tx.tenantId, identities[0]?.kind, identities[0]?.value, kind, purpose, at])
  if (known) return
  const author = { kind: 'contact' as const, id: null, name: '' }
  await recordConsent(tx, {
    identities,
    channel: kind,
    purposes: [purpose],
    isGiven,
    source: 'provider',
    proof,
    author,
    at,
  })
}
const choiceAt: Prepared = {
  name: 'inbound_choice_at',
  text: `select from consents where tenant_id = $1 and identity_kind = $2 and identity_value = $3 and channel = $4 and purpose = $5 and at = $6`,
}

/** Its provider says that something changed: what, it answers when asked. */
const askHealth = async ({ tenantId, id }: OpenConnection) => {
  await withTenant(tenantId, (tx) => tx.rows(healthDue, [tenantId, id]))
}
const healthDue: Prepared = {
  name: 'inbound_health_due',
  text: `update connections set check_due_at = now() where tenant_id = $1 and id = $2 and check_due_at > now()`,
}

const lockTarget: Prepared = {
  name: 'inbound_target',
  text: `select id, body, reactions, is_deleted as "isDeleted", payload->'called' as called, coalesce(edited_at, timestamp) as "writtenAt" from messages where tenant_id = $1 and connection_id = $2 and provider_id = $3 for no key update`,
}
const partsAmong: Prepared = {
  name: 'inbound_parts_among',
  text: `select provider_id as id from messages where tenant_id = $1 and connection_id = $2 and provider_id = any($3::text[]) and not is_deleted`,
}
const unreachable: Prepared = {
  name: 'inbound_unreachable',
  text: `with told as (
      update contact_identities set unreachable_reason = $4, reach_told_at = $5
      where tenant_id = $1 and kind = $2 and value = $3 and coalesce(reach_told_at, '-infinity') <= $5
        and (unreachable_reason, reach_told_at) is distinct from ($4, $5)
      returning contact_id)
    update contacts c set version = version + 1 from told where c.tenant_id = $1 and c.id = told.contact_id
    returning c.id, c.name, c.profile_pic_url as "profilePicUrl", c.version`,
}
const whoTheyAre: Prepared = {
  name: 'inbound_who_they_are',
  text: `select a.contact_id as "keptId", b.contact_id as "otherId" from contact_identities a
    join contact_identities b on b.tenant_id = $1 and b.kind = $4 and b.value = $5 and b.contact_id <> a.contact_id
    where a.tenant_id = $1 and a.kind = $2 and a.value = $3`,
}
const linkIdentity: Prepared = {
  name: 'inbound_link_identity',
  text: `insert into contact_identities (tenant_id, kind, value, contact_id)
    select tenant_id, $4, $5, contact_id from contact_identities where tenant_id = $1 and kind = $2 and value = $3
    on conflict do nothing`,
}
