import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { ConsentEntry, Purpose } from '@balcao/contract/contacts/consent.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'
import { audiencesOf } from '../contacts/contacts.events.ts'

/** Who is known by an identity `s`: by what channels bring, or by the e-mail somebody wrote down. */
const knownBy = `cross join lateral (
    select i.contact_id from contact_identities i where i.tenant_id = $1 and i.kind = s.kind and i.value = s.value
    union select c.id from contacts c where s.kind = 'email' and c.tenant_id = $1 and c.email = s.value and c.merged_into_id is null) k`
/** What a contact `k` is known by. */
const knownAll = `cross join lateral (
    select o.kind, o.value from contact_identities o where o.tenant_id = $1 and o.contact_id = k.contact_id
    union select 'email', c.email from contacts c where c.tenant_id = $1 and c.id = k.contact_id and c.email is not null) o`

type Said = {
  identities: readonly Identity[]
  channels: readonly ChannelKind[]
  purposes: readonly Purpose[]
  author: Author
  /** When it was said; left out, now. */
  at?: Date
  /** The list it came with. */
  listId?: string
} & Pick<ConsentEntry, 'isGiven' | 'source' | 'proof'>

/** Adds what one person said to the ledger, and tells whoever sees them. */
export const recordConsent = async (
  tx: Tx,
  { channel, ...said }: Omit<Said, 'channels'> & { channel: ChannelKind },
) => {
  const contactIds = await recordConsents(tx, { ...said, channels: [channel] })
  for (const id of contactIds)
    for (const audience of await audiencesOf(tx, id)) await emit(tx, 'contact.consented', { id }, audience)
  await tellOptOuts(tx)
}
/** The list of those who do not want to receive something is not what it was. */
export const tellOptOuts = (tx: Tx) => emit(tx, 'optOuts.changed', {}, { kind: 'permission', can: 'contacts.read' })

/**
 * Adds the same of many to the ledger, in one statement however many they are; whoever calls tells of it. What is written
 * there is never changed: a later entry takes its place. A word of somebody holds for all they are known by. Answers the
 * contacts they are.
 */
export const recordConsents = async (tx: Tx, { identities, channels, purposes, ...said }: Said): Promise<string[]> => {
  if (!identities.length) return []
  const known = await tx.rows<Identity & { contactId: string | null }>(knownAs, [
    tx.tenantId,
    JSON.stringify(identities.map(({ kind, value }) => ({ kind, value }))),
  ])
  const all = new Map(known.map(({ kind, value }) => [`${kind}:${value}`, { kind, value }]))
  const rows = [...all.values()].flatMap((one) =>
    channels.flatMap((channel) => purposes.map((purpose) => ({ id: v7(), ...one, channel, purpose }))),
  )
  const { isGiven, source, proof, author, at = null, listId = null } = said
  const shared = [isGiven, source, proof.replaceAll('\0', ''), JSON.stringify(author), at, listId]
  await tx.rows(add, [tx.tenantId, JSON.stringify(rows), ...shared])
  return [...new Set(known.flatMap(({ contactId }) => contactId ?? []))]
}

const knownAs: Prepared = {
  name: 'consent_known_as',
  text: `with said as (select distinct kind, value from jsonb_to_recordset($2::jsonb) as r(kind text, value text))
    select kind, value, null::uuid as "contactId" from said
    union select o.kind, o.value, k.contact_id from said s ${knownBy} ${knownAll}`,
}
const add: Prepared = {
  name: 'consent_add',
  text: `insert into consents (tenant_id, id, identity_kind, identity_value, channel, purpose, is_given, source, proof, author, at, list_id)
    select $1, r.id, r.kind, r.value, r.channel, r.purpose, $3, $4, $5, $6::jsonb, coalesce($7::timestamptz, now()), $8::uuid
    from jsonb_to_recordset($2::jsonb) as r(id uuid, kind text, value text, channel text, purpose text)`,
}

type Asked = { contactId: string; channel: ChannelKind; purpose: Purpose }
/** The contact may be written to for this purpose on this channel: nobody has said no by any of their identities. */
export const hasConsent = async (tx: Tx, { contactId, channel, purpose }: Asked): Promise<boolean> =>
  purpose === 'service' || (await tx.rows(refusal, [tx.tenantId, contactId, channel, purpose])).length === 0

const refusal: Prepared = {
  name: 'consent_refusal',
  text: `select from (select $2::uuid as contact_id) k ${knownAll} join consent_states s on s.tenant_id = $1
      and s.identity_kind = o.kind and s.identity_value = o.value and s.channel = $3 and s.purpose = $4 and not s.is_given limit 1`,
}

/** Whether all of this holds already: of everything the contact is known by. */
export const isSaidAlready = async (
  tx: Tx,
  {
    contactId,
    channel,
    purposes,
    isGiven,
  }: Omit<Asked, 'purpose'> & { purposes: readonly Purpose[]; isGiven: boolean },
): Promise<boolean> => (await tx.rows(otherwise, [tx.tenantId, contactId, channel, purposes, isGiven])).length === 0

const otherwise: Prepared = {
  name: 'consent_otherwise',
  text: `select from (select $2::uuid as contact_id) k ${knownAll} cross join unnest($4::text[]) p(purpose)
      left join consent_states s on s.tenant_id = $1 and s.identity_kind = o.kind and s.identity_value = o.value
        and s.channel = $3 and s.purpose = p.purpose
    where s.is_given is distinct from $5 limit 1`,
}

/** The ledger of a contact's identities, newest first; of each identity, channel and purpose the first is what holds. */
export const listConsents = async (tx: Tx, contactId: string): Promise<ConsentEntry[]> => {
  const rows = await tx.rows<Omit<ConsentEntry, 'at'> & { at: Date }>(ledger, [tx.tenantId, contactId])
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
const ledger: Prepared = {
  name: 'consent_ledger',
  text: `select e.id, jsonb_build_object('kind', e.identity_kind, 'value', e.identity_value) as identity, e.channel, e.purpose,
      e.is_given as "isGiven", e.source, e.proof, e.author, e.at
    from (select $2::uuid as contact_id) k ${knownAll} join consents e on e.tenant_id = $1 and e.identity_kind = o.kind
      and e.identity_value = o.value order by e.at desc, e.id desc limit 200`,
}
/** How a contact is known: a word of theirs holds for all of it. */
export const identitiesOf: Prepared = {
  name: 'consent_identities',
  text: `select o.kind, o.value from (select $2::uuid as contact_id) k ${knownAll}`,
}
