import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { ConsentEntry, Purpose } from '@balcao/contract/contacts/consent.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { consents } from '../../../db/schema/contacts/consent.ts'

type Entry = {
  identities: Identity[]
  channel: ChannelKind
  purposes: Purpose[]
  author: Author
  /** When it was said; left out, now. */
  at?: Date
} & Pick<ConsentEntry, 'isGiven' | 'source' | 'proof'>

/** Adds to the ledger. What is written there is never changed: a later entry takes its place. */
export const recordConsent = async (tx: Tx, { identities, purposes, ...entry }: Entry) => {
  const rows = identities.flatMap(({ kind, value }) =>
    purposes.map((purpose) => ({ ...entry, tenantId: tx.tenantId, identityKind: kind, identityValue: value, purpose })),
  )
  if (rows.length) await tx.db.insert(consents).values(rows)
}

/** The contact may be written to for this purpose on this channel: nobody has said no by any of their identities. */
export const hasConsent = async (
  tx: Tx,
  { contactId, channel, purpose }: { contactId: string; channel: ChannelKind; purpose: Purpose },
): Promise<boolean> => {
  if (purpose === 'service') return true
  const rows = await tx.rows<{ isGiven: boolean }>(current, [tx.tenantId, contactId, channel, purpose])
  return rows.every(({ isGiven }) => isGiven)
}

/** The last word of each identity. */
const current: Prepared = {
  name: 'consent_current',
  text: `select c.is_given as "isGiven" from contact_identities i cross join lateral (
      select e.is_given from consents e where e.tenant_id = i.tenant_id and e.identity_kind = i.kind and e.identity_value = i.value
        and e.channel = $3 and e.purpose = $4 order by e.at desc, e.id desc limit 1) c
    where i.tenant_id = $1 and i.contact_id = $2`,
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
    from contact_identities i join consents e on e.tenant_id = i.tenant_id and e.identity_kind = i.kind and e.identity_value = i.value
    where i.tenant_id = $1 and i.contact_id = $2 order by e.at desc, e.id desc limit 200`,
}
/** How a contact is known: a word of theirs holds for all of it. */
export const identitiesOf: Prepared = {
  name: 'consent_identities',
  text: 'select kind, value from contact_identities where tenant_id = $1 and contact_id = $2',
}
