import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import type { EventPayload } from '@balcao/contract/events.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { relayCommitted } from '../../../kit/outbox.ts'
import { identitiesOf, isSaidAlready, recordConsent } from '../../contacts/consent/consent.ts'
import { refreshLastMessages } from '../tickets/last-message.ts'
import { type TicketState, ticketAudience } from '../timeline/ticket-state.ts'
import { nextStatus } from './message-status.ts'
import { isNotSent, tellNotSent } from './not-sent.ts'
import { identitiesFor, scopedKindsText } from './reach.ts'

/** A message of ours as it stands after a notice of the provider. */
export type StatusChange = {
  id: string
  status: MessageStatus
  error: string | null
  version: number
  providerId: string | null
  ticket: TicketState
  isChanged: boolean
  isUnreachable: boolean
  /** They refused advertising at the provider, which told it by not delivering. */
  isOptedOut?: boolean
}
/** What a provider says of it. */
export type ToldStatus = Pick<StatusChange, 'status' | 'isOptedOut'> & {
  error?: string | null
  isUnreachable?: boolean
}

/** As one more notice leaves it. */
export const movedBy = (change: StatusChange, told: ToldStatus): StatusChange => {
  const status = nextStatus(change.status, told.status)
  if (status === change.status) return change
  const isFailed = status === 'failed'
  return {
    ...change,
    status,
    error: isFailed ? (told.error ?? 'O provedor não conseguiu entregar a mensagem.') : null,
    version: change.version + 1,
    isChanged: true,
    isUnreachable: change.isUnreachable || (isFailed && Boolean(told.isUnreachable)),
    isOptedOut: change.isOptedOut || (isFailed && Boolean(told.isOptedOut)),
  }
}

/**
 * Writes the new states of locked messages with their events, in one statement; the refused address of a contact is marked, and
 * who refused advertising at the provider has it in the ledger. What was not sent shows on its conversation and is told to its writer.
 */
export const saveStatuses = async (tx: Tx, changes: StatusChange[]) => {
  if (!changes.length) return
  const events = changes.map((change) => ({
    id: change.id,
    audience: ticketAudience(change.ticket, true),
    payload: payloadOf(change),
  }))
  const refused = new Set(changes.flatMap((change) => (change.isUnreachable ? [change.ticket.contactId] : [])))
  const reached = changes.filter((change) => hasArrived(change) && !refused.has(change.ticket.contactId))
  const values = [
    tx.tenantId,
    JSON.stringify(
      changes.map(({ id, status, error, version, providerId }) => ({
        id,
        status,
        error,
        version,
        provider_id: providerId,
      })),
    ),
    JSON.stringify(events),
    [...refused],
    changes.find((change) => change.isUnreachable)?.error ?? null,
    changes.map((change) => change.id),
    addressesIn(changes.filter((change) => change.isUnreachable)),
    reached.map((change) => change.ticket.contactId),
    addressesIn(reached),
  ]
  tx.late(statement, values, (rows) => {
    const seqs = new Map((rows as { id: string; seq: number }[]).map(({ id, seq }) => [id, seq]))
    const told = events.flatMap(({ id, payload, audience }) => {
      const seq = seqs.get(id)
      return seq === undefined ? [] : { name: 'message.status' as const, payload, audience, seq }
    })
    relayCommitted(tx.tenantId, told, told)
  })
  const failed = changes.filter((change) => change.isChanged && isNotSent(change.status))
  const settled = changes.filter((change) => change.ticket.notSent)
  await refreshLastMessages(tx, [...new Set([...failed, ...settled].map((change) => change.ticket.id))])
  if (failed.length) await tellNotSent(tx, failed)
  for (const change of changes) if (change.isOptedOut) await enterOptOut(tx, change)
}

/** As far as this channel tells: where it tells of no delivery, it refuses at once what does not arrive. */
const hasArrived = ({ status, ticket }: StatusChange) =>
  status === 'delivered' ||
  status === 'read' ||
  status === 'played' ||
  (status === 'sent' && !ticket.abilities.receipts.includes('delivered'))

