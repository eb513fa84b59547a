import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels, reachedBy, scopedKinds } from '@balcao/contract/channels/index.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { ChosenWay, TicketWay } from '@balcao/contract/conversations/ways.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { binding } from '../../../kit/sql.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { commitTicketChange } from './commit-ticket-changes.ts'
import { getTarget, planMove } from './hand-over.ts'
import { viewerOf, visibleTickets } from './tickets.policy.ts'
import { getVisibleTicket, lockVisibleTicket } from './tickets.service.ts'
import { hasVisited } from './visited.ts'

/** GET /tickets/{id}/ways: by what else the contact can be answered, and what stands in the way (docs/decisions/0078). */
export const listWays = async (actor: Actor, ticketId: string): Promise<TicketWay[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const ticket = await getVisibleTicket(tx, actor, ticketId)
    if (ticket.isGroup) return []
    const { values, bind } = binding()
    const asked: Asked = [bind(tx.tenantId), bind(ticket.contactId), bind(ticket.id)]
    const text = connectionsOf(asked, visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind))
    const connections = await tx.rows<ConnectionRow>({ name: '', text }, values)
    const addresses = await tx.rows<AddressRow>(addressesOf, [tx.tenantId, ticket.contactId])
    const isBlocked = ({ kind, value }: Identity) => kind === 'phone' && directory.blockedNumbers.has(value)
    return connections
      .flatMap((one) => waysOver(one, { ticket, addresses, isBlocked }))
      .toSorted((a, b) => rankOf(a) - rankOf(b))
  })
}
type Asked = [tenant: string, contact: string, ticket: string]

const rankOf = ({ isCurrent, takes }: TicketWay) =>
  (isCurrent ? 0 : 4) + ['everything', 'template', 'nothing'].indexOf(takes)

type ConnectionRow = {
  id: string
  name: string
  kind: ChannelKind
  abilities: Abilities
  isOff: boolean
  heardAt: Date | null
  /** Its visitor has a window of this web chat. */
  isVisited: boolean
  /** The contact takes no campaigns over this channel. */
  isRefused: boolean
  other: { userName: string | null; visibleId: string | null } | null
}
type AddressRow = Identity & { problem: string | null; ownerName: string | null }
type Known = { ticket: Ticket; addresses: AddressRow[]; isBlocked: (one: Identity) => boolean }

const waysOver = (connection: ConnectionRow, { ticket, addresses, isBlocked }: Known): TicketWay[] => {
  const isCurrent = connection.id === ticket.whatsappId
  const found = addressesOn(connection, addresses)
  return (found.length ? found : [null]).map((one, place) => {
    const obstacle = obstacleOf(connection, isCurrent, one, one !== null && isBlocked(one))
    const isOpen = isWindowOpen(connection.abilities, connection.heardAt, { isByPerson: true })
    const needsTemplate = !obstacle && !isOpen
    const takesNone = obstacle || (needsTemplate && !connection.abilities.supports.includes('template'))
    return {
      whatsapp: { id: connection.id, name: connection.name },
      channel: connection.kind,
      address: one && { kind: one.kind, value: one.value },
      isCurrent: isCurrent && place === 0,
      takes: takesNone ? 'nothing' : needsTemplate ? 'template' : 'everything',
      reason: obstacle ?? (needsTemplate ? windowReason(connection) : (one?.problem ?? null)),
      problem: one?.problem ?? null,
      otherTicketId: connection.other?.visibleId ?? null,
    }
  })
}

const obstacleOf = (
  { kind, isOff, other, isVisited }: ConnectionRow,
  isCurrent: boolean,
  address: AddressRow | null,
  isBlocked: boolean,
): string | null => {
  if (!address) return channels[kind].reachedBy.whenNot
  if (kind === 'webchat' && !isVisited) return isCurrent ? leftText : channels[kind].reachedBy.whenNot
  if (address.ownerName)
    return `Este endereço é do contato ${address.ownerName}. Se forem a mesma pessoa, una os dois contatos.`
  if (isBlocked) return 'O número está entre os números bloqueados.'
  // A phone is deaf to the channel that told so; another may well reach it.
  if (address.problem && address.kind !== 'phone') return address.problem
  if (isOff) return 'O canal está desconectado.'
  if (other && !isCurrent)
    return other.userName
      ? `Já há um atendimento aberto por aqui, com ${other.userName}.`
      : 'Já há um atendimento aberto por aqui, sem atendente.'
  return null
}

const leftText = 'O contato não tem mais o chat do site aberto. Responda por outro canal.'

const windowReason = ({ abilities, isRefused }: ConnectionRow) => {
  if (!abilities.supports.includes('template'))
    return 'A janela de resposta fechou: espere o contato escrever por aqui.'
  const only = 'A janela de resposta fechou: só com modelo aprovado.'
  return isRefused ? `${only} O contato não quer campanhas por aqui.` : only
}

