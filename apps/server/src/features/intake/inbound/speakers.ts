import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Speaker } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { normalizeIdentities, resolveContact } from '../../contacts/contacts/identify.ts'

/** Whoever speaks in a group is a contact of their own; by the identities the provider named. */
export const findSpeakers = async (tx: Tx, speakers: Speaker[]): Promise<(speaker: Speaker) => Author | undefined> => {
  const distinct = new Map(speakers.map((speaker) => [keyOf(speaker), speaker]))
  const authors = new Map<string, Author>()
  if (distinct.size) {
    const rows = await tx.rows<Known>(known, [
      tx.tenantId,
      JSON.stringify(
        [...distinct].flatMap(([key, { identities }]) =>
          normalizeIdentities(identities).map((one) => ({ key, ...one })),
        ),
      ),
    ])
    for (const { key, contactId, name } of rows) authors.set(key, { kind: 'contact', id: contactId, name })
  }
  for (const [key, speaker] of distinct) {
    if (authors.has(key)) continue
    const { contactId, name } = await resolveContact(tx, speaker) // their first words here
    authors.set(key, { kind: 'contact', id: contactId, name })
  }
  return (speaker) => authors.get(keyOf(speaker))
}

const keyOf = ({ identities: [{ kind, value }] }: Speaker) => `${kind}:${value}`

type Known = { key: string; contactId: string; name: string }
const known: Prepared = {
  name: 'inbound_speakers',
  text: `select distinct on (r.key) r.key, c.id as "contactId", c.name from jsonb_to_recordset($2::jsonb) as r(key text, kind text, value text)
    join contact_identities i on i.tenant_id = $1 and i.kind = r.kind and i.value = r.value
    join contacts c on c.tenant_id = $1 and c.id = i.contact_id order by r.key`,
}