/** The kinds of address the channels send to. */
const addressesIn = (changes: StatusChange[]) => [
  ...new Set(changes.flatMap((change) => identitiesFor(change.ticket.kind))),
]

const enterOptOut = async (tx: Tx, { ticket: { contactId, kind: channel }, error }: StatusChange) => {
  const refused = { channel, purposes: ['marketing'], isGiven: false } as const
  if (await isSaidAlready(tx, { ...refused, contactId })) return
  const identities = await tx.rows<Identity>(identitiesOf, [tx.tenantId, contactId])
  const author = { kind: 'contact', id: null, name: '' } as const
  await recordConsent(tx, { ...refused, identities, source: 'provider', proof: error ?? '', author })
}

const payloadOf = ({ id, status, error, version, ticket }: StatusChange): EventPayload<'message.status'> => ({
  id,
  ticketId: ticket.id,
  contactId: ticket.contactId,
  status,
  error,
  version,
})

/** What the messages written in this statement were sent to: of each kind, the address that the contact used last. */
const writtenTo = (contacts: string, kinds: string) => `i.tenant_id = $1 and i.contact_id = any(${contacts}::uuid[])
        and i.kind = any(${kinds}::text[])
        and (i.kind not in (${scopedKindsText}) or split_part(i.value, ':', 1) in (select n.abilities ->> 'account'
          from messages m join connections n on n.tenant_id = m.tenant_id and n.id = m.connection_id
          where m.tenant_id = $1 and m.id = any($6::uuid[])))
        and exists (select from messages m join connections n on n.tenant_id = m.tenant_id and n.id = m.connection_id
          where m.tenant_id = $1 and m.id = any($6::uuid[])
            and (coalesce(jsonb_typeof(n.abilities -> 'reachedBy'), 'null') = 'null' or n.abilities -> 'reachedBy' ? i.kind))
        and not exists (select from contact_identities o
          where o.tenant_id = $1 and o.contact_id = i.contact_id and o.kind = i.kind and o.value <> i.value
            and (i.kind not in (${scopedKindsText}) or split_part(o.value, ':', 1) = split_part(i.value, ':', 1))
            and (coalesce(o.used_at, '-infinity'), i.created_at) > (coalesce(i.used_at, '-infinity'), o.created_at))`

const statement: Prepared = {
  name: 'messages_save_statuses',
  text: `with changed as (
      update messages m set status = n.status, error = n.error, version = n.version, provider_id = n.provider_id
      from jsonb_to_recordset($2::jsonb) as n(id uuid, status text, error text, version int, provider_id text)
      where m.tenant_id = $1 and m.id = any($6::uuid[]) and m.id = n.id
    ), refused as (
      update contact_identities i set unreachable_reason = $5, reach_told_at = now() where ${writtenTo('$4', '$7')}
    ), reached as (
      update contact_identities i set unreachable_reason = null, reach_told_at = now()
      where i.unreachable_reason is not null and ${writtenTo('$8', '$9')}
    )
    insert into outbox (tenant_id, name, payload, audience)
    select $1, 'message.status', e.payload, e.audience from jsonb_to_recordset($3::jsonb) as e(payload jsonb, audience jsonb)
    returning seq, payload ->> 'id' as id`,
}

/** Serialises whoever writes a provider's id with whoever finds it missing, until the end of the transaction. */
export const lockProviderIds = async (tx: Tx, connectionId: string, providerIds: string[]) => {
  await tx.rows(...lockProviderIdsAsk(tx.tenantId, connectionId, providerIds))
}
/** The same as a part of a trip. */
export const lockProviderIdsAsk = (tenantId: number, connectionId: string, providerIds: string[]) =>
  [lockIds, [providerIds.map((providerId) => `${tenantId}:${connectionId}:${providerId}`)]] satisfies Ask
const lockIds: Prepared = {
  name: 'messages_lock_provider_ids',
  text: `select pg_advisory_xact_lock(key) from (select distinct hashtextextended(p, 0) as key from unnest($1::text[]) as p order by 1) k`,
}