/**
 * Where the contact is written to on a connection. WhatsApp knows one person by a phone and by ids of its own: those are one
 * address, and the phone stands for it.
 */
const addressesOn = ({ kind, abilities }: ConnectionRow, addresses: AddressRow[]): AddressRow[] => {
  const accepted = reachedBy(kind, abilities).map((one) =>
    addresses.filter(
      ({ kind: known, value }) =>
        known === one && (!scopedKinds.includes(known) || value.startsWith(`${abilities.account}:`)),
    ),
  )
  return accepted.find((some) => some.length > 0) ?? []
}

/**
 * `tenant`, `contact` and `ticket` as bound; the company's connections with what they are to this contact. A window is open
 * by what came lately: of a conversation of years only its end is read.
 */
const connectionsOf = ([tenant, contact, ticket]: Asked, isVisible: string) => `with heard as (
    select o.connection_id, max(o.last_inbound_at) as at from tickets o
      where o.tenant_id = ${tenant} and o.contact_id = ${contact} group by 1
    union all select h.connection_id, max(least(h.timestamp, h.created_at)) from (
      select m.connection_id, m.timestamp, m.created_at from messages m
        where m.tenant_id = ${tenant} and m.ticket_id = ${ticket} and not m.from_me order by m.seq desc limit 200) h
      group by 1)
  select n.id, n.name, n.kind, n.abilities, n.status <> 'CONNECTED' or n.stopped_at is not null as "isOff",
    (select max(h.at) from heard h where h.connection_id = n.id) as "heardAt",
    n.kind = 'webchat' and ${hasVisited({ tenant, connection: 'n.id', contact })} as "isVisited",
    exists (select from contact_identities i join consent_states s on s.tenant_id = ${tenant} and s.identity_kind = i.kind
      and s.identity_value = i.value and s.channel = n.kind and s.purpose = 'marketing' and not s.is_given
      where i.tenant_id = ${tenant} and i.contact_id = ${contact}) as "isRefused",
    (select jsonb_build_object('userName', u.name, 'visibleId', case when ${isVisible} then t.id end) from tickets t
      left join users u on u.tenant_id = ${tenant} and u.id = t.user_id
      where t.tenant_id = ${tenant} and t.connection_id = n.id and t.contact_id = ${contact} and t.status <> 'closed'
        and t.id <> ${ticket}) as other
  from connections n where n.tenant_id = ${tenant} and n.deleted_at is null order by n.is_default desc, n.name`

/** What the contact is known by, and the e-mail somebody wrote down; whose it is, where it is another's. */
const addressesOf: Prepared = {
  name: 'ticket_ways_addresses',
  text: `select * from (
      select i.kind, i.value, i.unreachable_reason as problem, null as "ownerName", i.used_at, i.created_at
        from contact_identities i where i.tenant_id = $1 and i.contact_id = $2
      union all select 'email', lower(c.email), null, o.name, null, c.created_at from contacts c
        left join contact_identities x on x.tenant_id = $1 and x.kind = 'email' and x.value = lower(c.email)
        left join contacts o on o.tenant_id = $1 and o.id = x.contact_id
        where c.tenant_id = $1 and c.id = $2 and c.email is not null and x.contact_id is distinct from $2) a
    order by a.used_at desc nulls last, a.created_at`,
}

/** The conversation goes on as somebody chose to answer; nothing happens where it goes so already. */
export const takeWay = async (tx: Tx, actor: Actor, ticketId: string, { whatsappId, address }: ChosenWay) => {
  const before = await lockVisibleTicket(tx, actor, ticketId)
  const target = await getTarget(tx, whatsappId)
  if (address) {
    const given = [tx.tenantId, before.contactId, address.kind, address.value]
    if (!(await tx.rows(useAddress, given)).length) throw new AppError('ERR_CONTACT_UNREACHABLE')
  }
  const change = await planMove(tx, before, target, actor)
  if (change) await commitTicketChange(tx, change, byUser(actor))
}

/** The one used last is the one written to. An e-mail that was only written down becomes theirs once it is used. */
const useAddress: Prepared = {
  name: 'ticket_way_use_address',
  text: `insert into contact_identities as i (tenant_id, kind, value, contact_id, used_at)
    select $1, k.kind, k.value, $2::uuid, now() from (
      select kind, value from contact_identities where tenant_id = $1 and contact_id = $2 and kind = $3 and value = $4
      union select 'email', lower(email) from contacts
        where tenant_id = $1 and id = $2 and $3 = 'email' and lower(email) = $4) k
    on conflict (tenant_id, kind, value) do update set used_at = now() where i.contact_id = excluded.contact_id
    returning true`,
}
