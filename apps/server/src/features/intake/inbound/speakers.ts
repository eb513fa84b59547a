import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Speaker } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities, resolveContact } from '../../contacts/contacts/identify.ts'
import { noteMembers, wantGroups } from '../../contacts/groups/members.ts'
import { wantPicture } from '../../conversations/pictures/pictures.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import type { Received } from './arrivals.ts'

/** Whoever speaks in a group is a contact of their own, by the identities the provider named. `from`: they speak now. */
export const findSpeakers = async (
  tx: Tx,
  speakers: Speaker[],
  from?: OpenConnection,
): Promise<(speaker: Speaker) => Author | undefined> => {
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
    if (from) await wantPicture(tx, from, contactId)
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

/** Who speaks in these messages: whoever is called in one may have spoken first in another. */
export const meetSpeakers = async (tx: Tx, connection: OpenConnection, all: Received[]) => {
  const fresh = all.filter(({ known }) => !known.isDuplicate)
  const speakers = await findSpeakers(
    tx,
    fresh.flatMap(({ arrival }) => arrival.event.author ?? []),
    connection,
  )
  await noteSpeakers(tx, fresh)
  return speakers
}

/** They are in the group they speak in; whoever looks at it sees somebody it did not know of. */
const noteSpeakers = async (tx: Tx, received: Received[]) => {
  const said = received.flatMap(({ arrival: { event }, known: { contactId, ticket } }) =>
    event.author && event.from.isGroup && contactId && ticket
      ? [{ groupId: contactId, speaker: event.author, at: event.timestamp, ticket }]
      : [],
  )
  if (!(await noteMembers(tx, said))) return
  await wantGroups(tx, [...new Set(said.map(({ groupId }) => groupId))])
  const seen = new Map(said.map(({ ticket }) => [ticket.id, ticket]))
  for (const ticket of seen.values())
    await emit(tx, 'group.updated', { ticketId: ticket.id }, { kind: 'ticket', facts: factsOf(ticket) })
}
