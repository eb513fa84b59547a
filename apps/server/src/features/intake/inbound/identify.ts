import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { type TicketState, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'

/** What we already know of an incoming message. */
export type Known = {
  /** Whoever the strongest known identity of the sender names. */
  contactId: string | null
  /** No identity of the sender is new. */
  isKnown: boolean
  contactName: string | null
  isNameFixed: boolean
  metAt: Date | null
  /** The contact has another identity of the same kind: two phones, say. */
  hasTwin: boolean
  /** We believed the contact could not be reached by one of their identities. */
  isUnreachable: boolean
  /** The message is stored already. */
  isDuplicate: boolean
  quoted: Message['quoted']
  /** The contact's active ticket on this connection, locked until the end of the transaction. */
  ticket: TicketState | null
}

/** Finds, in one statement, the contacts and active tickets of these messages, and locks the tickets. */
export const identify = async (tx: Tx, connectionId: string, messages: InboundMessage[]): Promise<Known[]> =>
  knownFrom(await tx.rows(...identifyAsk(tx.tenantId, connectionId, messages)))

/** The same question, for who asks it together with others; `knownFrom` reads its answer. */
export const identifyAsk = (tenantId: number, connectionId: string, messages: InboundMessage[]): Ask => {
  const asked = messages.flatMap((event, n) =>
    normalizeIdentities(event.from.identities).map((identity, rank) => ({ n, rank, ...identity })),
  )
  const named = messages.map((event, n) => ({
    n,
    provider_id: event.providerId,
    quoted: event.quotedProviderId,
    is_mail: event.content.mail !== undefined,
  }))
  return [statement, [tenantId, connectionId, JSON.stringify(asked), JSON.stringify(named)]]
}

export const knownFrom = (rows: object[]): Known[] =>
  (rows as Row[]).map(
    ({
      knownContactId,
      isKnown,
      contactName,
      isNameFixed,
      metAt,
      hasTwin,
      isUnreachable,
      isDuplicate,
      quoted,
      ...ticket
    }) => ({
      contactId: knownContactId,
      isKnown,
      contactName,
      isNameFixed: isNameFixed ?? false,
      metAt,
      hasTwin,
      isUnreachable,
      isDuplicate,
      quoted,
      ticket: isTicket(ticket) ? ticket : null,
    }),
  )

/** Where somebody with two addresses of a kind wrote from last: the answer goes there. */
export const noteUse = async (tx: Tx, messages: InboundMessage[]) => {
  const used = new Map(
    messages
      .flatMap(({ from }) => normalizeIdentities(from.identities))
      .map((one) => [`${one.kind}:${one.value}`, one]),
  )
  if (used.size) await tx.rows(use, [tx.tenantId, JSON.stringify([...used.values()])])
}
const use: Prepared = {
  name: 'inbound_identity_used',
  text: `update contact_identities i set used_at = now() from jsonb_to_recordset($2::jsonb) as r(kind text, value text)
    where i.tenant_id = $1 and i.kind = r.kind and i.value = r.value`,
}

type NoTicket = { [K in keyof TicketState]: null }
type Row = Omit<Known, 'contactId' | 'ticket' | 'isNameFixed'> & {
  knownContactId: string | null
  isNameFixed: boolean | null
} & (TicketState | NoTicket)
const isTicket = (ticket: TicketState | NoTicket): ticket is TicketState => ticket.id !== null

const statement: Prepared = {
  name: 'inbound_identify',
  text: `with asked as (
      select a.n, count(*) as asked, count(a.contact_id) as found,
        (array_agg(a.contact_id order by a.rank) filter (where a.contact_id is not null))[1] as contact_id,
        (array_agg(a.kind order by a.rank) filter (where a.contact_id is not null))[1] as kind,
        (array_agg(a.value order by a.rank) filter (where a.contact_id is not null))[1] as value
      from (
        -- One look-up per identity: joined, the planner may read the whole table for a handful of them.
        select r.n, r.rank, r.kind, r.value, (select i.contact_id from contact_identities i
          where i.tenant_id = $1 and i.kind = r.kind and i.value = r.value) as contact_id
        from jsonb_to_recordset($3::jsonb) as r(n int, rank int, kind text, value text)) a
      group by a.n
    ), locked as (
      select * from tickets where tenant_id = $1 and connection_id = $2 and status <> 'closed'
        and contact_id in (select contact_id from asked)
      order by id for no key update
    )
    select c.id as "knownContactId", a.found = a.asked as "isKnown", c.name as "contactName",
      c.is_name_fixed as "isNameFixed", l.last_message_at as "metAt",
      exists (select from contact_identities i join contact_identities o on o.tenant_id = $1 and o.contact_id = a.contact_id
        and o.kind = i.kind and o.value <> i.value
        where i.tenant_id = $1 and i.kind = a.kind and i.value = a.value and i.contact_id = a.contact_id) as "hasTwin",
      exists (select from contact_identities i where i.tenant_id = $1 and i.contact_id = a.contact_id and i.unreachable_reason is not null) as "isUnreachable",
      exists (select from messages d where d.tenant_id = $1 and d.connection_id = $2 and d.provider_id = m.provider_id) as "isDuplicate",
      case when m.quoted is not null then (select jsonb_build_object('id', q.id, 'body', case when q.is_deleted then '' else q.body end, 'type', q.type, 'fromMe', q.from_me, 'authorName', q.author->>'name')
        from messages q where q.tenant_id = $1 and q.connection_id = $2 and q.provider_id = m.quoted
          -- Anybody writes any id into a mail: it names only what was said with them.
          and (not m.is_mail or q.contact_id = a.contact_id)) end as quoted,
      ${ticketStateColumns}
    from jsonb_to_recordset($4::jsonb) as m(n int, provider_id text, quoted text, is_mail boolean)
    join asked a on a.n = m.n
    left join contacts c on c.tenant_id = $1 and c.id = a.contact_id
    left join contact_activity l on l.tenant_id = $1 and l.contact_id = a.contact_id
    left join locked t on t.contact_id = c.id
    order by m.n`,
}
